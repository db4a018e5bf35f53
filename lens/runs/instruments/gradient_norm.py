"""Gradient norm: what the trainer logged is taken before clipping; what was applied follows from the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.price import needing
from lens.runs.review import Review, lacking
from lens.runs.series.medians import median

if TYPE_CHECKING:
    from lens.runs.gradients.logged import Step
    from lens.runs.record import Record

Fields = dict[str, Quantity | Label | Declined]


@instrument(
    "gradient-norm",
    subjects="runs",
    title="Gradient norm",
    quantity="norm of the gradient before clipping, what clipping left of it, and the steps without signal",
    unit="gradient norm",
    needs="record.record",
    cost="one pass over the rollouts",
    version=1,
    order=70,
    declines="`applied` where the threshold isn't known; `no-signal` where nothing tells the groups' spread",
    source="torch.nn.utils.clip_grad_norm_ returns the norm before it clips; transformers.Trainer logs that",
    price=needing("series"),
)
def gradient_norm(review: Review) -> Result | Declined:
    """`pre-clip.min`, `.median`, `.max` over steps; `threshold`; `applied.median` and `.max` after clipping at it,
    `clip-factor.min`, `clipped` k of n steps; `taken` says how the record shows that the norm is from before clipping.
    `no-signal` k of n steps on which every group has one reward, the loss has no other term, and the norm is 0;
    `zero-with-signal` k of n steps whose norm is 0 though some group differs; `not-finite` k of n logged.
    `logged` k of n steps of the record. Table `steps` (step, pre-clip, applied, factor, state)."""
    from lens.runs.gradients.logged import NORMS, logged

    record = review.record()
    lacks = lacking(record, "series")
    if lacks is not None:
        return lacks
    steps = logged(review)
    finite = [one for one in steps if _finite(one.norm)]
    if not finite:
        return _none(record, len(steps), NORMS)
    fields = _pre_clip(review, finite)
    fields |= _applied(review, record, finite)
    fields |= _signal(record, finite)
    fields["not-finite"] = Quantity(len(steps) - len(finite), "steps", "count", of=len(steps))
    fields["logged"] = _covered(record, steps)
    scope = (
        f"Norms that {record.header.trainer or 'the trainer'} logged on {len(steps)} steps, over all parameters "
        "together, before clipping; what an optimizer makes of them is no part of it."
    )
    return Result(Measured(fields, "pre-clip.median", scope), {"steps": _table(record, steps)})


def _finite(value: float) -> bool:
    from math import isfinite

    return isfinite(value)


def _none(record: Record, broken: int, names: tuple[str, ...]) -> Declined:
    if broken:
        return Declined(
            "assumption_violated",
            f"all {broken} logged gradient norms are NaN or infinite",
            "find the first step whose loss isn't finite; nothing after it trained",
        )
    gap = record.header.gaps.get("grad_norm")
    return Declined(
        "record_incomplete",
        gap.detail if gap else "no gradient norm was logged",
        gap.remedy if gap else "log one a step: transformers' trainer does with logging_steps=1",
        needs=" or ".join(names),
    )


def _pre_clip(review: Review, steps: list[Step]) -> Fields:
    norms = [one.norm for one in steps]
    return _ends("pre-clip", norms) | {"pre-clip.median": median(review, norms, "gradient norm", "score")}


def _ends(name: str, values: list[float]) -> Fields:
    ends = (("min", min), ("max", max))
    return {f"{name}.{which}": Quantity(end(values), "gradient norm", "score", n=len(values)) for which, end in ends}


def _applied(review: Review, record: Record, steps: list[Step]) -> Fields:
    threshold = record.header.settings.max_grad_norm
    if threshold is None:
        unknown = Declined(
            "record_incomplete",
            "the record doesn't say at what norm gradients were clipped, so what was applied isn't known",
            "give the trainer's configuration with --config",
            needs="max_grad_norm",
        )
        return {"applied.median": unknown, "clipped": unknown, "taken": Label("before clipping, by its definition")}
    applied = [one.applied(threshold) for one in steps]
    over = sum(one.norm > threshold > 0 for one in steps)
    proof = f"before clipping: {over} logged norms are over the threshold" if over else "before clipping, by definition"
    fields = _ends("applied", applied)
    fields |= {
        "threshold": Quantity(threshold, "gradient norm", "score", note="" if threshold > 0 else "0 clips nothing"),
        "applied.median": median(review, applied, "gradient norm", "score", control="pre-clip.median"),
        "clip-factor.min": Quantity(
            min(one.factor(threshold) for one in steps), "of the gradient", "proportion", n=len(steps)
        ),
        "clipped": Quantity(over, "steps", "count", of=len(steps)),
        "taken": Label(proof),
    }
    return fields


def _signal(record: Record, steps: list[Step]) -> Fields:
    known = [one for one in steps if one.dead is not None]
    if not known:
        return {
            "no-signal": Declined(
                "record_incomplete",
                "neither rewards, nor advantages, nor the share of groups without spread were recorded, "
                "so a norm of 0 can't be told from a broken one",
                "record each rollout's reward and group",
                needs="reward",
            )
        }
    states = [state(one, record) for one in known]
    counted = {
        "no-signal": "every group has one reward and the loss has no other term",
        "other-terms-alone": "every group has one reward: the gradient is of the KL or entropy term",
        "zero-with-signal": "the norm is 0 though a group's rewards differ: nothing was learned from them",
        "round-off": "every group has one reward and the loss no other term, yet the norm isn't 0",
        "undecided": "every group has one reward, and the record doesn't say whether the loss has another term",
    }
    return {
        name: Quantity(states.count(name), "steps", "count", of=len(known), note=note)
        for name, note in counted.items()
        if name in states or name in ("no-signal", "zero-with-signal")
    }


def state(step: Step, record: Record) -> str:
    """What a step's norm is the norm of."""
    settings = record.header.settings
    if step.dead is None:
        return ""
    if not step.dead:
        return "zero-with-signal" if step.norm == 0 else "signal"
    if settings.beta or settings.entropy:
        return "other-terms-alone"
    if step.norm == 0:
        return "no-signal"
    return "undecided" if settings.beta is None else "round-off"


def _covered(record: Record, steps: list[Step]) -> Quantity | Declined:
    held = record.counts["steps"]
    if not held:
        return Declined(
            "record_incomplete", "the record holds no rollouts, so nothing says which steps there were", "record them"
        )
    (named,) = zip(*record.sql("SELECT DISTINCT step FROM rollouts"), strict=True)
    return Quantity(len({one.step for one in steps} & set(named)), "steps", "count", of=held)


def _table(record: Record, steps: list[Step]) -> Columns:
    threshold = record.header.settings.max_grad_norm
    known = threshold is not None
    return {
        "step": [one.step for one in steps],
        "pre-clip": [one.norm if _finite(one.norm) else None for one in steps],
        "applied": [one.applied(threshold or 0) if known and _finite(one.norm) else None for one in steps],
        "factor": [one.factor(threshold or 0) if known and _finite(one.norm) else None for one in steps],
        "state": [state(one, record) if _finite(one.norm) else "not-finite" for one in steps],
    }
