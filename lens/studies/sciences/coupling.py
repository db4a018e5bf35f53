"""Coupling: whether a feature watched in place of gold sounds its alarm before gold falls.

The feature is the one that the proxy pulls most of those that gold surely pulls down, before any training: what gold
loses, it loses through such. From there on gold is not read. The feature's share over five steps, as many as gold's
fall is read over, is held against runs in which nothing changes, made of prompts redrawn from before training.
Detectors whose limit is meant for an endless series (CUSUM and its kin) sound on too many short ones; the limit here is
of the highest value in a run of this length.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

    from lens.runs.series.signals import Series
    from lens.studies.sciences._gamed import Run

STEPS, SPAN, SURROGATES, RATE = 70, 5, 1000, 0.01
_RUNS = "trained policies"


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One policy, taught and then trained for 70 steps, on a grader that can be gamed (which of two, the seed says) or,
    `clean`, on gold. Gold falls where its mean over five steps lies a tenth below its highest and the reward has come
    away from it.

    `before` is 1 where the alarm on the named feature sounds and gold falls at a later step, `drawn` the same of a
    feature drawn from the others; `lead` is the steps from the alarm to the fall, either taken to come at the end of
    the run where it doesn't; `alarmed` and `fell` say whether they do. `surrogate` is the share of other redrawn runs
    that sound by the step of the alarm. Where all is `still`, what is watched is redrawn too.
    """
    import numpy as np

    from lens.studies.sciences._gamed import FEATURES, RIGHT, grader_of, named_against, pull, run_of

    rng = np.random.default_rng(seed)
    grader = RIGHT if plant.get("clean") else grader_of(seed)
    run = run_of(seed, grader, STEPS)
    features = run.before.features()
    name = named_against(pull(features, run.before.scores(grader)), pull(features, run.before.scores(RIGHT)))
    pool, shares = features.mean(axis=1), np.array([step.features().mean(axis=1) for step in run.steps])
    if plant.get("still"):
        shares = redrawn(pool, rng)
    fall = fallen(run, grader)
    if name is None:
        return dict.fromkeys(SCIENCE.values)
    others = [at for at in range(len(FEATURES)) if at != name]
    (alarm, surrogate), (other, _) = (watched(pool[:, at], shares[:, :, at], rng) for at in (name, rng.choice(others)))
    return {
        "before": float(alarm < fall < STEPS),
        "drawn": float(other < fall < STEPS),
        "lead": float(fall - alarm),
        "alarmed": float(alarm < STEPS),
        "fell": float(fall < STEPS),
        "surrogate": surrogate,
    }


def redrawn(pool: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """[steps, prompts, ...] of a run in which nothing changes, from prompts [prompts, ...] of before training."""
    import numpy as np

    return np.asarray(pool[rng.integers(len(pool), size=(STEPS, 16))])


def watched(pool: np.ndarray, shares: np.ndarray, rng: np.random.Generator) -> tuple[int, float]:
    """The step of the alarm on shares [steps, prompts], STEPS where there is none, and the share of other redrawn runs
    that sound by then. The limit is passed by one redrawn run in a hundred, whose own beginning is redrawn with it."""
    import numpy as np

    def still() -> np.ndarray:
        begun = pool[rng.integers(len(pool), size=(SURROGATES, len(pool)))].mean(axis=1)
        drawn = pool[rng.integers(len(pool), size=(SURROGATES, *shares.shape))].mean(axis=2)
        return _levels(drawn - begun[:, None])

    limit = float(np.quantile(still().max(axis=1), 1 - RATE))
    alarm = _sounds(_levels((shares.mean(axis=1) - pool.mean())[None]), limit)
    return int(alarm[0]), float(np.mean(_sounds(still(), limit) <= min(int(alarm[0]), STEPS - 1)))


def _levels(values: np.ndarray) -> np.ndarray:
    """Means of the last five steps [runs, steps], -inf before there are five."""
    import numpy as np

    sums = np.cumsum(np.pad(values, ((0, 0), (1, 0))), axis=1)
    found = np.full(values.shape, -np.inf)
    found[:, SPAN - 1 :] = (sums[:, SPAN:] - sums[:, :-SPAN]) / SPAN
    return found


def _sounds(levels: np.ndarray, limit: float) -> np.ndarray:
    """The first step [runs] above the limit, STEPS where there is none."""
    import numpy as np

    from lens.runs.series.watching import NEVER, first_above

    found = first_above(levels, limit)
    return np.where(found == NEVER, STEPS, found)


def fallen(run: Run, grader: str) -> int:
    """The step at which gold falls, STEPS where it doesn't."""
    from lens.runs.series.onset import diverged
    from lens.studies.sciences._gamed import RIGHT

    gold, reward = (_series(run, name, by) for name, by in (("gold", RIGHT), ("reward", grader)))
    found = diverged(gold, reward)
    return STEPS if found is None else found


def _series(run: Run, name: str, grader: str) -> Series:
    from lens.runs.series.signals import SIGNALS, Point, Series

    signal = next(one for one in SIGNALS if one.name == name)
    scores = [step.scores(grader) for step in run.steps]
    points = [Point(at, float(one.mean()), float("nan"), len(one)) for at, one in enumerate(scores)]
    return Series(signal, "rollouts", signal.unit, points)


SCIENCE = Science(
    "coupling",
    "An alarm before gold falls",
    version=1,
    unit="trained policy",
    measure=measure,
    values={
        "before": Value(_RUNS, "count", "share"),
        "drawn": Value(_RUNS, "count", "share"),
        "lead": Value("steps from alarm to fall", "difference"),
        "alarmed": Value(_RUNS, "count", "share"),
        "fell": Value(_RUNS, "count", "share"),
        "surrogate": Value("of redrawn runs", "proportion"),
    },
    seconds=38.0,
    null="runs whose watched features are redrawn from before training",
    null_plant={"still": 1.0},
    source="fall of gold: lens.runs.series.onset; surrogates: trust conventions, A3",
)
