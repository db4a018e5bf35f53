"""Counterfactual reward: the same rollouts under a reward with one leaf changed, and whom it would have pushed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.price import pass_over
from lens.runs.record import Range
from lens.runs.review import Review
from lens.runs.rules import Rule

if TYPE_CHECKING:
    import duckdb

    from lens.runs.composition import Composition
    from lens.runs.edits import Edit

TAU = 1e-6
COUNTS = ("rows", "flips", "flips.tenth", "flips.tenfold", "to-zero", "from-zero", "moved", "groups", "degenerate")


@instrument(
    "counterfactual",
    subjects="runs",
    title="Counterfactual reward",
    quantity="rollouts whose advantage would have the other sign, had one leaf of the reward been changed",
    unit="rollouts",
    needs="record.record",
    cost="one pass over the rollouts for each edit",
    version=1,
    order=50,
    declines="where no rule replays the advantages, and an edit on which the rules that do would differ",
    source="the accepted rule applied to the edited total; no grader is asked again",
    price=pass_over,
)
def counterfactual(review: Review) -> Result | Declined:
    """For each edit: `{edit}.flips` k of n scored rollouts with the other sign (beyond τ = 1e-6; `.flips.tenth` and
    `.flips.tenfold` at a tenth and ten times τ), `.to-zero`, `.from-zero`, `.moved` by more than one sd of the step's
    recorded advantages, `.degenerate` k of n groups in which nothing differs any more. `identity.flips` is the control:
    the reward as it was. Without --edit each leaf is dropped, or, where there is one alone, held below and gated at its
    median, and a trusted grader's `gold`, where recorded, stands in. Table `steps`: edit, step, rows, flips."""
    from lens.runs.composition import composition
    from lens.runs.edits import checked
    from lens.runs.replay import accepted

    rules = accepted(review)
    if isinstance(rules, Declined):
        return rules
    composed = composition(review)
    assert not isinstance(composed, Declined)
    edits = checked(review.edits or usual(review, composed), composed, review.run.columns)
    fields: dict[str, Quantity | Label | Declined] = {}
    table: Columns = {name: [] for name in ("edit", "step", "rows", "flips")}
    kept = extremes(rules)
    identity = review.over_steps(_compare, rule=plain(kept[0]), leaves=composed.leaves, edited=None)
    for edit in edits:
        fields |= _edited(review, edit, composed, kept, table)
    first = next(iter(fields))
    same = [one for some in identity for one in some]
    rows = sum(one[COUNTS.index("rows")] for _, one in same)
    changed = sum(one[COUNTS.index("flips.tenth")] for _, one in same)
    fields["identity.flips"] = Quantity(changed, "rollouts", "count", of=rows, note="the reward as it was")
    scope = f"Rollouts of {review.run.name} as they were sampled: under another reward later ones would differ too."
    return Result(Measured(fields, first, scope), {"steps": table})


def usual(review: Review, composed: Composition) -> tuple[str, ...]:
    """Edits nobody asked for: every leaf dropped; of one leaf alone, its median as a ceiling and as a gate."""
    names = list(composed.leaves)
    gold = ("swap:gold",) if "gold" in review.run.columns and not review.run.header.absent.get("gold") else ()
    if len(names) > 1:
        return (*gold, *(f"drop:{name}" for name in names))
    (median,) = review.run.sql(f"SELECT quantile_disc({composed.reward}, 0.5) FROM rollouts")[0]
    return (*gold, f"clamp:{names[0]}=..{median!r}", f"gate:{names[0]}>={median!r}")


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


def plain(rule: Rule) -> list[Any]:
    return [rule.family, rule.ddof, rule.epsilon, rule.imputed, rule.alone]


