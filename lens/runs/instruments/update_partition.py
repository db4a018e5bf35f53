"""Update partition: what the rollouts of a step add to its gradient, and how much of it they cancel."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.price import Price
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.price import pass_over
from lens.runs.review import Review, lacking
from lens.runs.series.medians import median

if TYPE_CHECKING:
    from lens.runs.record import Record

Fields = dict[str, Quantity | Label | Declined]
_COLUMNS = (
    "step", "rollouts", "state", "norm", "lengths", "cancellation", "orthogonal", "percentile", "permuted-low",
    "permuted-median", "permuted-high", "largest-share", "against", "term-share", "error",
)  # fmt: skip


STEP = 0.005  # CPU seconds of a step of eight rollouts
PRODUCTS = 1e9  # inner products permuted in a second


def price(review: Review) -> Price | Declined:
    """Ten forward passes' worth of work over the rollouts whose policy is at hand; or permutations of each step."""
    if review.run.has("grams"):
        ((steps, products),) = review.run.sql("SELECT count(*), sum(len(gram)) FROM grams")
        multiplied = review.permutations * int(products or 0) / PRODUCTS
        return Price(0.5 + STEP * steps + multiplied + 4 * pass_over(review).seconds, steps)
    if (lacks := None if review.model else lacking(review.run, "grams")) is not None:
        return lacks
    from lens.runs.gradients.price import again

    return again(review, 10)


@instrument(
    "update-partition",
    subjects="runs",
    title="Update partition",
    quantity="how much of the rollouts' gradients cancels in a step's update, beside what unrelated gradients do",
    unit="of the gradients' lengths",
    needs="record.record",
    cost="n² multiplications a step and permutation of it",
    version=2,
    order=60,
    declines="without inner products of gradients or a model; on steps that reuse rollouts or clip their ratios",
    source="||sum of A_i s_i||² = A'SA on inner products S of per-rollout gradients s_i; permutations of A in groups",
    price=price,
)
def update_partition(review: Review) -> Result | Declined:
    """`cancellation.min`, `.median`, `.max` over steps: 1 − ‖Σg‖/Σ‖g_i‖; its references `orthogonal.*`, the same for
    gradients at right angles, and `percentile.median`, its place among permutations of the advantages within groups;
    `excess.median`, cancellation less the orthogonal; `beyond-permuted` k of n steps outside the central 95 % of
    permutations. `read` k of n steps; `state.NAME` k of n, why the others weren't. `norm.median` of the gradient;
    `largest-share.median` of it along one rollout, `against` k of n rollouts that pull against it;
    `full-gradient.error` and `checked` against a gradient taken otherwise; `momentum-carry` of the optimizer. For each
    edit of the reward `{edit}.cosine.median` and `.min` of the gradient with the one there would have been, and
    `identity.cosine` for the reward as it was.
    Tables `steps` and `rollouts` (step, row, advantage, norm, share)."""
    record = review.record()
    if review.model and not record.has("grams"):
        return _computed(review)
    declined = lacking(record, "grams", "rollouts")
    if declined is None:
        declined = _other_terms(record)
    if declined is not None:
        return declined
    plan = _plan(review)
    return reading(review, _steps(review, record, plan), "given in the record", plan)


def _plan(review: Review) -> dict[str, Any] | Declined:
    from lens.runs.update.edits import planned

    return planned(review)


def _computed(review: Review) -> Result | Declined:
    from lens.runs.update.computed import steps_of

    plan = _plan(review)
    edits = None if isinstance(plan, Declined) else plan
    found = steps_of(review, edits, **options(review, review.record()))
    if isinstance(found, Declined):
        return found
    steps, fields = found
    result = reading(review, steps, "computed again", plan)
    if isinstance(result, Declined) or not isinstance(result.reading, Measured):
        return result
    told = result.reading
    return Result(Measured(told.fields | fields, told.headline, told.scope), result.tables)


def reading(
    review: Review, steps: list[dict[str, Any]], how: str, plan: dict[str, Any] | Declined
) -> Result | Declined:
    """The reading of steps that `partition_steps.parted` made; `how` they came about, `plan` the edits."""
    record = review.record()
    from lens.runs.update.fields import checks, cosines, momentum

    read = [one for one in steps if one["state"] == "read"]
    if not read:
        return _none(steps)
    fields: Fields = _summaries(review, read)
    fields |= _counts(steps, read)
    fields |= checks(record, steps)
    fields |= momentum(record)
    fields |= {"counterfactual.cosine": plan} if isinstance(plan, Declined) else cosines(review, read, plan)
    scope = (
        f"{len(read)} of {len(steps)} steps whose gradients were {how}: on the policy that sampled them, unclipped. "
        "Gradients, not parameters: what an optimizer then adds from earlier steps is a term of its own."
    )
    return Result(Measured(fields, "cancellation.median", scope), {"steps": _table(steps), "rollouts": _each(read)})


def _steps(review: Review, record: Record, plan: dict[str, Any] | Declined) -> list[dict[str, Any]]:
    from lens.runs.update.steps import from_grams

    edits, leaves = None if isinstance(plan, Declined) else plan, list(record.header.leaves)
    found = review.over_steps(from_grams, leaves=leaves, plan=edits, **options(review, record))
    return [one for some in found for one in some]


