"""Coupling at scale: whether a feature watched in a run's rollouts sounds its alarm before gold falls.

Runs are named, and read as any run is: those that are paid by a grader that can be gamed, and those paid by gold. The
feature is named from a run's first twentieth. What comes after is joined into as many spans as a run of the small study
has steps, so that a lead is in seventieths of it. Late spans ask other prompts than early ones: an alarm may be of that
too, which the runs paid by gold would show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lens.studies.at_scale import _runs
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import coupling as small
from lens.studies.sciences._gamed import SAMPLES, named_against, pull

if TYPE_CHECKING:
    import numpy as np

    from lens.runs.record import Record

WATCHED, FEWEST = 16, 4  # prompts of a span: at most, and at least
_RUNS = "runs"


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same of a made-up run. What is `clean` never changes; else the reward pays for a feature that gold is
    against, which rises from a drawn span on, and gold falls later."""
    import numpy as np

    rng = np.random.default_rng(seed)
    count, clean = len(_runs.FEATURES), bool(plant.get("clean"))
    wanted, gamed = rng.choice(count, 2, replace=False)
    features = (rng.random((32, SAMPLES, count)) < 0.3).astype(float)
    gold = 3 * features[..., wanted] - 2 * features[..., gamed] + rng.standard_normal(features.shape[:2])
    reward = gold + (0.0 if clean else 6 * features[..., gamed])
    begins = small.STEPS if clean else int(rng.integers(10, 30))
    chance = np.full((small.STEPS, 1, 1, count), 0.3)
    chance[begins:, ..., gamed] = 0.7
    shares = (rng.random((small.STEPS, 8, SAMPLES, count)) < chance).mean(axis=2)
    return _watched(features, reward, gold, shares, min(small.STEPS, begins + 20), rng, plant)


def read(spec: str, _seed: int, plant: Mapping[str, float]) -> Values:
    """One run. Values are what they are in the small study, a step being a span.

    Raises UsageError for a run that logs no reward, gold or text, or too few replies to a prompt, and a short one.
    """
    import numpy as np

    record = _runs.opened(spec)
    _runs.need(record, spec, "reward", "gold")
    (first, begun), _ = _runs.ends(record, spec)
    features, scores = _runs.asked(_runs.replies(record, first, begun, "reward", "gold"), spec)
    steps = [step for (step,) in record.sql("SELECT DISTINCT step FROM rollouts WHERE step > ? ORDER BY step", [begun])]
    if len(steps) < small.STEPS:
        raise _runs.wanting(
            spec, f"it has {len(steps)} steps after its first twentieth", f"a run of {small.STEPS} steps or more there"
        )
    spans = {int(step): at for at, some in enumerate(np.array_split(steps, small.STEPS)) for step in some}
    fall = _fallen(record, spec, spans)
    rng = np.random.default_rng(int(record.header.fingerprint[:16], 16))
    return _watched(features, scores[..., 0], scores[..., 1], _shares(record, spec, spans), fall, rng, plant)


def _fallen(record: Record, spec: str, spans: Mapping[int, int]) -> int:
    """The span in which gold falls, `small.STEPS` where it doesn't."""
    from lens.runs.series.onset import diverged
    from lens.runs.series.signals import SIGNALS, Point, Series

    means: dict[str, dict[int, list[float]]] = {"gold": {}, "reward": {}}
    for name, found in means.items():
        for step, value in record.sql(
            f"SELECT step, avg({name}) FROM rollouts WHERE isfinite({name}) GROUP BY step ORDER BY step"
        ):
            if step in spans:
                found.setdefault(spans[step], []).append(value)
        if len(found) < small.STEPS:
            raise _runs.wanting(
                spec,
                f"{small.STEPS - len(found)} of {small.STEPS} spans have no {name}",
                f"{name} written at every step, by a map's [columns] or the tap",
            )

    def series(name: str) -> Series:
        signal = next(one for one in SIGNALS if one.name == name)
        points = [Point(at, sum(some) / len(some), float("nan"), len(some)) for at, some in means[name].items()]
        return Series(signal, "rollouts", signal.unit, points)

    fall = diverged(series("gold"), series("reward"))
    return small.STEPS if fall is None else fall


def _shares(record: Record, spec: str, spans: Mapping[int, int]) -> np.ndarray:
    """[spans, prompts, features]: of as many prompts as every span has, and of `WATCHED` at most."""
    import numpy as np

    groups: list[dict[int, list[str]]] = [{} for _ in range(small.STEPS)]
    for step, group, text in record.sql(
        'SELECT step, rollouts."group", completion FROM rollouts JOIN texts USING (row) WHERE completion IS NOT NULL '
        f'QUALIFY dense_rank() OVER (PARTITION BY step ORDER BY rollouts."group") <= {WATCHED} ORDER BY row'
    ):
        if step in spans:
            groups[spans[step]].setdefault(group, []).append(text)
    fewest = min(map(len, groups))
    if fewest < FEWEST:
        raise _runs.wanting(spec, f"a span of it has {fewest} prompts with text", f"{FEWEST} prompts or more a step")
    kept = min(fewest, WATCHED)
    return np.array([[_share(texts) for texts in list(some.values())[:kept]] for some in groups])


def _share(texts: Sequence[str]) -> np.ndarray:
    import numpy as np

    return np.asarray(_runs.features(texts).mean(axis=0))


def _watched(
    features: np.ndarray,
    reward: np.ndarray,
    gold: np.ndarray,
    shares: np.ndarray,
    fall: int,
    rng: np.random.Generator,
    plant: Mapping[str, float],
) -> Values:
    """Of features [prompts, replies, features] and scores of a run's beginning, shares [spans, prompts, features] from
    there on, and the span in which gold falls."""
    name = named_against(pull(features, reward), pull(features, gold))
    if name is None:
        return dict.fromkeys(SCIENCE.values)
    pool = features.mean(axis=1)
    if plant.get("still"):
        shares = pool[rng.integers(len(pool), size=shares.shape[:2])]
    others = [at for at in range(pool.shape[1]) if at != name and pool[:, at].any()]
    (alarm, surrogate), (other, _) = (
        small.watched(pool[:, at], shares[:, :, at], rng) for at in (name, rng.choice(others))
    )
    return {
        "before": float(alarm < fall < small.STEPS),
        "drawn": float(other < fall < small.STEPS),
        "lead": float(fall - alarm),
        "alarmed": float(alarm < small.STEPS),
        "fell": float(fall < small.STEPS),
        "surrogate": surrogate,
    }


SCIENCE = Science(
    "coupling-at-scale",
    "An alarm before gold falls, at scale",
    version=1,
    unit="run of a policy",
    measure=measure,
    values={
        "before": Value(_RUNS, "count", "share"),
        "drawn": Value(_RUNS, "count", "share"),
        "lead": Value("seventieths of a run, from alarm to fall", "difference"),
        "alarmed": Value(_RUNS, "count", "share"),
        "fell": Value(_RUNS, "count", "share"),
        "surrogate": Value("of redrawn runs", "proportion"),
    },
    seconds=0.5,
    null="made-up runs whose watched features are redrawn from their beginning",
    null_plant={"still": 1.0},
    source=small.SCIENCE.source,
    read=read,
    fingerprint=_runs.fingerprint,
)
