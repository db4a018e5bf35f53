"""The defect classes that an audit on the embedded corpora names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from unittest.mock import patch

from lens.access import Access
from lens.graders import corpora, exploits, relations
from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.defects import flagged
from lens.graders.formats import Format
from lens.graders.items import Source
from lens.graders.outcome import Outcome
from lens.graders.relations import Relation
from lens.graders.sandbox.session import Session
from lens.graders.shapes import Shape
from lens.graders.subject import GraderSubject, resolve
from lens.instrument import registry
from lens.reading import Result

INSTRUMENTS = ("contract", "metamorphic", "variants", "exploits")


@cache
def classes(slug: str) -> frozenset[str]:
    """Classes named by an audit of a built-in grader, differences of contract included."""
    return frozenset(audit(resolve(slug)))


@cache
def classes_about(slug: str, defects: frozenset[str]) -> frozenset[str]:
    """The same, asked about some classes alone."""
    with asking_about(defects):
        return frozenset(audit(resolve(slug)))


def audit(subject: GraderSubject, *, policy: bool = True) -> set[str]:
    """Classes named by an audit of a subject; differences of contract too, unless left out."""
    one = Audit(subject, {}, Access.parse("grader.source grader.replicate gold.record"))
    corpora.fill(one)
    tables = []
    for name in INSTRUMENTS:
        result = registry("graders")[name].run(one)
        if isinstance(result, Result) and "defects" in result.tables:
            tables.append(result.tables["defects"])
    return flagged(tables, policy=policy)


@contextmanager
def asking_about(defects: Collection[str]) -> Iterator[None]:
    """Audits in here ask a sixteenth of the golds, by the rules of these classes alone and in one worker: for graders
    too slow to be asked everything again and again."""
    whole = corpora.embedded

    def rules(fmt: Format, shape: Shape) -> list[Relation]:
        return [one for one in relations.applicable(fmt, shape) if one.defect in defects]

    def golds(fmt: Format) -> Source:
        return replace(whole(fmt), items=whole(fmt).items[8::16])

    tricks = {name: one for name, one in exploits.exploits().items() if one.defect in defects}
    sessions: dict[int, Session] = {}

    def evaluate(one: Audit, rows: Sequence[Row]) -> list[Outcome]:
        if id(one) not in sessions:
            sessions[id(one)] = opened.enter_context(one.session())
        return sessions[id(one)].evaluate(rows)

    with (
        ExitStack() as opened,
        patch.object(Audit, "evaluate", evaluate),
        patch.object(corpora, "applicable", rules),
        patch.object(corpora, "embedded", golds),
        patch.object(exploits, "exploits", lambda: tricks),
    ):
        yield
