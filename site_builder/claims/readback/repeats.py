"""Sheets say the same on every page that quotes their number: each is read where it stands first.

Two sheets are the same when nothing differs but their own ids and the way back to the site's root.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

_SHEET = '<div class="sheet" popover'
_OWN = re.compile(r'="n\d+v?"')


class Counts(NamedTuple):
    """Digits outside code, and those that stand unbacked, by token class."""

    digits: int
    allowed: Counter[str]


def apart(html: str) -> tuple[str, dict[str, str]]:
    """A page without its sheets, and its sheets by what they say wherever they stand. Together they are the page."""
    before, *sheets = html.split(_SHEET)
    if not sheets:
        return html, {}
    sheets[-1], end, after = sheets[-1].partition("</section>")
    return before + end + after, {_OWN.sub("", sheet).replace("../", ""): _SHEET + sheet for sheet in sheets}