def _edited(
    review: Review, edit: Edit, composed: Composition, rules: list[Rule], table: Columns
) -> dict[str, Quantity | Label | Declined]:
    """The fields of one edit; declined where the rules that fit would differ, or can't be applied to it."""
    if edit.kind in ("gate", "swap") and any(rule.family == "sum" for rule in rules):
        return {
            f"{edit.name}.flips": Declined(
                "assumption_violated",
                "this run's rule sums leaves after each is normalised, so one without those leaves has no place in it",
                "lens measure run SUBJECT --edit drop:LEAF",
            )
        }
    told: list[dict[str, int]] = []
    for number, rule in enumerate(rules):
        parts = review.over_steps(
            _compare, rule=plain(rule), leaves=composed.leaves, edited=list(edit.scored(composed))
        )
        steps = [one for some in parts for one in some]
        told.append({name: sum(counts[at] for _, counts in steps) for at, name in enumerate(COUNTS)})
        if number == 0:
            found = _quantities(review, edit, told[0], steps)
            for step, counts in steps:
                for name, value in zip(table, (edit.text, step, counts[0], counts[1]), strict=True):
                    table[name].append(value)
    for name in ("flips", "flips.tenth", "flips.tenfold", "to-zero", "from-zero", "moved"):
        values = sorted({one[name] for one in told})
        if len(values) > 1:
            found[f"{edit.name}.{name}"] = Declined(
                "assumption_violated",
                f"the {len(rules)} rules that fit the record differ here: {values[0]} to {values[-1]} rollouts",
                "give the trainer's configuration with --config",
                bound=Quantity(values[-1], "rollouts", "count", of=told[0]["rows"]),
            )
    return found


def _quantities(
    review: Review, edit: Edit, counts: dict[str, int], steps: list[tuple[int, list[int]]]
) -> dict[str, Quantity | Label | Declined]:
    from lens.runs.sums import ratio

    found: dict[str, Quantity | Label | Declined] = {}
    for at, name in enumerate(COUNTS):
        if name in ("rows", "groups"):
            continue
        of = "groups" if name == "degenerate" else "rows"
        parts = [(one[at], one[COUNTS.index(of)]) for _, one in steps]
        interval = ratio(parts, seed=review.seed, draws=review.draws).interval
        unit = "groups" if of == "groups" else "rollouts"
        found[f"{edit.name}.{name}"] = Quantity(
            counts[name], unit, "count", of=counts[of], interval=interval, control="identity.flips"
        )
    return found


def _compare(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    rule: list[Any],
    leaves: dict[str, tuple[str, float]],
    edited: list[Any] | None,
) -> list[tuple[int, list[int]]]:
    """By step: `COUNTS` of the rollouts that have a score, advantages before and after by the same rule."""
    from lens.runs.composition import total
    from lens.runs.rules import Scored, frame

    by = Rule(*rule)
    before = Scored(total(leaves), leaves)
    after = Scored(before.reward, leaves, "_e") if edited is None else Scored(edited[0], edited[1], edited[2])
    joined = frame([by], [before, after], extra="advantage AS recorded")
    both = f"SELECT step, g, r, low, high, low_e, high_e, recorded, {by.advantage()} AS a, {by.advantage('_e')} AS b "
    both += f"FROM ({joined})"
    told = ["count(*) FILTER (r IS NOT NULL)"]
    for factor in (1.0, 0.1, 10.0):
        tau = TAU * factor
        told.append(f"count(*) FILTER ((a > {tau!r} AND b < -{tau!r}) OR (a < -{tau!r} AND b > {tau!r}))")
    told.append(f"count(*) FILTER (abs(a) > {TAU!r} AND abs(b) <= {TAU!r})")
    told.append(f"count(*) FILTER (abs(a) <= {TAU!r} AND abs(b) > {TAU!r} AND r IS NOT NULL)")
    told.append("count(*) FILTER (abs(b - a) > spread AND spread > 0)")
    told.append("count(DISTINCT g) FILTER (high > low)")
    told.append("count(DISTINCT g) FILTER (high > low AND (high_e = low_e OR high_e IS NULL))")
    spread = "SELECT step, stddev_pop(advantage) AS spread FROM rollouts GROUP BY step"
    found = database.execute(
        f"SELECT step, {', '.join(told)} FROM ({both}) JOIN ({spread}) USING (step) GROUP BY step ORDER BY step"
    )
    return [(int(step), [int(one) for one in counts]) for step, *counts in found.fetchall()]
