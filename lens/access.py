"""Who may see what: components × rungs, what a subject grants, what an instrument needs.

A grant is written `component.rung`. On one component `backward` includes `forward`, `query` and
`record`; `source` and `replicate` stand beside that ladder, and each includes `query`: whoever can
read a grader's source, or run it again, can call it. Taking a grant away only ever turns a reading into a decline.

    >>> Access.parse("grader.source gold.record").missing(Access.parse("grader.query gold.record"))
    ()
    >>> Access.parse("grader.record").missing(Access.parse("grader.query"))
    ('grader.query',)
"""

from __future__ import annotations

from dataclasses import dataclass

COMPONENTS = ("grader", "policy", "record", "task", "gold", "optimizer")
_INCLUDES = {
    "record": {"record"},
    "query": {"record", "query"},
    "forward": {"record", "query", "forward"},
    "backward": {"record", "query", "forward", "backward"},
    "source": {"record", "query", "source"},
    "replicate": {"record", "query", "replicate"},
}


@dataclass(frozen=True)
class Access:
    """A set of grants (what a subject gives) or of needs (what an instrument asks for)."""

    grants: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> Access:
        """From `"grader.source gold.record"`. Raises ValueError on a word that is not component.rung."""
        for word in text.split():
            component, _, rung = word.partition(".")
            if component not in COMPONENTS or rung not in _INCLUDES:
                raise ValueError(f"{word!r} is not component.rung ({', '.join(COMPONENTS)} × {', '.join(_INCLUDES)})")
        return cls(frozenset(text.split()))

    def missing(self, needs: Access) -> tuple[str, ...]:
        """The needs these grants don't meet, sorted; empty when all are met."""
        have = {
            f"{component}.{included}"
            for component, rung in (grant.split(".") for grant in self.grants)
            for included in _INCLUDES[rung]
        }
        return tuple(sorted(needs.grants - have))

    def __str__(self) -> str:
        return " ".join(sorted(self.grants))
