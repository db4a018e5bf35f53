"""MATH-500: golds, and the boxed predictions of two models, which nobody labelled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from lens.graders.items import Item, Rollout
from lens.graders.sources import Named


def _golds(records: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Item]:
    for number, record in records:
        yield Item(number, record["answer"], record["answer"], record["prompt"])


def _first_golds(records: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Item]:
    """The rows that the public card of `is_equiv` was measured on."""
    return _golds(islice(records, 240))


def _predictions(records: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Rollout]:
    for number, record in records:
        yield Rollout(number, record["answer"], record["prediction"], None, None, f"math500/{number}")


_FILE = "graders/math500_llmeval.jsonl"
SOURCES = (
    Named("math500", "MATH-500 golds", _FILE, "Apache-2.0; MATH: MIT", _golds),
    Named("math500-240", "the first 240 MATH-500 golds", _FILE, "Apache-2.0; MATH: MIT", _first_golds),
    *(
        Named(
            f"math500-predictions-{model}",
            f"MATH-500 predictions of {title}",
            f"corpora/math500/math500_{model}_answers.json",
            "Apache-2.0; MATH: MIT",
            _predictions,
        )
        for model, title in (("gpt", "a GPT model"), ("qwen3", "a Qwen3 model"))
    ),
)
