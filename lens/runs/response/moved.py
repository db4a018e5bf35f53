"""The fields of responses scored before and after an update: movement, prediction, floor, KL, and the budget."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import fsum
from typing import Any

import numpy as np

from lens.reading import Columns, Declined, Label, Quantity
from lens.runs.gradients.steps import recipe
from lens.runs.response.budget import UNIT, Parts, closure, counted, table, terms
from lens.runs.response.kl import ESTIMATORS, NOTES, Estimator
from lens.runs.response.model import Response, responses
from lens.runs.response.record import POWER
from lens.runs.review import Review, lacking
from lens.stats.clusters import LEAST, grouped
from lens.stats.means import mean_of

Fields = dict[str, Quantity | Label | Declined]


def moved(review: Review) -> tuple[Fields, dict[str, Columns]] | Declined:
    """Fields and tables over every update whose two policies are at hand, or why there is none."""
    record = review.record()
    lacks = lacking(record, "texts", "advantage")
    if lacks is not None:
        return lacks
    review.note_policies()
    how = recipe(record, review.reference)
    found = responses(review, None if isinstance(how, Declined) else how)
    if isinstance(found, Declined):
        return found
    prompts = [prompt for one in found for prompt in one.prompt]
    parts = parts_of(found, prompts)
    fields = _movement(review, found, prompts, parts)
    if isinstance(how, Declined):
        fields["predicted"] = how
    fields |= _kl(review, found, prompts)
    size, share = record.header.settings.batch_size, record.header.settings.generations or 1
    whole = None if size is None else all(len(one.rows) == size // share for one in found)
    nine = terms(record, parts, whole=whole, on_policy=all(one.parity is not None for one in found))
    fields |= counted(nine)
    movement = fields["movement"]
    spread = POWER * parts.error if parts.error is not None else None
    interval = movement.interval if isinstance(movement, Quantity) else None
    fields["closure"] = closure(
        predicted=parts.plain, floor=spread, residual=parts.measured - parts.first - parts.curved,
        spread=None if interval is None else (interval.high - interval.low) / 2,
        absent=[one.name for one in nine if one.state == "absent"],
    )  # fmt: skip
    return fields, {"responses": _table(found), "terms": table(nine)}


def parts_of(found: Sequence[Response], prompts: Sequence[str]) -> Parts:
    """Means over all responses; a part that one update lacks is lacked by all."""

    def mean(name: str) -> float | None:
        each = [(one.advantage, getattr(one, name)) for one in found]
        if any(values is None for _, values in each):
            return None
        products = [a * v for advantage, values in each for a, v in zip(advantage, values, strict=True)]
        return fsum(products) / len(products)

    measured, first, curved = (mean(name) for name in ("moved", "first", "curved"))
    assert measured is not None
    assert first is not None
    assert curved is not None
    effects = [a * m for one in found for a, m in zip(one.advantage, one.moved, strict=True)]
    return Parts(
        measured, first, curved, mean("plain"), mean("clipped"), mean("term"), standard_error(effects, prompts)
    )


def standard_error(values: Sequence[float], clusters: Sequence[str]) -> float | None:
    """Of the mean, over clusters of any size; None under eight.

    >>> round(standard_error([1.0, 3.0] * 8, [str(at) for at in range(16)]), 4)
    0.2582
    """
    groups, each = grouped(clusters), np.asarray(values, float)
    if len(groups) < LEAST:
        return None
    away = np.array([each[group].sum() - each.mean() * len(group) for group in groups])
    return float((len(groups) / (len(groups) - 1) * (away**2).sum()) ** 0.5 / len(each))


def _movement(review: Review, found: Sequence[Response], prompts: Sequence[str], parts: Parts) -> Fields:
    advantage, change, first = (
        np.concatenate([getattr(one, name) for one in found]) for name in ("advantage", "moved", "first")
    )

    def mean(values: Any, note: str, control: str = "") -> Quantity | Declined:
        return mean_of(values.tolist(), prompts, UNIT, seed=review.seed, draws=review.draws, note=note, control=control)

    fields: Fields = {
        "movement": mean(advantage * change, "the same responses before and after", "predicted.along"),
        "predicted.along": mean(advantage * first, "first order along the change of parameters that was made"),
        "responses": Quantity(len(change), "responses", "size"),
        "updates": Quantity(sum(one.updates for one in found), "updates", "size"),
        "rescoring": Quantity(
            max(one.rescored for one in found), "nats a response", "difference",
            note="the largest change when one policy scores a response padded otherwise: what arithmetic alone moves",
        ),
    }  # fmt: skip
    squares = fsum(change**2)
    if squares > 0:
        explained = 1 - fsum((change - first) ** 2) / squares
        fields["explained"] = Quantity(
            explained,
            "of the squared movement",
            "ratio",
            n=len(change),
            note="by first order; under 0 it is worse than none",
        )
    if all(one.plain is not None for one in found):
        plain = np.concatenate([one.plain for one in found if one.plain is not None])
        fields["predicted"] = mean(advantage * plain, "first order, of a plain gradient step at the learning rate")
    else:
        fields["predicted"] = Declined(
            "record_incomplete",
            "a plain gradient step needs the learning rate, and policies one update apart",
            "save_steps=1, and the trainer's configuration with --config FILE",
        )
    if parts.error is not None:
        fields["floor"] = Quantity(
            POWER * parts.error, UNIT, "difference", note="told from none at 5 % with power 80 %"
        )
    return fields


def _kl(review: Review, found: Sequence[Response], prompts: Sequence[str]) -> Fields:
    """KL from the policy after to the one before, on what the one before sampled, token by token."""
    ratios = [
        [a - b for a, b in zip(before, after, strict=True)]
        for one in found
        for before, after in zip(one.before, one.after, strict=True)
    ]
    fields: Fields = {}
    names: list[Estimator] = list(ESTIMATORS)
    for estimator in names:
        each = [fsum(ESTIMATORS[estimator](x) for x in some) for some in ratios]
        tail = "" if estimator == "k1" else f".{estimator}"
        note = f"{estimator}, summed over tokens; {NOTES[estimator]}"
        fields[f"kl.step{tail}"] = mean_of(
            each, prompts, "nats a response", seed=review.seed, draws=review.draws, kind="score", note=note
        )
    token = fsum(ESTIMATORS["k3"](x) for x in chain.from_iterable(ratios)) / sum(map(len, ratios))
    fields["kl.step.k3.per-token"] = Quantity(token, "nats a token", "score", n=sum(map(len, ratios)), note="k3")
    return fields


def _table(found: Sequence[Response]) -> Columns:
    columns: Columns = {"step": [one.step for one in found for _ in one.rows]}
    columns["row"] = [row for one in found for row in one.rows]
    for name in ("advantage", "lengths", "moved", "first", "curved"):
        column = {"lengths": "tokens"}.get(name, name)
        columns[column] = [value.item() for one in found for value in getattr(one, name)]
    return columns
