"""Short answers in words, with a list of golds of which any one is right."""

from __future__ import annotations

from typing import Any

from lens.graders.formats import Format


def _golds(gold: Any) -> list[str]:
    golds = [gold] if isinstance(gold, str) else list(gold)
    if not golds or not all(isinstance(text, str) and text.strip() for text in golds):
        raise ValueError(f"needs a text or a list of texts as gold, got {str(gold)[:40]!r}")
    return golds


FORMAT = Format(
    name="qa",
    title="a short answer in words, any of a list",
    traits=frozenset({"words", "slot"}),
    shapes=("answer-tag", "boxed", "answer-line", "bold", "prose", "bare"),
    corpus="qa",
    seeds=(["Oslo"], ["Blue heron"], ["The lighthouse keeper"]),
    tokens=("a", "the", "of", "Oslo", "river", "blue", "1990", "-", ",", ".", "'", " ", "not", "or"),
    answers=_golds,
    reads=_golds,
)
