"""Phase at scale: whether a large policy remembers where its KL coefficient has been, once it is swept more slowly.

Runs are named, and read as any run is. A run holds sweeps at two rates or more, each down and up again in as many
steps, evenly in the coefficient's logarithm; between them the coefficient may rest at its highest. Steps are joined, so
that the shortest leg counts twelve, as in the small study, whose lags are in those units. What is watched is the
feature that the reward pulls most while the coefficient rests at its highest, before any sweep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.studies.at_scale import _runs
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import phase as small
from lens.studies.sciences._gamed import pull
from lens.studies.sciences._sweep import LEGS, REPLIES

if TYPE_CHECKING:
    import numpy as np

    from lens.runs.record import Record
    from lens.studies.sciences._sweep import Lists

NAMES = ("beta", "kl_coef", "actor/kl_coef")  # of a trainer's series, or of numbers beside a rollout, `extra.NAME`
SHORTEST, RATES = LEGS[0], 2  # steps of a leg, and legs of other lengths
UNEVEN = 0.05  # of a sweep's logarithm, that a step of it may be off

_AREA = "share of replies on the way up over that on the way down"


class Sweep(NamedTuple):
    """Steps on the way down and on the way up, as many."""

    down: list[int]
    up: list[int]


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same of made-up sweeps: a share that lags behind its rest, and on the way up lies above it by a drawn loop
    that no slower sweep closes."""
    import numpy as np

    rng = np.random.default_rng(seed)
    rest = np.sort(rng.uniform(0.1, 0.8, small.NODES))
    ends = float(rng.choice(small.LAGS[:6])), float(rng.choice(small.LAGS[:8]))
    loop, lists = float(rng.uniform(0, 0.1)), {}
    for leg in LEGS:
        away = loop * np.sin(np.linspace(0, np.pi, leg))
        lists[leg] = (small._answers(leg, ends) @ rest + np.concatenate([-away / 2, away / 2])).tolist()
    return _looped(_sampled(lists, REPLIES, rng), REPLIES, rng, plant)


def read(spec: str, _seed: int, plant: Mapping[str, float]) -> Values:
    """One run. Values are what they are in the small study, of one of sixteen features of any reply in place of lists.

    Raises UsageError for a run that logs no coefficient, reward or text, and one that doesn't sweep it so.
    """
    import numpy as np

    record = _runs.opened(spec)
    _runs.need(record, spec, "reward")
    held = _coefficients(record, spec)
    sweeps = _sweeps(held, spec)
    first = sweeps[0].down[0]
    features, scores = _runs.asked(_runs.replies(record, min(held), first, "reward"), spec)
    name = int(np.argmax(pull(features, scores[..., 0]).correlation))
    shares, counts = _shares(record, spec, name, sweeps)
    lists, joined = _joined(sweeps, shares)
    replies = round(float(np.median(list(counts.values()))) * joined)
    rng = np.random.default_rng(int(record.header.fingerprint[:16], 16))
    return _looped(lists, replies, rng, plant)


def _coefficients(record: Record, spec: str) -> dict[int, float]:
    """By step, as the trainer logged it."""
    for name in NAMES:
        if found := record.series(name):
            return {step: values[name] for step, values in sorted(found.items())}
        if f"extra.{name}" in record.columns:
            return dict(
                record.sql(f'SELECT step, avg("extra.{name}") AS held FROM rollouts GROUP BY step ORDER BY step')
            )
    raise _runs.wanting(
        spec,
        f"it has no series {' or '.join(NAMES)}, and no extra.{NAMES[0]}",
        f"name the run with a map behind it, 'RUN --map FILE', that says series = [\"{NAMES[0]}\"], or record the next "
        f'one with the tap: log(step, {{"{NAMES[0]}": …}})',
    )


