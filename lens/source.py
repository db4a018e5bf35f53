"""A subject's own source text, for a page that is allowed to show it. It never enters evidence."""

from __future__ import annotations

import importlib
from collections.abc import Iterable

_HOMES = {"graders": "lens.graders.source_text"}


def source_text(kind: str, spec: str, files: Iterable[str]) -> dict[str, str]:
    """Text of `files`, named as evidence names them, of the subject that `spec` names, from its pinned release.

    Files that aren't on this machine are left out. Nothing is downloaded and nothing is run. Raises UsageError for
    an unknown spec.
    """
    if kind not in _HOMES:
        return {}
    found: dict[str, str] = importlib.import_module(_HOMES[kind]).texts(spec, files)
    return found
