"""Audits in this process: a Python function for a grader, so that what instruments conclude can be tested alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from lens.access import Access
from lens.graders import corpora
from lens.graders.adapter import Adapter
from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.defects import flagged
from lens.graders.items import Item, Source
from lens.graders.outcome import Outcome
from lens.reading import Field, Reading, Result, fields_of

Grade = Callable[..., Any]


class Direct(Audit):
    """Calls the grader here instead of in a worker. `asked` counts its calls."""

    asked = 0

    def evaluate(self, rows: Sequence[Row]) -> list[Outcome]:
        self.asked += len(rows)
        return [self._one(row) for row in rows]

    def _one(self, row: Row) -> Outcome:
        try:
            value = self.subject.grade(row.response, row.gold, **row.columns)  # type: ignore[attr-defined]
        except Exception as error:
            return Outcome("exception", type(error).__name__)
        return Outcome("value", "NoneType" if value is None else "", value)


def unfilled(grade: Grade, answer: str = "integer", **options: Any) -> Direct:
    """An audit of `grade` before its corpora are made."""
    adapter = Adapter("planted", "planted", "", "planted.py:grade", answer, "MIT")
    subject: Any = SimpleNamespace(adapter=adapter, slug="planted", grade=grade)
    return Direct(subject, {}, Access.parse("grader.query gold.record"), **options)


def direct(grade: Grade, answer: str = "integer", source: Source | None = None, **options: Any) -> Direct:
    """An audit of `grade` with every corpus made."""
    audit = unfilled(grade, answer, **options)
    corpora.fill(audit, source)
    return audit


def golds(*given: Any, own: bool = True) -> Source:
    """A source of these golds, each its own answer (a list's first)."""
    items = tuple(Item(at, gold, gold[0] if isinstance(gold, list) else gold, own=own) for at, gold in enumerate(given))
    return Source("planted", "planted golds", "0" * 64, "file:planted.jsonl", "MIT", items, own=own)


def fields(outcome: Reading | Result) -> dict[str, Field]:
    return fields_of(outcome.reading if isinstance(outcome, Result) else outcome)


def classes(*outcomes: Reading | Result, policy: bool = False) -> set[str]:
    """Classes of defect that these instruments found."""
    tables = [one.tables["defects"] for one in outcomes if isinstance(one, Result) and "defects" in one.tables]
    return flagged(tables, policy=policy)


def careful(response: Any, gold: Any, **_columns: Any) -> float:
    """A grader of whole numbers that gets all of it right: the control of every planted defect."""
    import re
    from decimal import Decimal

    marked = re.findall(r"^#### *(.*?) *$", str(response), re.MULTILINE)
    number = (
        r"\**\$?([+\u2212-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?)\.?\**\.?(?: (?:apples|coins|steps|cm|hours|dollars))?"
    )
    values = {found[1] if (found := re.fullmatch(number, text, re.ASCII)) else None for text in marked}
    if len(values) != 1 or None in values:
        return 0.0
    text = str(values.pop()).replace(",", "").replace("\u2212", "-")
    return float(Decimal(text) == Decimal(gold))
