"""The defect classes that an audit on the embedded corpora names."""

from __future__ import annotations

from functools import cache

from lens.access import Access
from lens.graders import corpora
from lens.graders.audit import Audit
from lens.graders.defects import flagged
from lens.graders.subject import GraderSubject, resolve
from lens.instrument import registry
from lens.reading import Result

INSTRUMENTS = ("contract", "metamorphic", "variants", "exploits")


@cache
def classes(slug: str) -> frozenset[str]:
    """Classes named by an audit of a built-in grader, differences of contract included."""
    return frozenset(audit(resolve(slug)))


def audit(subject: GraderSubject) -> set[str]:
    """Classes named by an audit of a subject."""
    one = Audit(subject, {}, Access.parse("grader.source grader.replicate gold.record"))
    corpora.fill(one)
    tables = []
    for name in INSTRUMENTS:
        result = registry("graders")[name].run(one)
        if isinstance(result, Result) and "defects" in result.tables:
            tables.append(result.tables["defects"])
    return flagged(tables)
