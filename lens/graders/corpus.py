"""Corpora: rows a grader is asked about, with where they came from.

Row text stays on the machine it was read on: evidence names rows by number and digest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from lens.canonical import digest
from lens.reading import Input

CorpusKind = Literal["gold", "crossed", "variants", "near-misses", "rollouts", "fuzz", "exploits"]


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question to a grader.

    `response` is the whole text (or other value) given to it, already in the contract's shape, `answer` the bare text
    in the answer slot where there is one, `gold` the reference as the grader takes it. `label` is what
    a competent reader would say (True = deserves full pay), None where nobody said. `cluster` is the
    drawn unit (problem, gold), `relation` the name of the rule that made the row from its gold.
    """

    number: int
    response: Any
    gold: Any
    label: bool | None = None
    answer: str | None = None
    cluster: str = ""
    relation: str = ""
    columns: dict[str, Any] = {}

    @property
    def asked(self) -> bytes:
        """What a grader is given: rows alike in this are one question."""
        return msgspec.json.encode([self.response, self.gold, self.columns])

    @property
    def digest(self) -> str:
        return digest([self.response, self.gold, self.columns])[:16]


@dataclass(frozen=True)
class Corpus:
    """Named rows of one kind, with the digest of the source they were read or made from.

    Rows made by rule from golds carry the digest of the rows themselves, and in their locator that of the golds,
    which can be looked at again: `derived from <locator> sha256:<digest>`.
    """

    name: str
    kind: CorpusKind
    title: str
    rows: tuple[Row, ...]
    source_digest: str
    locator: str = ""
    licence: str = ""
    notes: dict[str, str] = field(default_factory=dict)

    def spread(self, most: int) -> tuple[Row, ...]:
        """At most `most` rows, evenly spaced over the corpus: never its first rows."""
        step = max(1.0, len(self.rows) / most)
        return tuple(self.rows[int(at * step)] for at in range(min(most, len(self.rows))))

    def as_input(self) -> Input:
        return Input("corpus", self.name, self.source_digest, self.locator, len(self.rows), self.licence)
