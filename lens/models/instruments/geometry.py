"""Geometry of a reward: how far what the head reads is what each concept says, without a basis in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.instrument import instrument
from lens.models.concept import Concept, concepts, cosine
from lens.models.geometry import TooFewRows, covariance, epic, inside
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.price import forwards
from lens.models.streams import STREAMS, Streams, normed, streams
from lens.models.summaries import few, largest, unreadable
from lens.names import kebab
from lens.reading import Columns, Declined, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.price import Probe
    from lens.price import Price

NULLS = 200
RIDGE = 1e-2  # of the mean variance, in the concept's readout

_Fields = dict[str, Any]


def _price(inspection: Inspection, probe: Probe) -> Price | Declined:
    return (STREAMS if inspection.model.trunk is not None else forwards(2))(inspection, probe)


@instrument(
    "geometry",
    subjects="models",
    title="What the head reads",
    quantity="correlation, inside prompts, of the reward with what each concept's own readout says",
    unit="within prompts",
    needs="grader.query",
    cost="2 × pairs, shared with concepts",
    version=2,
    order=190,
    declines="with no more texts than dimensions; networks without a trunk; raw cosines between models",
    source="whitened canonical angles (Hotelling 1936); Pearson distance of EPIC (Gleave et al. 2021)",
    price=_price,
)
def geometry(inspection: Inspection) -> Result:
    """Compare the head's row with each concept's readout, in the metric of what the head sees.

    x is the stream after the final norm, its scale taken out: reward = w·x + b. A concept's readout u is ridge
    regression of the side, on half of its prompts; Σ is the covariance of x inside prompts, unshrunk, over the texts of
    the others. A concept c: `c.whitened` w'Σu / √(w'Σw · u'Σu), the correlation of the reward with what u says, its
    control `c.null` the 95th percentile of its size for readouts of what the sides differ in besides, their mean
    difference taken out and the rest in random order; `c.distance` √((1 − ρ)/2),
    its Pearson distance; `c.raw` the cosine as the numbers stand, which depends on the basis. `together` the same for
    the sum of all readouts that says most of the reward on the texts they were fitted on. `identity` the largest
    difference between a whitened cosine and the correlation it equals. For a model of several members: `A.B.distance`
    between what two say of the same pairs, inside prompts; their heads live in different bases, so `A.B.raw` declines.
    """
    if getattr(inspection.model, "members", ()):
        return _members(inspection)
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    made, thin = concepts(inspection)
    if not made:
        return Result(next(iter(thin.values())))
    found = streams(inspection)
    x, w = normed(inspection, found)
    read = {pair.number for concept in made.values() for pair in concept.fit}
    fresh = [pair for pair in found.pairs if pair.number not in read]
    sides = x[found.rows(fresh)]
    prompts = [repr(pair.prompt) for pair in fresh for _ in range(2)]
    rows, free = inside(sides.reshape(-1, x.shape[-1]), prompts)
    d = rows.shape[1]
    try:
        sigma = covariance(rows, free)
    except TooFewRows:
        return Result(
            Declined(
                "corpus_inadequate",
                f"{free} degrees of freedom in {d} dimensions: the covariance of these texts is not the network's",
                f"give at least {2 * (d + 1)} pairs: half of the prompts are left to read on",
            )
        )
    readouts = {name: _readout(x, found, concept) for name, concept in made.items()}
    about = _About(w, sigma, rows, [pair.cluster for pair in fresh for _ in range(2)])
    fields: _Fields = {f"{name}.whitened": refused for name, refused in thin.items()}
    off = []
    for name, u in readouts.items():
        fields[f"{name}.whitened"], difference = about.whitened(inspection, u, control=f"{name}.null")
        fields |= {f"{name}.{key}": value for key, value in _beside(inspection, x, found, made[name], about, u).items()}
        off.append(difference)
    others = x[found.rows([pair for pair in found.pairs if pair.number in read])]
    fields["together"], difference = about.whitened(inspection, _together(w, others, list(readouts.values())))
    fields["identity"] = largest([*off, difference], unit="within prompts", n=len(off) + 1)
    scope = f"{len(rows)} texts of {inspection.pairs.name} whose prompts no readout was fitted on; {d} dimensions"
    return Result(Measured(fields, "together", scope), {"concepts": _table(fields, made)})


def _readout(x: np.ndarray, found: Streams, concept: Concept, signs: np.ndarray | None = None) -> np.ndarray:
    """Ridge regression of the side on x: [d]; with k rows of `signs`, of what is left once the mean difference is taken
    out, its pairs turned round by them: [k, d]. A correlation knows no length, so a concept that all pairs share would
    else come back whole, however few of them are left after turning."""
    import numpy as np

    sides = x[found.rows(concept.fit)]
    rows = sides.reshape(-1, x.shape[-1])
    gram = np.cov(rows.T)
    gram += RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
    differences = sides[:, 0] - sides[:, 1]
    mean = differences.mean(axis=0)
    means = mean if signs is None else signs @ (differences - mean) / len(differences)
    return np.linalg.solve(gram, means.T).T


class _About(NamedTuple):
    """The head's row w, Σ, and the centred rows [n, d] it is of, with the cluster of each."""

    w: np.ndarray
    sigma: np.ndarray
    rows: np.ndarray
    clusters: list[str]

    def whitened(self, inspection: Inspection, u: np.ndarray, control: str = "") -> tuple[Quantity | Declined, float]:
        """The whitened cosine of w and u, and how far it is from the correlation it equals."""
        from lens.stats.correlation import pearson
        from lens.stats.means import few
        from lens.stats.within import interval_of

        value = cosine(self.w, u, self.sigma)
        one, other = (self.rows @ row for row in (self.w, u))
        interval = interval_of(
            one.tolist(), other.tolist(), self.clusters, seed=inspection.seed, draws=inspection.draws
        )
        off = abs(value - pearson(one, other))
        if interval is None:
            return few(len(set(self.clusters)), least=20), off
        return Quantity(
            value, "within prompts", "correlation", interval=interval, n=len(self.rows), control=control
        ), off


