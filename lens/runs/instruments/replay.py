"""Replay: which rules turn the recorded scores into the recorded advantages."""

from __future__ import annotations

from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.price import needing
from lens.runs.review import Review


@instrument(
    "replay",
    subjects="runs",
    title="Replay",
    quantity="the rules that reproduce the recorded advantages from the recorded scores, and how closely",
    unit="advantage",
    needs="record.record",
    cost="one pass over the rollouts for the rules that fit a sample of them",
    version=2,
    order=20,
    declines="without advantages or scores, and where either holds what is no number",
    source="Shao et al. 2024 (GRPO), Liu et al. 2025 (Dr.GRPO), Ahmadian et al. 2024 (RLOO), Hu 2025 (REINFORCE++)",
    price=needing("rollouts", "advantage"),
)
def replay(review: Review) -> Result | Declined:
    """`accepted` k of n rules; `rule` the set; `residual` the largest difference under the best of them;
    `nearest.residual` of the best that doesn't fit, its control; `compared` k of n rollouts; `round-off` rollouts whose
    group has one score and whose advantage is not 0; `abstained`; `largest` |A|. Table `rules`: of a long record, rules
    that a sample rules out were tried on no more, and `compared` says on how many rollouts."""
    from lens.runs.selection.replay import replay as replayed

    found = replayed(review)
    if isinstance(found, Declined):
        return found
    rows = review.run.rows
    best, nearest = found.tried[0], found.nearest
    fields: dict[str, Quantity | Label | Declined] = {
        "accepted": Quantity(len(found.accepted), "rules", "count", of=len(found.tried)),
        "rule": Label(_set(found.accepted) if found.accepted else f"none; nearest is {best.rule}"),
        "residual": Quantity(best.residual, "advantage", "difference", n=found.compared, control="nearest.residual"),
        "nearest.residual": Quantity(nearest.residual, "advantage", "difference", n=nearest.compared)
        if nearest
        else Declined("no_control", "every rule fits: the scores never differ", "record a run in which scores differ"),
        "nearest.rule": Label(str(nearest.rule) if nearest else "none"),
        "compared": Quantity(found.compared, "rollouts", "count", of=rows),
        "round-off": Quantity(found.roundoff, "rollouts", "count", of=rows),
        "abstained": Quantity(found.abstained, "rollouts", "count", of=rows),
        "largest": Quantity(found.largest, "advantage", "score", n=rows),
        "weights": Label(", ".join(f"{name} {weight:g}" for name, weight in found.composed.weights.items()) or "none"),
        "weights-from": Label(found.composed.how),
    }
    table: Columns = {
        "rule": [str(one.rule) for one in found.tried],
        "family": [one.rule.family for one in found.tried],
        "ddof": [one.rule.ddof for one in found.tried],
        "epsilon": [one.rule.epsilon for one in found.tried],
        "residual": [one.residual for one in found.tried],
        "beyond": [one.beyond for one in found.tried],
        "compared": [one.compared for one in found.tried],
        "accepted": [one.accepted for one in found.tried],
    }
    scope = (
        f"{rows} rollouts of {review.run.name}; rules that differ by less than its writer's precision can't be told."
    )
    return Result(Measured(fields, "residual", scope), {"rules": table})


def _set(rules: tuple[object, ...]) -> str:
    """The accepted rules, those that differ in eps alone in one line."""
    told: dict[str, list[str]] = {}
    for rule in map(str, rules):
        before, eps, after = rule.partition("eps ")
        value, comma, rest = after.partition(",")
        told.setdefault(f"{before}{eps}{{}}{comma}{rest}", []).append(value)
    return "; ".join(text.format(" or ".join(values)) for text, values in told.items())
