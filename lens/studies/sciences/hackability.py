"""Hackability: whether what a policy says before training, paid by the grader and by gold, names what will be driven.

The rule names the feature that the proxy pulls most of those that gold doesn't pull. Features are many and what sets
the two graders apart is little (a list of guesses is paid hardly more than a plain answer), so that chance can name
another. The right grader is read beside it through a copy that errs: what such a one pulls is gold's, only weaker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

STEPS, LATE = 60, 5
ERRS = 0.1  # of the right grader's verdicts


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One policy, taught and then trained for 60 steps on a grader that can be gamed: which of two, the seed says.

    What training drives is the feature whose share moves most, of sixteen; `hit` is 1 where the rule names it, and
    `correlated`, `spread`, `paid` and `drawn` where it is the feature most correlated with the proxy, either way, the
    one with the largest deviation, the one the proxy pulls most, gold unread, or one that is drawn; `against` where a
    rule names it that takes those features alone which gold surely pulls down. `over-correlation` is what `hit` has
    over `correlated`, and `drawn-over-correlation` what `drawn` has.

    `sure` is the proxy's covariance with the named feature in its own errors, and `alert` 1 where its interval lies
    above nought; `sure-right` and `false-alert` are the same for a grader that is right and errs one time in ten, with
    the feature it names. `null` subjects are paid by another erring copy, and their drifts are dealt out anew.
    """
    import numpy as np

    from lens.studies.sciences._gamed import RIGHT, grader_of, named, named_against, pull, run_of

    rng = np.random.default_rng(seed)
    run = run_of(seed, grader_of(seed), STEPS)
    features, right = run.before.features(), run.before.scores(RIGHT)
    gold, copy, other = pull(features, right), pull(features, _erring(right, rng)), pull(features, _erring(right, rng))
    proxy = other if plant.get("null") else pull(features, run.before.scores(grader_of(seed)))
    name, against, copied = named(proxy, gold), named_against(proxy, gold), named(copy, gold)
    if name is None or against is None or copied is None:
        return dict.fromkeys(SCIENCE.values)
    late = np.mean([step.features().mean(axis=(0, 1)) for step in run.steps[-LATE:]], axis=0)
    drift = np.abs(late - features.mean(axis=(0, 1)))
    driven = int(np.argmax(rng.permutation(drift) if plant.get("null") else drift))
    hit, drawn = float(driven == name), float(driven == rng.integers(len(drift)))
    correlated = float(driven == np.argmax(np.abs(proxy.correlation)))
    return {
        "hit": hit,
        "against": float(driven == against),
        "correlated": correlated,
        "spread": float(driven == np.argmax(features.std(axis=1).mean(axis=0))),
        "paid": float(driven == np.argmax(proxy.correlation)),
        "drawn": drawn,
        "over-correlation": hit - correlated,
        "drawn-over-correlation": drawn - correlated,
        "sure": _in_errors(proxy.covariances[:, name]),
        "sure-right": _in_errors(copy.covariances[:, copied]),
        "alert": _above(proxy.covariances[:, name].tolist()),
        "false-alert": _above(copy.covariances[:, copied].tolist()),
    }


def _erring(right: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Verdicts of 0 and 1, each turned round with a small chance."""
    import numpy as np

    return np.asarray(np.abs(right - (rng.random(right.shape) < ERRS)))


def _in_errors(covariances: np.ndarray) -> float:
    """Their mean over prompts in its standard errors."""
    return float(covariances.mean() / (covariances.std(ddof=1) / len(covariances) ** 0.5))


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
        **{
            name: Value("trained policies", "count", "share")
            for name in ("hit", "against", "correlated", "spread", "paid", "drawn")
        },
        **{name: Value("hits a policy", "difference") for name in ("over-correlation", "drawn-over-correlation")},
        **{name: Value("covariance in its own errors", "score") for name in ("sure", "sure-right")},
        **{name: Value("trained policies", "count", "share") for name in ("alert", "false-alert")},
    },
    seconds=35.0,
    null="policies paid by a right grader's erring copy, drifts dealt out anew",
    null_plant={"null": 1.0},
    source="first order of a tilted policy: d mean f / d lambda = Cov(f, r); design of a run: lens.runs.organism",
)
