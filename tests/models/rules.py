"""A reward model that is a rule written down: what it rewards is known, and what an instrument finds is held to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lens.access import Access
from lens.models.inspection import Inspection
from lens.models.model import Encoded, Prompt
from lens.models.pairs import Pair, Pairs
from lens.reading import Subject

_END = 0x10FFFF


@dataclass(frozen=True)
class RuleModel:
    """`rule(prompt, reply)` in ru; token ids are code points."""

    rule: Callable[[str, str], float]
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    context: int = 0
    slug: str = "rule"
    title: str = "A rule"
    spec: str = "rule"
    fingerprint: str = "0" * 64
    kind: str = "rule"
    family: str = "opaque"
    device: str = "cpu"
    dtype: str = "float32"
    own_pairs: Pairs | None = None
    trunk: None = None
    network: None = None

    def as_subject(self) -> Subject:
        return Subject("models", self.slug, self.title, self.fingerprint, self.spec)

    def grants(self) -> str:
        return "grader.query gold.record"

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        from lens.errors import UsageError

        ids = (*map(ord, str(prompt)), _END, *map(ord, response))
        if self.context and len(ids) > self.context:
            raise UsageError("beyond the context", remedy="shorten it")
        return Encoded(ids, len(str(prompt)) + 1)

    def rewards(self, texts: Sequence[Encoded]) -> list[float]:
        found = []
        for text in texts:
            at = text.ids.index(_END)
            prompt, reply = ("".join(map(chr, ids)) for ids in (text.ids[:at], text.ids[at + 1 :]))
            found.append(float(self.rule(prompt, reply)))
        return found

    def native(self, texts: Sequence[Encoded], padding: str) -> list[float]:
        return self.rewards(texts)


def pairs_of(rows: Sequence[tuple[str, str, str, str]], **lineage: str) -> Pairs:
    """Pairs of (prompt, chosen, rejected, axis)."""
    return Pairs("rows", tuple(Pair(i, *row) for i, row in enumerate(rows)), "0" * 64)


def inspect(model: object, pairs: Pairs, **options: object) -> Inspection:
    """An inspection with everything granted."""
    grants = Access.parse("grader.backward gold.record")
    return Inspection(model, pairs, grants, **options)  # type: ignore[arg-type]
