"""NQ-open: development questions with lists of golds (google-research-datasets/natural-questions)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lens.graders.items import Item
from lens.graders.sources import Named


def _golds(records: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Item]:
    for number, record in records:
        yield Item(number, list(record["answer"]), record["answer"][0], record["question"])


SOURCES = (Named("nq-open", "NQ-open development golds", "graders/nq_open_dev.jsonl", "CC BY-SA 3.0", _golds),)
