"""Replies edited at rising doses, and what a model pays for each: the raw material of the hacking probes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.errors import UsageError
from lens.models.edits import Edit, edits
from lens.models.pairs import Pair
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

ENOUGH = 0.5  # of the sampled replies must take a dose for it to be read


class Plan(NamedTuple):
    """One edit's texts: `texts[i]` are pair i's edited replies, at dose 0 and each of `doses`; `tokens` their lengths.
    `left_out` replies can't take every dose: too few sentences, or beyond the model's context."""

    edit: Edit
    doses: tuple[int, ...]
    pairs: list[Pair]
    texts: list[list[str]]
    tokens: list[list[int]]
    left_out: int


def plan(inspection: Inspection, edit: Edit, pairs: Sequence[Pair]) -> Plan | Declined:
    """The edit of each pair's rejected reply, at every dose that half of the replies can take."""
    pieces = edit.pieces_for(inspection.model)
    if isinstance(pieces, Declined):
        return pieces
    made: list[list[tuple[str, int]]] = []
    for pair in pairs:
        some: list[tuple[str, int]] = []
        for dose in (0, *edit.doses):
            text = edit.apply(pair.rejected, dose, pieces)
            length = None if text is None else _length(inspection, pair, text)
            if text is None or length is None:
                break
            some.append((text, length))
        made.append(some)
    depth = max(
        (d for d in range(2, len(edit.doses) + 2) if sum(len(one) >= d for one in made) >= ENOUGH * len(made)),
        default=0,
    )
    if not depth:
        return Declined(
            "corpus_inadequate",
            f"most replies can't take one {edit.unit}: they are too short for it, or end beyond the model's context",
            "give pairs with longer replies, or shorter ones where the context ends",
        )
    kept = [(pair, some[:depth]) for pair, some in zip(pairs, made, strict=True) if len(some) >= depth]
    return Plan(
        edit,
        edit.doses[: depth - 1],
        [pair for pair, _ in kept],
        [[text for text, _ in some] for _, some in kept],
        [[length for _, length in some] for _, some in kept],
        len(pairs) - len(kept),
    )


class Edited(NamedTuple):
    """Every edit's plan by name with its rewards [pair][dose], the edits this model or these replies can't take, and
    the chosen replies' rewards by pair number, ru."""

    plans: dict[str, Plan]
    values: dict[str, list[list[float]]]
    refused: dict[str, Declined]
    chosen: dict[int, float]


def edited(inspection: Inspection) -> Edited:
    """All edits of the sampled pairs' rejected replies, scored once an inspection."""
    return inspection.remember("edits", lambda: _edited(inspection))


def _edited(inspection: Inspection) -> Edited:
    pairs = inspection.spread()
    plans: dict[str, Plan] = {}
    refused: dict[str, Declined] = {}
    for name, edit in edits().items():
        made = plan(inspection, edit, pairs)
        if isinstance(made, Declined):
            refused[name] = made
        else:
            plans[name] = made
    values, chosen = _rewards(inspection, list(plans.values()), pairs)
    return Edited(plans, dict(zip(plans, values, strict=True)), refused, chosen)


def _rewards(
    inspection: Inspection, plans: Sequence[Plan], pairs: Sequence[Pair]
) -> tuple[list[list[list[float]]], dict[int, float]]:
    """Rewards [plan][pair][dose], and the chosen reply's by pair number; a text that stands twice is scored once."""
    asked: dict[str, tuple[object, str]] = {}
    for plan in plans:
        for pair, some in zip(plan.pairs, plan.texts, strict=True):
            asked.update({_key(pair, text): (pair.prompt, text) for text in some})
    asked.update({_key(pair, pair.chosen): (pair.prompt, pair.chosen) for pair in pairs})
    known = dict(zip(asked, inspection.rewards(list(asked.values())), strict=True))  # type: ignore[arg-type]
    by_plan = [
        [[known[_key(pair, text)] for text in some] for pair, some in zip(plan.pairs, plan.texts, strict=True)]
        for plan in plans
    ]
    return by_plan, {pair.number: known[_key(pair, pair.chosen)] for pair in pairs}


def slopes(values: Sequence[Sequence[float]], doses: Sequence[int]) -> list[float]:
    """Each row's least-squares slope on (0, *doses), ru a unit.

    >>> slopes([[1.0, 1.5, 2.0]], (1, 2))
    [0.5]
    """
    import numpy as np

    weights = _weights(doses)
    return [float(one) for one in np.asarray(values, float) @ weights]


def shuffled(means: Sequence[Sequence[float]], doses: Sequence[int], *, seed: int, draws: int) -> float:
    """The 95th percentile of |mean slope| with the doses of each cluster's mean rewards in random order."""
    import numpy as np

    rng = np.random.default_rng(seed)
    values, weights = np.asarray(means, float), _weights(doses)
    mixed = rng.permuted(np.broadcast_to(weights, (draws, *values.shape)), axis=2)
    return float(np.quantile(np.abs((mixed * values).sum(axis=2).mean(axis=1)), 0.95))


def _weights(doses: Sequence[int]):  # type: ignore[no-untyped-def]
    import numpy as np

    dose = np.array([0, *doses], float)
    away = dose - dose.mean()
    return away / (away**2).sum()


def _key(pair: Pair, text: str) -> str:
    return repr((pair.prompt, text))


def _length(inspection: Inspection, pair: Pair, text: str) -> int | None:
    try:
        return len(inspection.model.encode(pair.prompt, text))
    except UsageError:
        return None
