"""What an update's effect is made of, in nine terms: each computed, exactly zero with a reason, or absent.

The effect is M, the mean over a step's rollouts of advantage x change of log-probability: how much likelier the update
made what was rewarded. A plain gradient step would give `predicted`; gradient clipping, the KL and entropy terms,
momentum (what the optimizer makes of the gradient), curvature, staleness and rollouts missing from the batch change it;
sampling blurs it; a basis of features would lose some of it, and none is used here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from lens.reading import Columns, Declined, Label, Quantity
from lens.runs.record import Record
from lens.runs.settings import Settings

TERMS = ("staleness", "kl", "entropy", "momentum", "batch", "curvature", "clip", "sampling", "basis")
State = Literal["computed", "zero", "absent"]
UNIT = "advantage-weighted nats a response"


class Term(NamedTuple):
    """`why` a term is zero or absent, or how it was computed; `remedy` for an absent one."""

    name: str
    state: State
    value: float | None
    why: str
    remedy: str = ""

    def field(self) -> Quantity | Declined:
        if self.state == "absent" or self.value is None:
            return Declined("record_incomplete", self.why, self.remedy)
        note = f"exactly zero: {self.why}" if self.state == "zero" else self.why
        return Quantity(self.value, UNIT, "difference", note=note)


class Parts(NamedTuple):
    """Means over rollouts of advantage x l, for the changes l of `response_model`; None where they weren't had."""

    measured: float
    first: float
    curved: float
    plain: float | None
    clipped: float | None
    kl: float | None
    error: float | None  # standard error of `measured` over prompts


def _zero(name: str, why: str) -> Term:
    return Term(name, "zero", 0.0, why)


def _absent(name: str, why: str, remedy: str) -> Term:
    return Term(name, "absent", None, why, remedy)


def terms(
    record: Record, parts: Parts | None, *, whole: bool | None, on_policy: bool | None, stale: float | None = None
) -> list[Term]:
    """The nine terms in order. `parts` of one update, None where only the record is at hand; `whole`, whether every
    rollout of the step was scored; `on_policy`, whether log-probabilities show that the policy sampled them; `stale`,
    the effect that the trained policy had already had on its rollouts, where the record says."""
    settings = record.header.settings
    made = {
        "staleness": _staleness(settings, on_policy, stale),
        "kl": _kl(settings, parts),
        "entropy": _entropy(settings),
        "momentum": _momentum(record, parts),
        "batch": _batch(whole),
        "curvature": _curvature(parts),
        "clip": _clip(settings, parts),
        "sampling": _sampling(parts),
        "basis": _zero("basis", "the effect is read on the rollouts themselves, on no basis of features"),
    }
    return [made[name] for name in TERMS]


def _staleness(settings: Settings, on_policy: bool | None, stale: float | None) -> Term:
    if stale is not None:
        return Term("staleness", "computed", stale, "recorded: log-probability when trained less when sampled")
    if on_policy:
        return _zero("staleness", "the recorded log-probabilities are the policy's own")
    if settings.iterations == 1 and settings.generations == 1:
        return _zero("staleness", "each generation feeds one update, on the policy that sampled it")
    return _absent(
        "staleness",
        "rollouts may be of an older policy, and nothing recorded says how far it was",
        "record sampled_at, and log-probabilities under both policies (logp, logp_old)",
    )


def _kl(settings: Settings, parts: Parts | None) -> Term:
    if settings.beta == 0:
        return _zero("kl", "beta is 0")
    if parts is not None and parts.kl is not None:
        return Term("kl", "computed", parts.kl, "first order, of the KL term's own gradient")
    if settings.beta is None:
        return _absent("kl", "the record doesn't say whether there was a KL term", "--config FILE")
    return _absent("kl", f"beta is {settings.beta} and the reference wasn't given", "--model FOLDER --reference FOLDER")


def _entropy(settings: Settings) -> Term:
    if settings.entropy == 0:
        return _zero("entropy", "the entropy coefficient is 0")
    told = "the record doesn't say whether there was an entropy bonus"
    if settings.entropy:
        told = f"an entropy bonus of {settings.entropy}, whose gradient isn't computed here"
    return _absent("entropy", told, "--config FILE; record the bonus's gradient while training")


def _momentum(record: Record, parts: Parts | None) -> Term:
    if parts is not None and parts.clipped is not None:
        return Term(
            "momentum", "computed", parts.first - parts.clipped,
            "first order along the change that was made, less that along the clipped gradient",
        )  # fmt: skip
    name = str(record.header.config.get("optim", ""))
    if name == "sgd" and not str(record.header.config.get("optim_args") or ""):
        return _zero("momentum", "plain SGD")
    return _absent(
        "momentum",
        "the optimizer's memory wasn't recorded",
        "save a checkpoint each update (save_steps=1), then: --model FOLDER",
    )


