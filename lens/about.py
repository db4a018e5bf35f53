"""What a built-in subject does, in its adapter's own words: for a page's opening sentence, never for evidence."""

from __future__ import annotations

import importlib

_HOMES = {"graders": "lens.graders.adapter"}


def about(kind: str, slug: str) -> str:
    """A clause that follows "It", such as "takes two answers and asks whether they are equal"; empty where unknown."""
    if kind not in _HOMES:
        return ""
    adapter = importlib.import_module(_HOMES[kind]).adapters().get(slug)
    return str(adapter.judges) if adapter is not None else ""
