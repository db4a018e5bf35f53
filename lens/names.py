"""Names that can stand in ids, field names and paths."""

from __future__ import annotations

import re


def kebab(text: str, default: str = "x") -> str:
    """Lower-case kebab words out of anything; `default` where nothing is left.

    >>> kebab("letter_frac"), kebab("GSM8K Test"), kebab("…")
    ('letter-frac', 'gsm8k-test', 'x')
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or default
