"""GSM8K: the test set's golds, and labelled solutions of four models (openai/grade-school-math)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lens.graders.formats.integer import FORMAT
from lens.graders.items import Item, Rollout
from lens.graders.sources import Named

_MODELS = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")


def _golds(records: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Item]:
    for number, record in records:
        gold = FORMAT.reads(record["answer"])
        yield Item(number, gold, gold, record["question"])


def _solutions(records: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Rollout]:
    """Solutions end in `A: N`: that line is the marked answer, whatever the mark a grader wants."""
    for place, (number, record) in enumerate(records):
        gold = record["ground_truth"].rsplit("A:", 1)[-1].strip().replace(",", "")
        for at, model in enumerate(_MODELS):
            body, found, answer = record[model]["solution"].rpartition("A:")
            yield Rollout(
                place * len(_MODELS) + at,
                gold,
                body.rstrip() if found else record[model]["solution"],
                answer.strip() if found else None,
                bool(record[model]["is_correct"]),
                f"gsm8k/{number}",
            )


SOURCES = (
    Named("gsm8k", "GSM8K test golds", "graders/gsm8k_test.jsonl", "MIT", _golds),
    Named(
        "gsm8k-solutions",
        "GSM8K test, solutions of four models labelled by the authors",
        "graders/gsm8k_example_model_solutions.jsonl",
        "MIT",
        _solutions,
    ),
)
