"""Policy response: how the policy moved, what a first-order prediction foretold, and what could be seen at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.price import Price
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.price import needing, pass_over
from lens.runs.review import Review, lacking

if TYPE_CHECKING:
    from lens.runs.record import Record

Fields = dict[str, Quantity | Label | Declined]
HEADLINES = ("movement", "kl.last", "floor-over-predicted", "floor.step", "budget.zero")


def price(review: Review) -> Price:
    """Twenty forward passes' worth of work over the rollouts whose policy is at hand; or passes over the record."""
    if not review.model:
        once = pass_over(review)
        return Price(0.3 + 4 * once.seconds, once.calls)  # KL, rewards, and two counts
    from lens.runs.gradients.price import again

    return again(review, 20)


@instrument(
    "policy-response",
    subjects="runs",
    title="Policy response",
    quantity="how far the policy moved, beside what its update foretells to first order and what would show at all",
    unit="nats a response",
    needs="record.record",
    cost="two passes over the record; with a model, each step's rollouts scored before and after",
    version=1,
    order=80,
    declines="`movement` without checkpoints, `kl` without a reference's log-probabilities, `closure` under the floor",
    source="KL estimators k1, k2, k3: Schulman 2020; effect along a change of parameters by its derivatives",
    price=needing("rollouts", price=price),
)
def policy_response(review: Review) -> Result | Declined:
    """`kl.first`, `kl.last` from the reference over the first and last tenth of the steps, k1 of summed log-ratios,
    `.k2`, `.k3`, `.per-token` beside; `kl.logged.last` as the trainer logged it. `floor.step` the smallest change of
    reward between two steps that would show, `predicted.step` what a plain gradient step foretells, and
    `floor-over-predicted`. With checkpoints: `movement`, advantage times change of log-probability of responses scored
    before and after; `predicted` by a plain gradient step and `predicted.along` the change that was made; `explained`
    of the movement by first order; its `floor`; `kl.step` of the update. `term.NAME` of nine, `budget.computed`,
    `.zero`, `.absent` k of nine, and `closure`. Tables `kl` by step, `responses`, `terms`."""
    from lens.runs.response import kl as response_kl
    from lens.runs.response import record as response_record

    record = review.record()
    lacks = lacking(record, "rollouts")
    if lacks is not None:
        return lacks
    fields, by_step = response_kl.recorded(review)
    fields |= response_record.fields(review)
    moved, tables = _moved(review, record, fields)
    fields |= moved
    if by_step is not None:
        tables["kl"] = by_step
    headline = next(name for name in HEADLINES if isinstance(fields.get(name), Quantity))
    return Result(Measured(fields, headline, _scope(record, review)), tables)


def _scope(record: Record, review: Review) -> str:
    if review.model:
        return f"Rollouts of {record.name} scored again under the checkpoints given: it holds for those updates."
    return (
        f"Log-probabilities and rewards that {record.name} recorded: means over responses that were sampled once, not "
        "of the same responses before and after an update."
    )


def _moved(review: Review, record: Record, known: Fields) -> tuple[Fields, dict[str, Columns]]:
    """The movement, its terms and the closure: with a model, or what the record alone says of them."""
    from lens.runs.response.budget import closure, counted, table, terms
    from lens.runs.response.record import UNIT, stale

    if review.model:
        from lens.runs.response.moved import moved

        found = moved(review)
        if not isinstance(found, Declined):
            return found
        movement = found
    else:
        movement = Declined(
            "access_insufficient",
            "how an update moved the policy needs the policies before and after it",
            "save_steps=1 saves a checkpoint an update; then: lens measure run SUBJECT --model FOLDER",
            needs="policy.forward",
        )
    trained = record.header.trained
    whole = None if trained is None else record.counts["rows"] >= trained
    nine = terms(record, None, whole=whole, on_policy=None, stale=stale(review))
    predicted, floor = (_value(known.get(name)) for name in ("predicted.step", "floor.step"))
    absent = [one.name for one in nine if one.state == "absent"]
    closed = closure(predicted=predicted, floor=floor, residual=None, spread=None, absent=absent, unit=UNIT)
    fields: Fields = {"movement": movement, **counted(nine), "closure": closed}
    return fields, {"terms": table(nine)}


def _value(field: Any) -> float | None:
    return float(field.value) if isinstance(field, Quantity) else None
