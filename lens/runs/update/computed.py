"""The update partition of steps whose policy is at hand, held against the run's own numbers."""

from __future__ import annotations

from typing import Any

from lens.reading import Declined, Label, Quantity
from lens.runs.gradients.steps import Computed, computed, recipe
from lens.runs.review import Review, lacking
from lens.runs.update.edits import Plan, of_rows
from lens.runs.update.steps import Advantages, parted

Fields = dict[str, Quantity | Label | Declined]


def steps_of(review: Review, plan: Plan | None, **told: Any) -> tuple[list[dict[str, Any]], Fields] | Declined:
    """The steps whose policy is in the folder given, parted, and how they agree with what the run recorded."""
    record = review.record()
    how: Any = lacking(record, "rollouts", "advantage", "texts")
    if how is None:
        how = recipe(record, review.reference)
    if isinstance(how, Declined):
        return how
    review.note_policies()
    found = [one.confirmed(told["known"]) for one in computed(review, how)]
    if not found:
        return Declined(
            "record_incomplete",
            "no policy in the folder sampled a step that the record holds",
            "name a folder of checkpoint-N folders: checkpoint-N sampled the rollouts of the step after N updates",
            has=f"steps {record.counts.get('first')} to {record.counts.get('last')}",
        )
    others = _edited(review, plan, [one.given.row for one in found])
    steps = [(one.given, one.groups, changed) for one, changed in zip(found, others, strict=True)]
    return list(parted(steps, **told)), _held_against(found)


def _edited(review: Review, plan: Plan | None, rows: list[list[int]]) -> list[Advantages]:
    """By step, the advantages under each edit, put together from the ranges its rows lie in."""
    if plan is None:
        return [{} for _ in rows]
    ranges = review.over_steps(of_rows, plan=plan, rows=rows)
    return [
        {
            name: [
                next((one for one in each if one is not None), None)
                for each in zip(*(p[name] for p in parts), strict=True)
            ]
            for name in parts[0]
        }
        for parts in zip(*ranges, strict=True)
    ]


def _held_against(found: list[Computed]) -> Fields:
    """How the computed gradients agree with what the run recorded of its own."""
    fields: Fields = {"way": Label(", ".join(sorted({one.way for one in found if one.way})))}
    away = [one.parity for one in found if one.parity is not None]
    logged = [one.logged for one in found if one.logged is not None]
    fields["parity"] = (
        Quantity(max(away), "nats a token", "difference", n=len(away), note="the largest step; from recorded logp_old")
        if away
        else Declined(
            "no_control",
            "no log-probabilities were recorded, so nothing shows that the texts are the tokens that were sampled",
            "record with the tap, log-probabilities on",
            needs="logp_old",
        )
    )
    fields["logged-norm.error"] = (
        Quantity(max(logged), "of the norm", "ratio", n=len(logged), note="the largest step; from the trainer's norm")
        if logged
        else Declined("no_control", "the trainer logged no gradient norm on these steps", "log grad_norm every step")
    )
    return fields
