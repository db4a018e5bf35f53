"""Concept erasure: what is left of a concept, and of the reward, once no linear probe can read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lens.instrument import instrument
from lens.models.concept import Concept, concepts
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.price import Price, Probe, together
from lens.models.streams import STREAMS, Streams, streams
from lens.models.summaries import largest, ratio_field, unreadable
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.leace import Eraser

RANDOM = 20  # erasers of labels in random order
PROBES = ("linear", "mlp")

_Fields = dict[str, Quantity | Label | Declined]


class _Erased(NamedTuple):
    """One concept's eraser and the rows it has not seen: `before`, `after` [P, 2, d]; `right[probe][when]` [P, 2]."""

    eraser: Eraser
    pairs: list[Pair]
    before: np.ndarray
    after: np.ndarray
    right: dict[str, dict[str, np.ndarray]]


def _fits(inspection: Inspection, probe: Probe) -> Price:
    """Two probes in five folds before and after, and an eraser of the sides and of each random order, a concept."""
    each = 0.3 + 0.25 * (probe.width / 128) ** 2
    return Price(max(1, len(inspection.pairs.axes)) * each, 0)


@instrument(
    "erasure",
    subjects="models",
    title="What erasing a concept takes away",
    quantity="fresh rows on which a concept can be read before and after erasing it, and the margin that is left",
    unit="rows",
    needs="grader.forward",
    cost="2 × pairs, shared with concepts",
    version=1,
    order=150,
    declines="for networks without a trunk; concepts of fewer than 16 prompts",
    source="LEACE: Belrose et al. 2023, theorem 4.3, nothing shrunk",
    price=together(STREAMS, _fits),
)
def erasure(inspection: Inspection) -> Result:
    """Fit LEACE on half of a concept's prompts, in the stream that the head reads, and look at the other half.

    `erased` k of n concepts that neither fresh probe reads any more. A concept c: `c.linear`, `c.mlp` k of n fresh rows
    that a newly fitted probe, linear or with one hidden layer, gets right after erasure, `c.before.linear` and
    `c.before.mlp` before; their control `c.chance`, the 95th percentile of that share (after) with the sides in random
    order. `c.verdict` erased, leaks, or not readable before. `c.left` the share of the margin that is left on fresh
    pairs, its control `c.left.control` the same after erasing labels in random order. `c.fit` rows against dimensions:
    fitted on few rows it erases those and leaks on others. `covariance`, `idempotent` are identities on the fitted
    rows: the largest covariance with the label left, and the largest change when erased twice, of the rows' size.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    made, few = concepts(inspection)
    if not made:
        return Result(next(iter(few.values())))
    found = streams(inspection)
    fields: _Fields = {"erased": Quantity(0, "concepts", "count", of=len(made))}
    fields |= {f"{name}.linear": refused for name, refused in few.items()}
    off: list[tuple[float, float]] = []
    rows: list[dict[str, Any]] = []
    for name, concept in made.items():
        erased = _erase(found, concept)
        some = _fields(inspection, concept, found, erased)
        fields |= {f"{name}.{key}": value for key, value in some.items()}
        off.append(_identities(found, concept, erased.eraser))
        rows += _rows(name, some)
    certified = sum(_said(fields, name) == "erased" for name in made)
    fields["erased"] = Quantity(certified, "concepts", "count", of=len(made))
    fields["covariance"] = largest([one for one, _ in off], unit="of the rows' size", n=len(off))
    fields["idempotent"] = largest([one for _, one in off], unit="of the rows' size", n=len(off))
    scope = f"{len(made)} concepts of {inspection.pairs.name} in the stream after the last block, at the readout token"
    table: Columns = {name: [row[name] for row in rows] for name in rows[0]}
    return Result(Measured(fields, "erased", scope), {"erasure": table})


def _erase(found: Streams, concept: Concept) -> _Erased:
    from lens.models import probes

    eraser = _fitted(found, concept)
    before = found.at(found.layers[-1])[found.rows(concept.read)]
    after = eraser(before)
    clusters = [pair.cluster for pair in concept.read]
    right = {
        probe: {
            when: probes.held_out(rows, clusters, getattr(probes, probe))
            for when, rows in (("before", before), ("after", after))
        }
        for probe in PROBES
    }
    return _Erased(eraser, concept.read, before, after, right)


def _fitted(found: Streams, concept: Concept, flip: int | None = None) -> Eraser:
    """The eraser of the sides; with `flip`, of the sides in a random order, drawn by that seed."""
    import numpy as np

    from lens.models.leace import fit

    h = found.at(found.layers[-1])[found.rows(concept.fit)]
    labels = np.tile([1.0, -1.0], (len(h), 1))
    if flip is not None:
        labels *= np.random.default_rng(flip).choice([-1.0, 1.0], (len(h), 1))
    return fit(h.reshape(-1, h.shape[-1]), labels.ravel())


def _identities(found: Streams, concept: Concept, eraser: Eraser) -> tuple[float, float]:
    import numpy as np

    rows = found.at(found.layers[-1])[found.rows(concept.fit)].reshape(-1, found.h.shape[-1])
    labels = np.tile([1.0, -1.0], len(rows) // 2)
    erased = eraser(rows)
    size = float(rows.std())
    covariance = np.abs((labels - labels.mean()) @ (erased - erased.mean(axis=0)) / (len(rows) - 1)).max()
    return float(covariance) / size, float(np.abs(eraser(erased) - erased).max()) / size


def _fields(inspection: Inspection, concept: Concept, found: Streams, erased: _Erased) -> _Fields:
    from lens.models.probes import chance
    from lens.stats.shares import share_of

    clusters = [pair.cluster for pair in erased.pairs]
    twice = [cluster for cluster in clusters for _ in range(2)]
    fields: _Fields = {}
    null = max(chance(erased.right[probe]["after"], clusters, seed=inspection.seed) for probe in PROBES)
    for probe in PROBES:
        for when, name in (("before", f"before.{probe}"), ("after", probe)):
            hits = [bool(hit) for hit in erased.right[probe][when].ravel()]
            control = f"{concept.name}.chance"
            fields[name] = share_of(hits, twice, "rows", seed=inspection.seed, draws=inspection.draws, control=control)
    fields["chance"] = Quantity(null, "of rows", "proportion", note="95th percentile, the larger of both probes'")
    rows, d = 2 * len(concept.fit), found.h.shape[-1]
    thin = "fewer than its dimensions: it leaks on fresh rows" if erased.eraser.held < d else "enough"
    fields["verdict"] = Label(_verdict(inspection, erased, null))
    fields["fit"] = Label(f"{rows} rows in {d} dimensions, {thin}")
    return fields | _left(inspection, concept, found, erased)


def _verdict(inspection: Inspection, erased: _Erased, null: float) -> str:
    from lens.models.probes import chance

    def read(when: str, null: float) -> bool:
        return any(float(erased.right[probe][when].mean()) > null for probe in PROBES)

    clusters = [pair.cluster for pair in erased.pairs]
    before = max(chance(erased.right[probe]["before"], clusters, seed=inspection.seed) for probe in PROBES)
    if not read("before", before):
        return "not readable before"
    return "leaks" if read("after", null) else "erased"


def _left(inspection: Inspection, concept: Concept, found: Streams, erased: _Erased) -> _Fields:
    """Σ margin after / Σ margin before, on fresh pairs, and the mean of that over erasers of random labels."""
    before = _margins(inspection, erased.before)
    own = ratio_field(
        inspection, _margins(inspection, erased.after), before, erased.pairs, unit="of the margin",
        control=f"{concept.name}.left.control",
    )  # fmt: skip
    if isinstance(own, Declined):
        return {"left": own}
    shares = []
    for flip in range(RANDOM):
        other = _fitted(found, concept, flip=inspection.seed * RANDOM + flip)
        shares.append(sum(_margins(inspection, other(erased.before))) / sum(before))
    note = f"mean over {RANDOM} erasers of random labels"
    return {"left": own, "left.control": Quantity(sum(shares) / RANDOM, "of the margin", "ratio", n=RANDOM, note=note)}


def _margins(inspection: Inspection, h: np.ndarray) -> list[float]:
    """The margins of streams [P, 2, d] by the head's own form, ru."""
    import torch

    trunk = inspection.model.trunk
    assert trunk is not None
    with torch.no_grad():
        rewards = trunk.readout.reward(torch.tensor(h, dtype=torch.float32, device=trunk.readout.w.device))
    return [float(one) for one in (rewards[:, 0] - rewards[:, 1]).cpu()]


def _said(fields: _Fields, name: str) -> str:
    verdict = fields[f"{name}.verdict"]
    return verdict.value if isinstance(verdict, Label) else ""


def _rows(name: str, some: _Fields) -> list[dict[str, Any]]:
    rows = []
    for probe in PROBES:
        row: dict[str, Any] = {"concept": name, "probe": probe}
        for when, key in (("before", f"before.{probe}"), ("after", probe)):
            row |= _ends(when, some[key])
        null = some["chance"]
        rows.append(row | {"chance": float(null.value) if isinstance(null, Quantity) else None})
    return rows


def _ends(when: str, field: Quantity | Label | Declined) -> dict[str, float | None]:
    if not isinstance(field, Quantity) or not field.of or field.interval is None:
        return dict.fromkeys((when, f"{when}-low", f"{when}-high"))
    return {when: field.value / field.of, f"{when}-low": field.interval.low, f"{when}-high": field.interval.high}
