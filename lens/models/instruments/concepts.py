"""Concept vectors: the direction in which replies differ, steered along on other prompts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.anatomy import ids_of
from lens.models.concept import Concept, concepts, cosine, spread
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.price import forwards, together
from lens.models.streams import STREAMS, Streams, middle, packed, streams, unpacked
from lens.models.summaries import columns_of, largest, mean_field, ratio_field, unreadable
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    pass

DOSES = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
NULLS = 200

_Fields = dict[str, Quantity | Label | Declined]


@instrument(
    "concepts",
    subjects="models",
    title="Concepts it pays for",
    quantity="change of reward along a concept's direction, a unit of the concept",
    unit="ru",
    needs="grader.forward",
    cost="2 × pairs, and 2 × half of them on one position",
    version=1,
    order=140,
    declines="for networks without a trunk; concepts of fewer than 16 prompts",
    source="mean-difference vectors (Rimsky et al. 2024), fitted and read on different prompts; convention A2, A3",
    price=together(STREAMS, forwards(2)),
)
def read_concepts(inspection: Inspection) -> Result:
    """Fit a direction an axis on half of its prompts, and steer the other half's rejected replies along it.

    v is the mean difference of the stream at the readout token, chosen − rejected; dose 1 adds v once, before block
    `layer`. `moved` k of n concepts whose slope's interval lies beyond `c.flipped`. A concept c: `c.slope`
    (r(+1) − r(−1))/2, ru, its controls `c.flipped`, the 95th percentile of its size with the fitted sides in random
    order, and `c.random`, that of random directions as long as v; `c.carried` Σ(r(+1) − r(0)) / Σ margin, the share of
    the pairs' own difference that the direction brings; `c.last` the slope after the last block, where the rest is the
    head alone. `dose-zero` and `closed-form` are identities: the largest difference from the clean reward at dose 0,
    and from w·h/σ(h) + b after the last block. Cosines between directions are raw (of this basis) and whitened by the
    streams' covariance.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    made, few = concepts(inspection)
    if not made:
        return Result(next(iter(few.values())))
    found = streams(inspection)
    at = middle(found.layers[-1])
    fields: _Fields = {"moved": Quantity(0, "concepts", "count", of=len(made))}
    fields |= {f"{name}.slope": refused for name, refused in few.items()}
    curves: list[Columns] = []
    off: list[dict[str, float]] = []
    for name, concept in made.items():
        pairs = spread(concept.read, inspection.sample)
        answers = [_Answer(one) for one in _steer(inspection, found, concept, pairs, at)]
        fields |= {f"{name}.{key}": value for key, value in _fields(inspection, concept, found, pairs, answers).items()}
        curves.append(_curve(inspection, name, found.layers, pairs, answers))
        off += [answer.off for answer in answers]
    fields["moved"] = Quantity(sum(_moved(fields, name) for name in made), "concepts", "count", of=len(made))
    fields["layer"] = Label(f"before block {at} of {found.layers[-1]}")
    for key in ("dose-zero", "closed-form"):
        fields[key] = largest([one[key] for one in off], n=len(off))
    tables = {"doses": _joined(curves), "cosines": _cosines(found, list(made.values()))}
    sizes = ", ".join(f"{name} on {len(concept.fit)} pairs" for name, concept in made.items())
    scope = f"{len(made)} concepts of {inspection.pairs.name}, fitted ({sizes}) and read on different prompts"
    return Result(Measured(fields, "moved", scope), tables)


def _steer(
    inspection: Inspection, found: Streams, concept: Concept, pairs: Sequence[Pair], at: int
) -> list[dict[str, Any]]:
    import numpy as np

    vectors = np.stack([concept.vector(found, layer) for layer in found.layers])
    flipped = concept.flipped(found, at, NULLS, inspection.seed)
    return inspection.over(
        respond,
        pairs,
        layers=list(found.layers),
        vectors=vectors.astype("<f4").tobytes(),
        null_layer=at,
        flipped=flipped.astype("<f4").tobytes(),
        seed=inspection.seed,
    )


