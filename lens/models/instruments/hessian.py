"""Hessian: how sharply the preference loss bends in the last block and the head."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models.inspection import Inspection
from lens.models.network import elsewhere
from lens.models.price import Price, Probe
from lens.models.summaries import band_field, largest, unreadable
from lens.reading import Columns, Declined, Interval, Kind, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    from lens.models.curvature import Curvature
    from lens.stats.lanczos import Ritz

PROBES = 8  # random vectors: what the intervals are over
STEPS = 16  # products a probe
PAIRS = 16
_UNIT = "loss per squared weight"


def _price(inspection: Inspection, probe: Probe) -> Price:
    pairs = min(len(inspection.pairs.unique), PAIRS)
    products = (PROBES + inspection.controls) * STEPS + PROBES
    seconds = products * 2 * pairs * 6 * probe.batched / max(1, probe.layers)  # one block, forward and twice back
    return Price(seconds + 2 * pairs * (1 + inspection.controls) * probe.forward, 2 * pairs * (1 + inspection.controls))


@instrument(
    "hessian",
    subjects="models",
    title="Curvature",
    quantity="eigenvalues and trace of the preference loss's Hessian in the last block and the head",
    unit=_UNIT,
    needs="grader.backward",
    cost=f"{PROBES} × {STEPS} Hessian-vector products on {PAIRS} pairs, and {STEPS} an untrained copy",
    version=1,
    order=210,
    declines="in half precision, where second differences are rounding, and where there is no stream to read",
    source="Lanczos quadrature (Ubaru, Chen and Saad 2017; Ghorbani et al. 2019); trace by Hutchinson 1990",
    price=_price,
)
def hessian(inspection: Inspection) -> Result:
    """The Hessian of the mean −log σ(margin) over sampled pairs, in the last block's weights and w = w_r ⊙ γ.

    `largest`, `smallest` the extreme Ritz values, `trace` by Rademacher vectors, `negative` the share of Σ |λ| that
    lies below 0 by quadrature: means over probes with t intervals, on fixed pairs; `untrained.largest`, `….trace`
    the same of re-initialised copies. `identity.symmetry` the largest |u'Hv − v'Hu| / (|u||Hv|). Table `density`.
    """
    if (declined := unreadable(inspection)) is not None:
        return Result(declined)
    if inspection.model.dtype != "float32":
        return Result(
            Declined(
                "assumption_violated",
                f"in {inspection.model.dtype} a second difference is mostly rounding",
                "measure in fp32: --dtype float32",
            )
        )
    if elsewhere(inspection.model.network):
        return Result(
            Declined(
                "access_insufficient",
                "the network doesn't fit into its devices: weights that lie elsewhere can't be differentiated by",
                "measure where it fits: --device cpu on a machine with the memory, or map over more devices",
            )
        )
    from lens.models.controls import untrained
    from lens.models.curvature import Curvature

    pairs = inspection.spread(PAIRS)
    own = Curvature.of(inspection.model, pairs)
    probes = [_probe(own, inspection.seed, number) for number in range(PROBES)]
    inspection.advance(2 * len(pairs))
    found = [one["ritz"] for one in probes]
    fields: dict[str, Quantity | Label | Declined] = {
        "largest": _over([max(one.values) for one in found], _UNIT, "score", "untrained.largest"),
        "smallest": _over([min(one.values) for one in found], _UNIT, "score"),
        "trace": _over([one["trace"] for one in probes], _UNIT, "score", "untrained.trace"),
        "negative": _over([negative(one) for one in found], "of the spectrum's size", "proportion"),
    }
    tops, traces = [], []
    for control in range(inspection.controls):
        copy = _probe(Curvature.of(untrained(inspection.model, control), pairs), inspection.seed, 0)
        inspection.advance(2 * len(pairs))
        tops.append(max(copy["ritz"].values))
        traces.append(copy["trace"])
    fields["untrained.largest"] = band_field(tops, unit=_UNIT, kind="score")
    fields["untrained.trace"] = band_field(traces, unit=_UNIT, kind="score")
    fields["identity.symmetry"] = largest([asymmetry(own, inspection.seed)], unit="of |u||Hv|", n=1)
    fields["parameters"] = Label("the last block's weights and the head folded with the final norm")
    fields["size"] = Quantity(own.size, unit="weights", kind="size")
    fields["loss"] = Quantity(float(own.loss()), unit="nats", kind="score", n=len(pairs))
    scope = f"{len(pairs)} pairs, held fixed: intervals are over {PROBES} random vectors, not over pairs"
    return Result(Measured(fields, "largest", scope), {"density": _density(found)})


def negative(ritz: Ritz) -> float:
    """The share of the spectrum's size Σ |λ| that lies below 0, by quadrature."""
    sizes = [abs(value) * weight for value, weight in zip(ritz.values, ritz.weights, strict=True)]
    below = [size for size, value in zip(sizes, ritz.values, strict=True) if value < 0]
    return sum(below) / sum(sizes) if sum(sizes) else 0.0


def asymmetry(curvature: Curvature, seed: int) -> float:
    """|u'Hv − v'Hu| / (|u||Hv|) of two random vectors."""
    u, v = (_signs(curvature, seed, PROBES + number) for number in (0, 1))
    one, other = curvature.product(v), curvature.product(u)
    return float((u @ one - v @ other).abs() / (u.norm() * one.norm()))


def _probe(curvature: Curvature, seed: int, number: int) -> dict[str, Any]:
    from lens.stats.lanczos import lanczos

    signs = _signs(curvature, seed, number)
    return {
        "ritz": lanczos(curvature.product, signs, STEPS),
        "trace": float(signs @ curvature.product(signs)),
    }


def _signs(curvature: Curvature, seed: int, number: int) -> Any:
    import torch

    draw = torch.Generator().manual_seed(seed * 1000 + number)
    return (torch.randint(0, 2, (curvature.size,), generator=draw) * 2.0 - 1.0).to(curvature.trunk.device)


def _over(values: list[float], unit: str, kind: Kind, control: str = "") -> Quantity:
    from lens.stats.t_interval import t_interval

    mean, found = sum(values) / len(values), t_interval(values)
    if kind == "proportion":
        found = Interval(max(0.0, found.low), min(1.0, found.high), found.method, found.level)
    return Quantity(mean, unit=unit, kind=kind, interval=found, n=len(values), control=control)


def _density(found: list[Ritz]) -> Columns:
    rows = [
        (number, value, weight)
        for number, ritz in enumerate(found)
        for value, weight in zip(ritz.values, ritz.weights, strict=True)
    ]
    return {
        "probe": [number for number, _, _ in rows],
        "eigenvalue": [value for _, value, _ in rows],
        "weight": [weight for _, _, weight in rows],
    }
