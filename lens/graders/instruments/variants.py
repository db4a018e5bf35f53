"""False accept and false reject on derived answers, one relation at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.graders import price
from lens.graders.contract import Contract, contract, evaluate
from lens.graders.corpus import Row
from lens.graders.defects import Finding, table
from lens.graders.outcome import Outcome
from lens.graders.relations import relations
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Reading, Result
from lens.stats.intervals import share

if TYPE_CHECKING:
    from lens.graders.audit import Audit

_PLAIN = {
    "identity": ("the gold itself", "gold-refused"),
    "crossed": ("the answer to another question", "wrong-answer-paid"),
}


@dataclass(frozen=True)
class Rate:
    """One relation: golds it applies to, and those with a row that the grader got wrong."""

    name: str
    title: str
    defect: str
    label: bool
    golds: int
    wrong: int
    raised: int
    abstained: int

    @property
    def field(self) -> str:
        return f"{'reject' if self.label else 'accept'}.{self.name}"

    @property
    def quantity(self) -> Quantity:
        return share(self.wrong, self.golds, "golds", note=self.title)


@instrument(
    "variants",
    subjects="graders",
    title="False accept and reject, variants",
    quantity="right answers refused and wrong ones paid, by the relation that made them",
    unit="golds",
    needs="grader.query gold.record",
    cost="rows of gold, crossed, variants and near misses",
    version=1,
    order=70,
    declines="where the oracle earns nothing in any known shape",
    source="labels by construction; Wilson interval over distinct golds; never pooled over relations",
    price=price.rows("gold", "crossed", "variants", "near-misses"),
)
def variants(audit: Audit) -> Reading | Result:
    """Compare every derived row's pay with its label; a call that timed out is neither pay nor refusal.

    `reject.{r}` golds of n with a right answer refused, `accept.{r}` golds of n with a wrong answer paid, for
    relation r (and `identity`, `crossed`); `worst-reject` and `worst-accept` repeat the largest of each, the
    relation named beside. Tables: `relations`, `defects`.
    """
    found = contract(audit)
    if (refused := found.refusal("a rate")) is not None:
        return refused
    names = [name for name in ("gold", "crossed", "variants", "near-misses") if name in audit.corpora]
    rows = [row for name in names for row in audit.corpus(name).rows if row.label is not None]
    rates = _rates(found, [(row, one) for row, one in zip(rows, evaluate(audit, rows), strict=True) if one.answered])
    fields: dict[str, Quantity | Label | Declined] = {}
    for label, name in ((True, "worst-reject"), (False, "worst-accept")):
        fields |= _worst(name, [one for one in rates if one.label is label])
    fields |= {one.field: one.quantity for one in rates}
    golds = len({row.cluster for row in rows})
    scope = f"{len(rates)} relations, {golds} distinct golds, answers as {found.rendering.words}"
    return Result(
        Measured(fields, "worst-reject", scope), {"relations": _table(rates), "defects": table(_findings(rates))}
    )


def _rates(found: Contract, judged: Sequence[tuple[Row, Outcome]]) -> list[Rate]:
    groups: dict[tuple[str, bool], list[tuple[Row, Outcome]]] = {}
    for row, outcome in judged:
        groups.setdefault((row.relation, bool(row.label)), []).append((row, outcome))
    rates = []
    for (name, label), group in sorted(groups.items()):
        title, defect = _PLAIN[name] if name in _PLAIN else (relations()[name].title, relations()[name].defect)
        wrong = [(row, outcome) for row, outcome in group if found.accepts(outcome) is not label]
        rates.append(
            Rate(
                name,
                title,
                defect,
                label,
                len({row.cluster for row, _ in group}),
                len({row.cluster for row, _ in wrong}),
                sum(outcome.status != "value" for _, outcome in wrong),
                sum(outcome.status == "value" and outcome.score is None for _, outcome in wrong),
            )
        )
    return rates


def _worst(name: str, rates: Sequence[Rate]) -> dict[str, Quantity | Label | Declined]:
    if not rates:
        return {
            name: Declined(
                "not_applicable",
                "no relation makes such a row for this answer format",
                "add one under lens/graders/relations",
            )
        }
    worst = max(rates, key=lambda one: (one.wrong / one.golds, one.golds))
    return {name: worst.quantity, f"{name}.relation": Label(worst.name, note=worst.title)}


def _findings(rates: Sequence[Rate]) -> list[Finding]:
    return [Finding(one.defect, "relation", one.name, one.wrong, one.golds) for one in rates]


def _table(rates: Sequence[Rate]) -> Columns:
    return {
        "relation": [one.name for one in rates],
        "title": [one.title for one in rates],
        "defect": [one.defect for one in rates],
        "label": [one.label for one in rates],
        "golds": [one.golds for one in rates],
        "wrong": [one.wrong for one in rates],
        "raised": [one.raised for one in rates],
        "abstained": [one.abstained for one in rates],
    }
