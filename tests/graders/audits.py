"""Audits of graders planted by the tests: a source file, rows, and the fields an instrument reads."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lens.access import Access
from lens.canonical import digest
from lens.graders.audit import Audit
from lens.graders.corpus import Corpus, Row
from lens.graders.subject import resolve
from lens.reading import Declined, Field, Reading, Result, fields_of

FULL = "grader.source grader.replicate gold.record"


def corpus(name: str, rows: Sequence[Row]) -> Corpus:
    return Corpus(name, "gold", name, tuple(rows), digest([row.digest for row in rows]), "file:planted")


def answered(golds: Sequence[Any], shape: str = "{}", **columns: Sequence[Any]) -> list[Row]:
    """Each gold answered by itself in `shape`, with columns where given."""
    return [
        Row(at, shape.format(gold), gold, True, str(gold), str(gold), columns={n: v[at] for n, v in columns.items()})
        for at, gold in enumerate(golds)
    ]


def planted(folder: Path, source: str, rows: Sequence[Row], **options: Any) -> Audit:
    """An audit of `grade` in `source`, on one corpus of golds."""
    path = folder / "planted.py"
    path.write_text(textwrap.dedent(source))
    return Audit(resolve(f"{path}:grade"), {"gold": corpus("gold", rows)}, Access.parse(FULL), **options)


def fields(outcome: Reading | Result) -> dict[str, Field]:
    return fields_of(outcome.reading if isinstance(outcome, Result) else outcome)


def value(field: Field) -> Any:
    """The value of a field; a decline is its reason."""
    if isinstance(field, Declined):
        return field.reason
    return getattr(field, "value", None)
