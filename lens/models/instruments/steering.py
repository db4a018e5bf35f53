"""Steering, ablation and head edits: what a model would prefer if it did not read a concept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.anatomy import ids_of
from lens.models.concept import Concept, concepts, spread
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.price import Price, Probe, together
from lens.models.streams import STREAMS, Streams, middle, streams, unpacked
from lens.models.summaries import largest, ratio_field, unreadable
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

NULLS = 20
KINDS = ("ablate", "head-edit")

_Fields = dict[str, Quantity | Label | Declined]


def _edits(inspection: Inspection, probe: Probe) -> Price:
    """Half of the pairs under both edits and their nulls, as many of other axes without; one position each."""
    pairs = len(inspection.pairs.unique)
    return Price(8 * pairs * probe.forward, 2 * pairs)


@instrument(
    "steering",
    subjects="models",
    title="What it would prefer without a concept",
    quantity="margin that is left once a concept's direction is taken out of the stream or of the head",
    unit="of the margin",
    needs="grader.forward",
    cost="2 × pairs, shared with concepts, and 2 × half of them on one position",
    version=1,
    order=160,
    declines="for networks without a trunk; concepts of fewer than 16 prompts",
    source="activation steering and directional ablation (Arditi et al. 2024); directions fitted on other prompts",
    price=together(STREAMS, _edits),
)
def steering(inspection: Inspection) -> Result:
    """Intervene along each concept's direction, fitted on half of its prompts, on pairs of the other half.

    `removed` k of n concepts whose ablation leaves less of the margin than its control. A concept c: `c.ablate` the
    share of its pairs' margin that is left when its direction is projected out of the stream before block `layer` at
    the readout token, `c.head-edit` when it is taken out of the head; their controls `c.ablate.control`,
    `c.head-edit.control`, the mean of that over directions fitted to sides in random order. `c.steered` k of n of its
    pairs the model had right that turn round when the rejected reply is steered by the direction once.
    `c.ablate.elsewhere`, `c.head-edit.elsewhere` k of n pairs of other axes that change sides: what the edit does
    beside its aim. `zero-edit` is an identity: the largest change under edits that hold nothing. Every edit's
    fingerprint, over its numbers, stands in the table `edits`.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    made, few = concepts(inspection)
    if not made:
        return Result(next(iter(few.values())))
    found = streams(inspection)
    at = middle(found.layers[-1])
    fields: _Fields = {f"{name}.ablate": refused for name, refused in few.items()}
    edits: dict[str, list[Any]] = {"concept": [], "edit": [], "layer": [], "fingerprint": []}
    zero: list[float] = []
    for name, concept in made.items():
        own = spread(concept.read, inspection.sample)
        others = spread([pair for other in made.values() if other is not concept for pair in other.read], len(own))
        answers = _asked(inspection, found, concept, at, own, others)
        zero += [answer["zero"] for answer in answers]
        some = _fields(inspection, name, own, others, answers)
        fields |= {f"{name}.{key}": value for key, value in some.items()}
        for kind, layer in zip(KINDS, (at, found.layers[-1]), strict=True):
            edits["concept"].append(name)
            edits["edit"].append(kind)
            edits["layer"].append(layer)
            edits["fingerprint"].append(answers[0]["fingerprints"][kind])
    removed = sum(_removed(fields, name) for name in made)
    fields["removed"] = Quantity(removed, "concepts", "count", of=len(made))
    fields["zero-edit"] = largest(zero, n=len(zero))
    fields["layer"] = Label(f"before block {at} of {found.layers[-1]}")
    scope = f"{len(made)} concepts of {inspection.pairs.name}; directions fitted and pairs read on different prompts"
    return Result(Measured(fields, "removed", scope), {"edits": edits, "margins": _table(fields, made)})


def _asked(
    inspection: Inspection, found: Streams, concept: Concept, at: int, own: Sequence[Pair], others: Sequence[Pair]
) -> list[dict[str, Any]]:
    import numpy as np

    layers = (at, found.layers[-1])
    vectors = np.stack([concept.vector(found, layer) for layer in layers])
    nulls = np.stack([concept.flipped(found, layer, NULLS, inspection.seed) for layer in layers])
    options: dict[str, Any] = {"layer": at, "vectors": _packed(vectors)}
    return [
        *inspection.over(intervene, own, nulls=_packed(nulls), **options),
        *inspection.over(intervene, others, nulls=b"", **options),
    ]


