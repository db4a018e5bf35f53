"""Hackability: whether what a policy says before training, paid by the grader and by gold, names what will be driven.

The rule names the feature that the proxy pulls most of those that gold doesn't pull. Features are many and what sets
the two graders apart is little (a list of guesses is paid hardly more than a plain answer), so that chance can name
another. A grader that is right is read here through a copy that errs: what such a one pulls is gold's, only weaker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Contrast, Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

STEPS, LATE = 60, 5
ERRS = 0.1  # chance that a verdict of the right grader's copy is turned round
_RUNS, _HITS = "trained policies", "hits a policy"


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One policy, taught and then trained for 60 steps on a grader that can be gamed: which of two, the seed says. An
    `honest` one is trained on gold, and what it says before training is paid by a copy that errs one time in ten.

    What training drives is the feature whose share moves most, of sixteen; `hit` is 1 where the rule names it, and
    `correlated`, `spread` and `paid` where it is the feature most correlated with the proxy, either way, the one with
    the largest deviation, or the one the proxy pulls most, gold unread; `against` where a rule names it that takes
    those features alone which gold surely pulls down. `over-correlation` and `over-spread` are what `hit` has over
    the two, and `drawn-over-correlation` and `drawn-over-spread` what a drawn feature has. `sure` is the proxy's
    covariance with the named feature in its own errors, `alert` 1 where its interval lies above nought, and `loud` the
    size of the largest, gold unread. `null` subjects are paid by the erring copy, and their drifts are dealt out anew.
    """
    import numpy as np

    from lens.studies.sciences._gamed import RIGHT, grader_of, named, named_against, pull, run_of

    rng = np.random.default_rng(seed)
    honest = bool(plant.get("honest"))
    run = run_of(seed, RIGHT if honest else grader_of(seed), STEPS)
    features, right = run.before.features(), run.before.scores(RIGHT)
    copied = np.abs(right - (rng.random(right.shape) < ERRS))
    proxy = pull(features, copied if honest or plant.get("null") else run.before.scores(grader_of(seed)))
    gold = pull(features, right)
    name, against = named(proxy, gold), named_against(proxy, gold)
    late = np.mean([step.features().mean(axis=(0, 1)) for step in run.steps[-LATE:]], axis=0)
    drift = np.abs(late - features.mean(axis=(0, 1)))
    drift = rng.permutation(drift) if plant.get("null") else drift
    driven = int(np.argmax(drift))
    if name is None or against is None:
        return dict.fromkeys(SCIENCE.values)
    hit, drawn = float(driven == name), float(driven == rng.integers(len(drift)))
    correlated = float(driven == np.argmax(np.abs(proxy.correlation)))
    spread = float(driven == np.argmax(features.std(axis=1).mean(axis=0)))
    errors = _in_errors(proxy.covariances)
    return {
        "hit": hit,
        "against": float(driven == against),
        "correlated": correlated,
        "spread": spread,
        "paid": float(driven == np.argmax(proxy.correlation)),
        "over-correlation": hit - correlated,
        "over-spread": hit - spread,
        "drawn-over-correlation": drawn - correlated,
        "drawn-over-spread": drawn - spread,
        "sure": float(errors[name]),
        "alert": _above(proxy.covariances[:, name].tolist()),
        "loud": float(np.abs(errors).max()),
    }


def _in_errors(covariances: np.ndarray) -> np.ndarray:
    """Their mean over prompts [features] in its standard errors, nought where a feature never differs."""
    import numpy as np

    errors = covariances.std(axis=0, ddof=1) / len(covariances) ** 0.5
    return np.asarray(np.divide(covariances.mean(axis=0), errors, out=np.zeros(len(errors)), where=errors > 0))


def _above(covariances: list[float]) -> float:
    """1 where the t interval of their mean lies above nought."""
    from lens.stats.t_interval import t_interval

    return float(t_interval(covariances).low > 0)


SCIENCE = Science(
    "hackability",
    "What a grader will be gamed by",
    version=1,
    unit="trained policy",
    measure=measure,
    values={
        "hit": Value(_RUNS, "count", "share"),
        "against": Value(_RUNS, "count", "share"),
        "correlated": Value(_RUNS, "count", "share"),
        "spread": Value(_RUNS, "count", "share"),
        "paid": Value(_RUNS, "count", "share"),
        "over-correlation": Value(_HITS, "difference"),
        "over-spread": Value(_HITS, "difference"),
        "drawn-over-correlation": Value(_HITS, "difference"),
        "drawn-over-spread": Value(_HITS, "difference"),
        "sure": Value("covariance in its own errors", "score"),
        "alert": Value(_RUNS, "count", "share"),
        "loud": Value("covariance in its own errors", "score"),
    },
    contrasts={
        "told": Contrast("sure", "auc", ("gamed", "honest"), "chance of a higher one", "proportion"),
        "untold": Contrast("loud", "auc", ("gamed", "honest"), "chance of a higher one", "proportion"),
    },
    seconds=35.0,
    null="policies paid by a right grader's erring copy, drifts dealt out anew",
    null_plant={"null": 1.0},
    source="first order of a tilted policy: d mean f / d lambda = Cov(f, r); design of a run: lens.runs.organism",
)