def _sweeps(held: Mapping[int, float], spec: str) -> list[Sweep]:
    """Whole sweeps, in their order. Raises UsageError where they aren't even, or too few."""
    import numpy as np

    def refused(why: str) -> Exception:
        return _runs.wanting(
            spec,
            why,
            f"sweeps of its coefficient at {RATES} rates or more, each down and up again in as many steps, {SHORTEST} "
            "or more, evenly in its logarithm",
        )

    steps, values = list(held), np.array(list(held.values()), float)
    if not (np.isfinite(values) & (values > 0)).all() or np.ptp(values) == 0:
        raise refused("its coefficient is the same at every step, or not above nought")
    logs = np.log(values)
    top, bottom = logs.max(), logs.min()
    off = UNEVEN * (top - bottom)
    found = []
    for begin, end in _below(logs < top - 1e-9):
        if not begin or end == len(steps):
            continue  # it began before the record, or goes on after it
        inside = range(begin - 1, end + 1)
        leg, odd = divmod(len(inside), 2)
        way = np.linspace(top, bottom, leg)
        if odd or leg < SHORTEST or np.abs(logs[inside] - np.concatenate([way, way[::-1]])).max() > off:
            raise refused(f"its coefficient doesn't go down and up evenly from step {steps[begin - 1]} on")
        found.append(Sweep([steps[at] for at in inside[:leg]], [steps[at] for at in inside[leg:]]))
    if len({len(sweep.down) for sweep in found}) < RATES:
        raise refused(f"it sweeps its coefficient at {len({len(sweep.down) for sweep in found})} rates")
    return found


def _below(there: np.ndarray) -> list[tuple[int, int]]:
    """Begin and end, past it, of every stretch where it is true."""
    import numpy as np

    edges = np.flatnonzero(np.diff(np.concatenate([[False], there, [False]]).astype(int)))
    return [(int(begin), int(end)) for begin, end in zip(edges[::2], edges[1::2], strict=True)]


def _shares(record: Record, spec: str, name: int, sweeps: Sequence[Sweep]) -> tuple[dict[int, float], dict[int, int]]:
    """Of replies with the feature, and replies, by step of a sweep."""
    shares, counts = {}, {}
    for sweep in sweeps:
        for step in (*sweep.down, *sweep.up):
            texts = [text for _, text in _runs.replies(record, step, step)]
            if not texts:
                raise _runs.wanting(spec, f"step {step} of a sweep has no text", "replies written at every step")
            shares[step], counts[step] = float(_runs.features(texts)[:, name].mean()), len(texts)
    return shares, counts


def _joined(sweeps: Sequence[Sweep], shares: Mapping[int, float]) -> tuple[Lists, float]:
    """The shares by leg, sweeps of one leg averaged, in units of which the shortest leg has twelve; and their steps."""
    import numpy as np

    joined = min(len(sweep.down) for sweep in sweeps) / SHORTEST
    found: dict[int, list[np.ndarray]] = {}
    for sweep in sweeps:
        leg = round(len(sweep.down) / joined)
        ways = [np.array_split([shares[step] for step in way], leg) for way in sweep]
        found.setdefault(leg, []).append(np.array([float(some.mean()) for way in ways for some in way]))
    return {leg: np.mean(some, axis=0).tolist() for leg, some in found.items()}, joined


def _sampled(shares: Lists, replies: int, rng: np.random.Generator) -> Lists:
    """What so many replies a unit of time would show."""
    import numpy as np

    return {leg: (rng.binomial(replies, np.clip(one, 0, 1)) / replies).tolist() for leg, one in shares.items()}


def _looped(lists: Lists, replies: int, rng: np.random.Generator, plant: Mapping[str, float]) -> Values:
    """Of shares by leg, and how many replies stand behind each."""
    if plant.get("reversible"):
        lists = _sampled(small.fitted(lists)[0], replies, rng)
    lag, _ = small.fitted(lists)
    again = _sampled(lag, replies, rng)
    areas, found, lagging = small.areas(lists), small.limit(lists), small.limit(lag)
    return {
        "fast": areas[0],
        "slow": areas[-1],
        "limit": found,
        "lagging": lagging,
        "over": found - lagging,
        "astray": small._astray(lists),
        "idle": small.limit(again) - small.limit(small.fitted(again)[0]),
    }


SCIENCE = Science(
    "phase-at-scale",
    "What a sweep leaves behind, at scale",
    version=1,
    unit="swept run",
    measure=measure,
    values={
        **{name: Value(_AREA, "difference") for name in ("fast", "slow", "limit", "lagging", "over", "idle")},
        "astray": Value("share of replies at a sweep's end over that at its start", "difference"),
    },
    seconds=0.5,
    null="reversible lags with the noise of sampling",
    null_plant={"reversible": 1.0},
    source=small.SCIENCE.source,
    read=read,
    fingerprint=_runs.fingerprint,
)