def respond(
    model: Any, pair: Pair, *, layers: list[int], vectors: bytes, null_layer: int, flipped: bytes, seed: int
) -> dict[str, Any]:
    """The job of one pair: rewards [layers][doses] of its rejected reply, central slopes of the null directions, and
    how far the identities are off."""
    import torch

    from lens.models.resume import resume

    trunk = model.trunk
    ids = ids_of(model, pair)[1]
    trace = trunk.trace(ids)
    device = trace.h[0].device

    def rewards(layer: int, added: torch.Tensor) -> torch.Tensor:
        return resume(trunk, trace, (), layer, trace.h[layer][-1].float() + added)

    v = torch.tensor(unpacked(vectors, len(layers), trunk.width), dtype=torch.float32, device=device)
    doses = torch.tensor(DOSES, device=device)
    answers = torch.stack([rewards(layer, doses[:, None] * v[i]) for i, layer in enumerate(layers)])
    null = torch.tensor(unpacked(flipped, NULLS, trunk.width), dtype=torch.float32, device=device)
    drawn = torch.randn((NULLS, trunk.width), generator=torch.Generator().manual_seed(seed)).to(device)
    drawn = drawn / drawn.norm(dim=1, keepdim=True) * v[layers.index(null_layer)].norm()
    both = torch.cat([null, drawn])
    slopes = (rewards(null_layer, both) - rewards(null_layer, -both)) / 2
    last = trace.h[trunk.layers][-1].float() + doses[:, None] * v[-1]
    return {
        "rewards": answers.tolist(),
        "flipped": packed(slopes[:NULLS]),
        "random": packed(slopes[NULLS:]),
        "dose-zero": float((answers[:, DOSES.index(0.0)] - trace.reward).abs().max()),
        "closed-form": float((answers[-1] - trunk.readout.reward(last)).abs().max()),
    }


class _Answer:
    """One pair's answers as arrays."""

    def __init__(self, found: dict[str, Any]) -> None:
        import numpy as np

        self.rewards = np.array(found["rewards"], float)  # [layers, doses]
        self.flipped, self.random = (unpacked(found[name], NULLS) for name in ("flipped", "random"))
        self.off = {name: float(found[name]) for name in ("dose-zero", "closed-form")}

    def slope(self, layer: int) -> float:
        return float(self.rewards[layer, DOSES.index(1.0)] - self.rewards[layer, DOSES.index(-1.0)]) / 2

    def at_one(self, layer: int) -> float:
        return float(self.rewards[layer, DOSES.index(1.0)] - self.rewards[layer, DOSES.index(0.0)])


def _fields(
    inspection: Inspection, concept: Concept, found: Streams, pairs: Sequence[Pair], answers: Sequence[_Answer]
) -> _Fields:
    import numpy as np

    name, at = concept.name, found.layers.index(middle(found.layers[-1]))
    rows = found.rows(pairs)
    margins = (found.rewards[rows, 0] - found.rewards[rows, 1]).tolist()
    fields: _Fields = {
        "slope": mean_field(
            inspection, [one.slope(at) for one in answers], pairs, control=f"{name}.flipped", note="a unit is v itself"
        ),
        "last": mean_field(inspection, [one.slope(-1) for one in answers], pairs, note="after the last block"),
        "carried": ratio_field(inspection, [one.at_one(at) for one in answers], margins, pairs, unit="of the margin"),
    }
    for key in ("flipped", "random"):
        means = np.abs(np.mean([getattr(one, key) for one in answers], axis=0))
        note = f"95th percentile of its size over {NULLS} directions"
        fields[key] = Quantity(float(np.quantile(means, 0.95)), "ru", "score", n=NULLS, note=note)
    return fields


def _moved(fields: _Fields, name: str) -> bool:
    """Whether the interval of the slope lies beyond the null of sides in random order."""
    slope, null = fields[f"{name}.slope"], fields[f"{name}.flipped"]
    if not isinstance(slope, Quantity) or slope.interval is None or not isinstance(null, Quantity):
        return False
    return max(slope.interval.low, -slope.interval.high) > null.value


def _curve(
    inspection: Inspection, name: str, layers: Sequence[int], pairs: Sequence[Pair], answers: Sequence[_Answer]
) -> Columns:
    """Mean change of reward by layer and dose."""
    import numpy as np

    rewards = np.stack([one.rewards for one in answers])
    change = (rewards - rewards[:, :, [DOSES.index(0.0)]]).reshape(len(answers), -1)
    count = len(DOSES)
    return {
        "concept": [name] * len(layers) * count,
        "layer": [layer for layer in layers for _ in DOSES],
        "depth": [layer / layers[-1] for layer in layers for _ in DOSES],
        "dose": list(DOSES) * len(layers),
        **columns_of(inspection, change, pairs, name="change"),
    }


def _cosines(found: Streams, made: Sequence[Concept]) -> Columns:
    import numpy as np

    table: Columns = {name: [] for name in ("concept", "other", "layer", "cosine", "whitened")}
    for layer in found.layers:
        rows = found.at(layer).reshape(-1, found.h.shape[-1])
        inverse = np.linalg.pinv(np.cov(rows.T)) if len(rows) > rows.shape[1] else None
        vectors = [concept.vector(found, layer) for concept in made]
        for i, one in enumerate(vectors):
            for j, other in enumerate(vectors):
                table["concept"].append(made[i].name)
                table["other"].append(made[j].name)
                table["layer"].append(layer)
                table["cosine"].append(cosine(one, other))
                table["whitened"].append(None if inverse is None else cosine(one, other, inverse))
    return table


def _joined(tables: Sequence[Columns]) -> Columns:
    return {name: [value for table in tables for value in table[name]] for name in tables[0]}