def _packed(array: np.ndarray) -> bytes:
    return array.astype("<f4").tobytes()


def intervene(model: Any, pair: Pair, *, layer: int, vectors: bytes, nulls: bytes) -> dict[str, Any]:
    """The job of one pair: its margin clean and under each edit, the rejected reply's reward steered, the same under
    edits along the null directions, and what an edit of nothing changes."""
    import torch

    from lens.models.interventions import Intervention, Project, Steer, Turn, apply, fingerprint

    trunk = model.trunk
    traces = trunk.pair(*ids_of(model, pair))
    device = trunk.readout.w.device

    def rows(data: bytes, *shape: int) -> torch.Tensor:
        return torch.tensor(unpacked(data, *shape, trunk.width), dtype=torch.float32, device=device)

    def reward(side: str, *edits: Intervention) -> float:
        return apply(trunk, getattr(traces, side), traces.shared, edits)

    def margin(*edits: Intervention) -> float:
        return reward("chosen", *edits) - reward("rejected", *edits)

    inside, last = rows(vectors, 2)
    edits: dict[str, Intervention] = {"ablate": Project(inside, layer), "head-edit": Turn(last)}
    null = rows(nulls, 2, NULLS) if nulls else torch.zeros((2, 0, trunk.width))
    nothing = torch.zeros_like(inside)
    clean = {side: getattr(traces, side).reward for side in ("chosen", "rejected")}
    unedited = [abs(reward(side, Steer(nothing, layer), Turn(nothing)) - clean[side]) for side in clean]
    return {
        "clean": clean["chosen"] - clean["rejected"],
        "steered": clean["chosen"] - reward("rejected", Steer(inside, layer)),
        "zero": max(unedited),
        "fingerprints": {kind: fingerprint([edit]) for kind, edit in edits.items()},
        **{kind: margin(edit) for kind, edit in edits.items()},
        "null": {
            "ablate": [margin(Project(v, layer)) for v in null[0]],
            "head-edit": [margin(Turn(v)) for v in null[1]],
        },
    }


def _fields(
    inspection: Inspection, name: str, own: Sequence[Pair], others: Sequence[Pair], answers: Sequence[dict[str, Any]]
) -> _Fields:
    from lens.stats.shares import share_of

    seed, draws = inspection.seed, inspection.draws
    aim, aside = answers[: len(own)], answers[len(own) :]
    clean = [one["clean"] for one in aim]
    fields: _Fields = {}
    for kind in KINDS:
        left = ratio_field(
            inspection, [one[kind] for one in aim], clean, own, unit="of the margin", control=f"{name}.{kind}.control"
        )
        fields[kind] = left
        if isinstance(left, Quantity):
            shares = [sum(one["null"][kind][i] for one in aim) / sum(clean) for i in range(NULLS)]
            note = f"mean over {NULLS} directions fitted to sides in random order"
            fields[f"{kind}.control"] = Quantity(sum(shares) / NULLS, "of the margin", "ratio", n=NULLS, note=note)
        if others:
            moved = [one["clean"] * one[kind] < 0 for one in aside]
            fields[f"{kind}.elsewhere"] = share_of(
                moved, [pair.cluster for pair in others], "pairs", seed=seed, draws=draws
            )
    right = [(pair, one) for pair, one in zip(own, aim, strict=True) if one["clean"] > 0]
    fields["steered"] = share_of(
        [one["steered"] < 0 for _, one in right], [pair.cluster for pair, _ in right], "pairs", seed=seed, draws=draws
    )
    return fields


def _removed(fields: _Fields, name: str) -> bool:
    """Whether ablating the concept leaves less of its margin than ablating what shuffled sides differ in."""
    left, control = fields[f"{name}.ablate"], fields.get(f"{name}.ablate.control")
    if not isinstance(left, Quantity) or left.interval is None or not isinstance(control, Quantity):
        return False
    return left.interval.high < control.value


def _table(fields: _Fields, made: dict[str, Concept]) -> Columns:
    rows = []
    for name in made:
        for kind in KINDS:
            field, control = fields[f"{name}.{kind}"], fields.get(f"{name}.{kind}.control")
            interval = field.interval if isinstance(field, Quantity) else None
            rows.append((
                name,
                kind,
                float(field.value) if isinstance(field, Quantity) else None,
                interval.low if interval else None,
                interval.high if interval else None,
                float(control.value) if isinstance(control, Quantity) else None,
            ))  # fmt: skip
    names = ("concept", "edit", "left", "low", "high", "control")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}
