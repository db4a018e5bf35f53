"""Counterfactual reward: the same rollouts under a reward with one leaf changed, and whom it would have pushed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.price import needing
from lens.runs.review import Review
from lens.runs.selection.differences import SIGNS
from lens.runs.selection.flips import COUNTS, Counted, counted
from lens.runs.selection.rules import Rule

if TYPE_CHECKING:
    from lens.runs.selection.composition import Composition
    from lens.runs.selection.edits import Edit


@instrument(
    "counterfactual",
    subjects="runs",
    title="Counterfactual reward",
    quantity="rollouts whose advantage would have the other sign, had one leaf of the reward been changed",
    unit="rollouts",
    needs="record.record",
    cost="one pass over the rollouts for four edits",
    version=3,
    order=50,
    declines="where no rule replays the advantages, and an edit on which the rules that do would differ",
    source="the accepted rule applied to the edited total; no grader is asked again",
    price=needing("rollouts", "advantage"),
)
def counterfactual(review: Review) -> Result | Declined:
    """For each edit: `{edit}.flips` k of n scored rollouts with the other sign (beyond τ = 1e-6; `.flips.tenth` and
    `.flips.tenfold` at a tenth and ten times τ), `.to-zero`, `.from-zero`, `.moved` by more than one sd of the step's
    recorded advantages, `.degenerate` k of n groups in which nothing differs any more. Their control is
    `identity.flips` (`.tenth`, `.tenfold`): the reward as it was, replayed, against the recorded advantages.
    Without --edit each leaf is dropped, or, where there is one alone, held below and gated at its median; a trusted
    grader's `gold`, where recorded, stands in too. Table `steps`: edit, step, rows, flips."""
    from lens.runs.selection.composition import composition
    from lens.runs.selection.edits import checked
    from lens.runs.selection.replay import accepted, replay

    rules = accepted(review)
    if isinstance(rules, Declined):
        return rules
    composed = composition(review)
    assert not isinstance(composed, Declined)
    edits = checked(review.edits or usual(review, composed), composed, review.run)
    possible = [edit for edit in edits if not (edit.whole and any(rule.family == "sum" for rule in rules))]
    checked_by = replay(review)
    assert not isinstance(checked_by, Declined)
    kept = extremes(rules)
    found = [counted(review, rule, composed, possible, checked_by.spreads) for rule in kept]
    fields: dict[str, Quantity | Label | Declined] = {}
    for edit in edits:
        fields |= _edited(review, edit, found) if edit in possible else _placeless(edit)
    (control,) = (one for one in checked_by.tried if one.rule == kept[0])
    for (name, tau), count in zip(SIGNS.items(), control.flips, strict=True):
        note = f"replayed against recorded, tolerance {tau:g}"
        fields[f"identity.{name}"] = Quantity(count, "rollouts", "count", of=review.run.rows, note=note)
    first = next((name for name, one in fields.items() if isinstance(one, Quantity)), "identity.flips")
    scope = f"Rollouts of {review.run.name} as they were sampled: under another reward later ones would differ too."
    return Result(Measured(fields, first, scope), {"steps": _table(found[0])})


def usual(review: Review, composed: Composition) -> tuple[str, ...]:
    """Edits nobody asked for: every leaf dropped; of one leaf alone, its median as a ceiling and as a gate."""
    names = list(composed.leaves)
    gold = ("swap:gold",) if "gold" in review.run.columns and not review.run.header.absent.get("gold") else ()
    if len(names) > 1:
        return (*gold, *(f"drop:{name}" for name in names))
    (median,) = review.run.sql(f"SELECT quantile_disc({composed.reward}, 0.5) FROM rollouts")[0]
    rounded = float(f"{median or 0.0:.4g}")  # it names the edit, and a median has no more to say than that
    return (*gold, f"clamp:{names[0]}=..{rounded!r}", f"gate:{names[0]}>={rounded!r}")


def extremes(rules: tuple[Rule, ...]) -> list[Rule]:
    """Of rules that differ in eps alone, the smallest and the largest: the others lie between."""
    kinds: dict[tuple[Any, ...], list[Rule]] = {}
    for rule in rules:
        kinds.setdefault((rule.family, rule.ddof if rule.scaled else 0, rule.imputed, rule.alone), []).append(rule)
    found = []
    for some in kinds.values():
        ordered = sorted(some, key=lambda rule: rule.epsilon)
        found += list(dict.fromkeys((ordered[0], ordered[-1])))
    return found


def _placeless(edit: Edit) -> dict[str, Quantity | Label | Declined]:
    return {
        f"{edit.name}.flips": Declined(
            "assumption_violated",
            "this run's rule sums leaves after each is normalised, so one without those leaves has no place in it",
            "lens measure run SUBJECT --edit drop:LEAF",
        )
    }


def _edited(review: Review, edit: Edit, found: list[Counted]) -> dict[str, Quantity | Label | Declined]:
    """The fields of one edit by the first rule; declined where another rule that fits would differ."""
    from lens.runs.sums import ratio

    own = found[0]
    fields: dict[str, Quantity | Label | Declined] = {}
    for at, name in enumerate(COUNTS):
        whole, unit = (own.groups, "groups") if name == "degenerate" else (own.rows, "rollouts")
        parts = list(zip((one[at] for one in own.edits[edit.text]), whole, strict=True))
        totals = sorted({sum(one[at] for one in other.edits[edit.text]) for other in found})
        within = sum(whole)
        if len(totals) > 1:
            fields[f"{edit.name}.{name}"] = Declined(
                "assumption_violated",
                f"the {len(found)} rules that fit the record differ here: {totals[0]} to {totals[-1]} {unit}",
                "give the trainer's configuration with --config",
                bound=Quantity(totals[-1], unit, "count", of=within),
            )
            continue
        interval = ratio(parts, seed=review.seed, draws=review.draws).interval
        control = f"identity.{name}" if name in SIGNS else "identity.flips"
        fields[f"{edit.name}.{name}"] = Quantity(
            totals[0], unit, "count", of=within, interval=interval, control=control
        )
    return fields


def _table(found: Counted) -> Columns:
    table: Columns = {name: [] for name in ("edit", "step", "rows", "flips")}
    for edit, counts in found.edits.items():
        for step, rows, one in zip(found.steps, found.rows, counts, strict=True):
            for name, value in zip(table, (edit, step, rows, one[0]), strict=True):
                table[name].append(value)
    return table