def _batch(whole: bool | None) -> Term:
    if whole:
        return _zero("batch", "every rollout of the update was scored")
    told = "rollouts of the update are missing" if whole is False else "nothing says how many rollouts an update had"
    return _absent("batch", told, "record every rollout (logging_steps=1), and give --config FILE")


def _curvature(parts: Parts | None) -> Term:
    if parts is None:
        return _absent("curvature", "it needs the policies before and after", "--model FOLDER of checkpoint-N folders")
    return Term("curvature", "computed", parts.curved, "second order, from the policy halfway between")


def _clip(settings: Settings, parts: Parts | None) -> Term:
    if parts is not None and parts.plain is not None and parts.clipped is not None:
        by_kl = parts.kl or 0.0
        value = parts.clipped - parts.plain - by_kl
        return Term("clip", "computed", value, "first order, of what clipping the gradient's norm took away")
    if settings.max_grad_norm == 0:
        return _zero("clip", "max_grad_norm is 0, which clips nothing")
    return _absent("clip", "the effect of clipping needs the step's gradient", "--model FOLDER, with --config FILE")


def _sampling(parts: Parts | None) -> Term:
    if parts is None or parts.error is None:
        told = "an effect over rollouts of fewer than eight prompts has no standard error"
        if parts is None:
            told = "it needs responses scored before and after"
        return _absent("sampling", told, "--model FOLDER of checkpoint-N folders; a step of eight prompts or more")
    return Term("sampling", "computed", parts.error, "standard error over prompts")


def counted(some: Iterable[Term]) -> dict[str, Quantity | Label | Declined]:
    """`budget.computed`, `budget.zero`, `budget.absent` k of nine, and `term.NAME` each."""
    known = list(some)
    states = [one.state for one in known]
    fields: dict[str, Quantity | Label | Declined] = {
        f"budget.{state}": Quantity(states.count(state), "terms", "count", of=len(known))
        for state in ("computed", "zero", "absent")
    }
    return fields | {f"term.{one.name}": one.field() for one in known}


def table(some: Iterable[Term]) -> Columns:
    """A row a term."""
    known = list(some)
    names = {"term": "name", "state": "state", "value": "value", "why": "why", "remedy": "remedy"}
    return {column: [getattr(one, name) for one in known] for column, name in names.items()}


def closure(
    *,
    predicted: float | None,
    floor: float | None,
    residual: float | None,
    spread: float | None,
    absent: Iterable[str],
    unit: str = UNIT,
) -> Label | Declined:
    """Whether predicted and terms add to what was measured, where that could have failed.

    `floor` is the smallest effect that would be told from none. A prediction below it is declined: noise would close
    any such budget. With terms absent nothing can tell an unknown effect from an unmeasured one. Otherwise `closed`
    where `residual` is within `spread`, the half-width of the measured interval.

    >>> closure(predicted=5.647e-06, floor=3.760, residual=0.0, spread=1.0, absent=()).reason
    'below_detection'
    >>> closure(predicted=2.0, floor=0.1, residual=0.01, spread=0.05, absent=()).value
    'closed'
    """
    missing = list(absent)
    if predicted is None or floor is None:
        return Declined(
            "record_incomplete",
            "a budget closes on a prediction and a detection floor, and not both could be had",
            "lens measure run SUBJECT --model FOLDER, checkpoints of each update, with --config FILE",
            needs="predicted, floor",
        )
    if abs(predicted) < floor:
        return Declined(
            "below_detection",
            f"the smallest effect that would show is {floor / abs(predicted):.3g} times the one foretold: "
            "noise alone closes the budget"
            if predicted
            else "no effect is foretold, so noise alone closes the budget",
            "score more rollouts of the same update, or updates further apart: lens measure run SUBJECT --model FOLDER",
            bound=Quantity(floor, unit, "difference", note="detection floor: 5 %, power 80 %"),
        )
    if missing:
        return Declined(
            "record_incomplete",
            f"terms absent: {', '.join(missing)}; an effect that is left over can't be told from one of theirs",
            "see each term's own remedy",
            needs=" ".join(f"term.{name}" for name in missing),
        )
    if residual is None or spread is None:
        return Declined(
            "record_incomplete", "nothing was measured to close on", "--model FOLDER of checkpoint-N folders"
        )
    return Label("closed" if abs(residual) <= spread else "open", note=f"left over {residual:.3g}, within {spread:.3g}")