def options(review: Review, record: Record) -> dict[str, Any]:
    """What `partition_steps.parted` is told about the run."""
    from lens.runs.update.partition import TOLERANCE

    settings = record.header.settings
    known = None not in (settings.iterations, settings.generations, settings.beta)
    first = record.counts.get("first", 0)
    return {
        "tolerance": TOLERANCE.get(settings.precision or "float32", 1e-5),
        "period": (settings.iterations or 1) * (settings.generations or 1),
        "base": 0 if first == 0 else 1,
        "known": known,
        "clipped": clipped_steps(record),
        "permutations": review.permutations,
        "seed": review.seed,
    }


CLIPS = ("clip_ratio/region_mean", "actor/pg_clipfrac", "actor/pg_clipfrac_lower")


def clipped_steps(record: Record) -> list[int]:
    """Steps at which the trainer logged a share of clipped ratios above 0."""
    return [step for step, values in record.series(*CLIPS).items() if any(value > 0 for value in values.values())]


def _other_terms(record: Record) -> Declined | None:
    """A loss with a KL or entropy term isn't all in the rollouts' own gradients."""
    settings = record.header.settings
    terms = [name for name, weight in (("KL", settings.beta), ("entropy", settings.entropy)) if weight]
    if not terms:
        return None
    (empty,) = record.sql("SELECT count(*) FROM grams WHERE len(term) = 0")[0]
    if not empty:
        return None
    return Declined(
        "record_incomplete",
        f"the loss has a term for {' and '.join(terms)}, and the record holds no gradient of it",
        "record that gradient as one row more, or: lens measure run SUBJECT --model FOLDER --reference FOLDER",
        needs="grams with a row for terms that are not linear in the advantage",
    )


def _none(steps: list[dict[str, Any]]) -> Declined:
    from lens.runs.update.steps import STATES

    (state, count), *_ = Counter(one["state"] for one in steps).most_common() or [("no-signal", 0)]
    remedies = {
        "no-signal": "nothing to mend: a step without signal has no update to part",
        "groups-unknown": "record the prompt and completion of each rollout whose gradient is recorded",
        "unverified": "give the trainer's configuration with --config",
    }
    return Declined(
        "assumption_violated",
        f"none of {len(steps)} steps can be parted; {count}: {STATES[state]}",
        remedies.get(state, "record gradients at the first update of each generation (num_iterations 1)"),
        needs="gradients of rollouts under the policy that sampled them, unclipped",
    )


def _summaries(review: Review, read: list[dict[str, Any]]) -> Fields:
    fields: Fields = {}
    lengths = "of the gradients' lengths"
    for name, control in (("cancellation", "orthogonal"), ("orthogonal", "")):
        for which, value in (("min", min), ("max", max)):
            found = value(one[name] for one in read)
            beside = f"{control}.{which}" if control else ""
            fields[f"{name}.{which}"] = Quantity(found, lengths, "proportion", n=len(read), control=beside)
        fields[f"{name}.median"] = median(
            review, [one[name] for one in read], lengths, "proportion", control=f"{control}.median" if control else ""
        )
    excess = [one["cancellation"] - one["orthogonal"] for one in read]
    fields["excess.median"] = median(review, excess, lengths, "difference", note="0 is what unrelated gradients do")
    fields["percentile.median"] = median(
        review, [one["percentile"] for one in read], "of permutations", "proportion",
        note="0.5 is what advantages dealt out at random within a group give",
    )  # fmt: skip
    fields["beyond-permuted"] = _beyond(read)
    fields["norm.median"] = median(review, [one["norm"] for one in read], "gradient norm", "score")
    fields["largest-share.median"] = median(
        review,
        [one["largest-share"] for one in read],
        "of the gradient",
        "ratio",
        note="shares add to 1 and may be < 0",
    )
    fields["against"] = Quantity(
        sum(one["against"] for one in read), "rollouts", "count", of=sum(one["rollouts"] for one in read)
    )
    terms = [one["term-share"] for one in read if one["term-share"] is not None]
    if terms:
        fields["term-share.median"] = median(review, terms, "of the gradient", "ratio")
    return fields


def _beyond(read: list[dict[str, Any]]) -> Quantity:
    from lens.stats.intervals import wilson

    hits = sum(not one["permuted-low"] <= one["cancellation"] <= one["permuted-high"] for one in read)
    return Quantity(
        hits, "steps", "count", of=len(read), interval=wilson(hits, len(read)), n=len(read),
        note="one in twenty by chance; steps are taken as independent",
    )  # fmt: skip


def _counts(steps: list[dict[str, Any]], read: list[dict[str, Any]]) -> Fields:
    found: Fields = {"read": Quantity(len(read), "steps", "count", of=len(steps))}
    for state, count in sorted(Counter(one["state"] for one in steps).items()):
        if state != "read":
            found[f"state.{state}"] = Quantity(count, "steps", "count", of=len(steps))
    return found


def _table(steps: list[dict[str, Any]]) -> Columns:
    return {name: [one.get(name) for one in steps] for name in _COLUMNS}


def _each(read: list[dict[str, Any]]) -> Columns:
    names = ("row", "advantage", "norm", "share")
    table: Columns = {"step": [one["step"] for one in read for _ in one["each"]["row"]]}
    return table | {name: [value for one in read for value in one["each"][name]] for name in names}