def _beside(
    inspection: Inspection, x: np.ndarray, found: Streams, concept: Concept, about: _About, u: np.ndarray
) -> _Fields:
    import numpy as np

    order = list(dict.fromkeys(pair.cluster for pair in concept.fit))
    signs = np.random.default_rng(inspection.seed).choice([-1.0, 1.0], (NULLS, len(order)))
    each = signs[:, [order.index(pair.cluster) for pair in concept.fit]]
    null = [abs(cosine(about.w, one, about.sigma)) for one in _readout(x, found, concept, each)]
    note = "95th percentile of its size"
    distance = epic(cosine(about.w, u, about.sigma))
    return {
        "null": Quantity(float(np.quantile(null, 0.95)), "within prompts", "correlation", n=NULLS, note=note),
        "raw": Quantity(cosine(about.w, u), "of this basis", "correlation"),
        "distance": Quantity(distance, "Pearson distance", "difference", n=len(about.rows)),
    }


def _together(w: np.ndarray, sides: np.ndarray, readouts: Sequence[np.ndarray]) -> np.ndarray:
    """The sum of readouts whose difference between a pair's sides [P, 2, d] is nearest to the reward's: [d]."""
    import numpy as np

    differences = sides[:, 0] - sides[:, 1]
    rows = np.stack(readouts)
    weights, *_ = np.linalg.lstsq(differences @ rows.T, differences @ w, rcond=None)
    return np.asarray(weights @ rows)


def _table(fields: _Fields, made: dict[str, Concept]) -> Columns:
    def of(name: str, key: str) -> float | None:
        field = fields.get(f"{name}.{key}")
        return float(field.value) if isinstance(field, Quantity) else None

    keys = ("whitened", "null", "raw", "distance")
    return {"concept": list(made), **{key: [of(name, key) for name in made] for key in keys}}


def _members(inspection: Inspection) -> Result:
    """Distances between members by what they say of shared items."""
    import numpy as np

    from lens.stats.within import correlations, interval_of

    pairs: Sequence[Pair] = inspection.used_pairs().unique
    if (refused := few(pairs, least=20)) is not None:
        return Result(refused)
    members = inspection.model.members  # type: ignore[attr-defined]
    columns = []
    for member in members:
        texts = [member.encode(pair.prompt, reply) for pair in pairs for reply in (pair.chosen, pair.rejected)]
        rewards = np.array(member.rewards(texts), float).reshape(-1, 2)
        inspection.advance(len(texts))
        columns.append(rewards[:, 0] - rewards[:, 1])
    deltas = np.stack(columns, axis=1)
    table = correlations(deltas)
    clusters = [pair.cluster for pair in pairs]
    names = _named([member.slug for member in members])
    fields: _Fields = {}
    for i in range(len(names)):
        for j in range(i + 1, len(names)):
            interval = interval_of(
                deltas[:, i].tolist(), deltas[:, j].tolist(), clusters, seed=inspection.seed, draws=inspection.draws
            )
            key = f"{names[i]}.{names[j]}"
            fields[f"{key}.distance"] = (
                few(pairs, least=20)
                if interval is None
                else Quantity(
                    epic(float(table[i, j])), "Pearson distance", "difference", n=len(pairs),
                    interval=type(interval)(epic(interval.high), epic(interval.low), interval.method, interval.level),
                )
            )  # fmt: skip
            fields[f"{key}.raw"] = Declined(
                "assumption_violated",
                "two networks' streams have no common basis, so a cosine between their heads says nothing",
                f"read {key}.distance: it compares what they say of the same pairs",
            )
    scope = f"{len(names)} members on {len(pairs)} pairs of {inspection.pairs.name}, inside prompts"
    return Result(Measured(fields, next(iter(fields)), scope), {"members": _distances(names, table)})


def _named(slugs: Sequence[str]) -> list[str]:
    """Members' names, told apart by their number where two are called alike."""
    return [kebab(slug) if list(slugs).count(slug) == 1 else f"{kebab(slug)}-{at + 1}" for at, slug in enumerate(slugs)]


def _distances(names: Sequence[str], table: np.ndarray) -> Columns:
    import numpy as np

    count = len(names)
    known = [float(value) if np.isfinite(value) else None for value in table.ravel()]
    return {
        "member": [names[i] for i in range(count) for _ in range(count)],
        "other": [names[j] for _ in range(count) for j in range(count)],
        "correlation": known,
        "distance": [None if value is None else epic(value) for value in known],
    }
