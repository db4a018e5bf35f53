"""Metamorphic relations: the same answer placed or spelled another way, and answers that must not pass for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.graders import corpora, price
from lens.graders.contract import Contract, contract, evaluate
from lens.graders.corpora import Derived
from lens.graders.defects import Finding, table
from lens.graders.relations import Relation
from lens.graders.shrink import breaks, smallest
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Reading, Result
from lens.stats.intervals import share

if TYPE_CHECKING:
    from lens.graders.audit import Audit


@dataclass(frozen=True)
class Verdict:
    """One relation over all its rows: those it applies to, and those that break it."""

    relation: Relation
    applicable: tuple[Derived, ...]
    violated: tuple[Derived, ...]
    example: Derived | None
    earned: str

    @property
    def golds(self) -> int:
        return len({one.row.cluster for one in self.applicable})

    @property
    def count(self) -> Quantity:
        """Violations of applicable rows; the interval's width is that of the distinct golds."""
        return share(len(self.violated), len(self.applicable), "rows", n_eff=self.golds)


@instrument(
    "metamorphic",
    subjects="graders",
    title="Metamorphic relations",
    quantity="relations between two calls that the grader breaks",
    unit="relations",
    needs="grader.query gold.record",
    cost="2 × rows that relations make",
    version=1,
    order=60,
    declines="where the oracle earns nothing in any known shape",
    source="metamorphic testing (Chen, Cheung, Yiu 1998): verdicts compared with each other, no label needed",
    price=price.rows("variants", "near-misses", "gold", extra=1000),
)
def metamorphic(audit: Audit) -> Reading | Result:
    """Ask every applicable relation of every gold and compare what the changed row earns with its base.

    invariant: the score stays; must-change: what earned the ceiling no longer does; monotone: the score doesn't
    rise. A pair of which one call timed out is left out. `{r}.violations` k of n applicable rows, n_eff distinct
    golds; `{r}.policy` the same where the relation is a difference of contract; `violated` k of n relations, policies
    left out.
    Tables: `relations` (with the smallest example that breaks each, its text only where it is this project's own or
    was asked for), `defects`.
    """
    found = contract(audit)
    if (refused := found.refusal("a relation")) is not None:
        return refused
    for name in ("gold", "variants", "near-misses", "other-shapes"):
        if name in audit.corpora:
            audit.corpus(name)
    rows = [*corpora.derived(audit), *corpora.derived_elsewhere(audit), *corpora.derive_policy(audit)]
    verdicts = _judge(audit, found, rows)
    counted = [one for one in verdicts if not one.relation.policy]
    if not counted:
        return Declined(
            "not_applicable",
            f"no relation is written for the format {found.format.name}",
            "add one under lens/graders/relations",
        )
    broken = sum(bool(one.violated) for one in counted)
    fields: dict[str, Quantity | Label | Declined] = {
        "violated": Quantity(broken, unit="relations", kind="count", of=len(counted))
    }
    for one in verdicts:
        fields[f"{one.relation.name}.{'policy' if one.relation.policy else 'violations'}"] = one.count
    golds = len({row.row.cluster for row in rows})
    scope = f"{len(counted)} relations over {golds} golds, answers as {found.rendering.words}"
    return Result(
        Measured(fields, "violated", scope),
        {"relations": _table(audit, verdicts), "defects": table(_findings(verdicts))},
    )


def _judge(audit: Audit, found: Contract, rows: Sequence[Derived]) -> list[Verdict]:
    outcomes = evaluate(audit, [row for one in rows for row in (one.base, one.row)])
    applicable: dict[str, list[Derived]] = {}
    broken: dict[str, list[Derived]] = {}
    for place, one in enumerate(rows):
        base, got = outcomes[2 * place], outcomes[2 * place + 1]
        if not (base.answered and got.answered):
            continue
        if one.relation.direction == "must-change" and not found.accepts(base):
            continue  # the right answer isn't paid there, so nothing can pass for it
        applicable.setdefault(one.relation.name, []).append(one)
        if breaks(found, one.relation, base, got):
            broken.setdefault(one.relation.name, []).append(one)
    examples = smallest(audit, found, broken)
    return [
        Verdict(group[0].relation, tuple(group), tuple(broken.get(name, ())), *examples.get(name, (None, "")))
        for name, group in sorted(applicable.items())
    ]


def _findings(verdicts: Sequence[Verdict]) -> list[Finding]:
    return [
        Finding(
            one.relation.defect,
            "relation",
            one.relation.name,
            len(one.violated),
            len(one.applicable),
            one.relation.policy,
        )
        for one in verdicts
    ]


def _table(audit: Audit, verdicts: Sequence[Verdict]) -> Columns:
    shown = [one.example is not None and (one.example.item.own or audit.disclose) for one in verdicts]
    return {
        "relation": [one.relation.name for one in verdicts],
        "title": [one.relation.title for one in verdicts],
        "direction": [one.relation.direction for one in verdicts],
        "defect": [one.relation.defect for one in verdicts],
        "policy": [one.relation.policy for one in verdicts],
        "applicable": [len(one.applicable) for one in verdicts],
        "golds": [one.golds for one in verdicts],
        "violations": [len(one.violated) for one in verdicts],
        "row": [one.example.row.number if one.example else -1 for one in verdicts],
        "digest": [one.example.row.digest if one.example else "" for one in verdicts],
        "response": [_text(one.example, "response") if show else "" for one, show in zip(verdicts, shown, strict=True)],
        "gold": [_text(one.example, "gold") if show else "" for one, show in zip(verdicts, shown, strict=True)],
        "earned": [one.earned for one in verdicts],
    }


def _text(example: Derived | None, part: str) -> str:
    value = getattr(example.row, part) if example else ""
    return value if isinstance(value, str) else repr(value)
