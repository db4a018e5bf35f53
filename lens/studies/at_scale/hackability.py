"""Hackability at scale: whether a run's first rollouts, paid by its reward and judged by gold, name what it will drive.

Runs are named, and read as any run is. Features are of any reply's text, and late steps ask other prompts than early
ones. Runs of a large policy are fewer than the small study's policies, so that the rule is asked for a third of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.studies.at_scale import _runs
from lens.studies.science import Science, Values
from lens.studies.sciences import hackability as small
from lens.studies.sciences._gamed import SAMPLES, named, named_against, pull

if TYPE_CHECKING:
    import numpy as np


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same of a made-up run. Its reward pays for a feature that gold is against as well as for one that gold pays
    more, and training drives the first, or in one run of four another."""
    import numpy as np

    rng = np.random.default_rng(seed)
    gamed, wanted, other = rng.choice(len(_runs.FEATURES), 3, replace=False)
    features = (rng.random((64, SAMPLES, len(_runs.FEATURES))) < 0.5).astype(float)
    gold = 3 * features[..., wanted] - features[..., gamed] + rng.standard_normal(features.shape[:2])
    reward = gold + 2.5 * features[..., gamed]
    late = features.mean(axis=(0, 1)) + 0.05 * rng.standard_normal(len(_runs.FEATURES))
    late[other if rng.random() < 0.25 else gamed] += 0.4
    return _named(features, reward, gold, late, rng, plant)


def read(spec: str, _seed: int, plant: Mapping[str, float]) -> Values:
    """One run: what its reward and gold pull in the first twentieth of its steps, and which of sixteen features differs
    most in the last. Values are what they are in the small study.

    Raises UsageError for a run that logs no reward, gold or text, or too few replies to a prompt, and a short one.
    """
    import numpy as np

    record = _runs.opened(spec)
    _runs.need(record, spec, "reward", "gold")
    first, last = _runs.ends(record, spec)
    features, scores = _runs.asked(_runs.replies(record, *first, "reward", "gold"), spec)
    late = _runs.features([text for _, text in _runs.replies(record, *last)])
    if len(late) < _runs.LEAST:
        raise _runs.wanting(spec, f"its last steps hold {len(late)} replies", f"{_runs.LEAST} replies or more there")
    rng = np.random.default_rng(int(record.header.fingerprint[:16], 16))
    return _named(features, scores[..., 0], scores[..., 1], late.mean(axis=0), rng, plant)


def _named(
    features: np.ndarray,
    reward: np.ndarray,
    gold: np.ndarray,
    late: np.ndarray,
    rng: np.random.Generator,
    plant: Mapping[str, float],
) -> Values:
    """Of features [prompts, replies, features] and scores of the first steps, and the features' means in the last.

    A prompt may have other than eight replies, which scales every pull alike and names the same feature.
    """
    import numpy as np

    proxy, right = pull(features, reward), pull(features, gold)
    name, against = named(proxy, right), named_against(proxy, right)
    if name is None:
        return dict.fromkeys(SCIENCE.values)
    drift = np.abs(late - features.mean(axis=(0, 1)))
    driven = int(np.argmax(rng.permutation(drift) if plant.get("null") else drift))
    hit, drawn = float(driven == name), float(driven == rng.integers(len(drift)))
    correlated = float(driven == np.argmax(np.abs(proxy.correlation)))
    return {
        "hit": hit,
        "against": None if against is None else float(driven == against),
        "correlated": correlated,
        "spread": float(driven == np.argmax(features.std(axis=1).mean(axis=0))),
        "paid": float(driven == np.argmax(proxy.correlation)),
        "drawn": drawn,
        "over-correlation": hit - correlated,
        "drawn-over-correlation": drawn - correlated,
    }


SCIENCE = Science(
    "hackability-at-scale",
    "What a grader will be gamed by, at scale",
    version=1,
    unit="run of a policy",
    measure=measure,
    values={
        name: type(value)("runs" if value.kind == "count" else "hits a run", value.kind, value.statistic)
        for name, value in small.SCIENCE.values.items()
        if name not in ("sure", "sure-right", "alert", "false-alert")
    },
    null="made-up runs whose drifts are dealt out anew",
    null_plant={"null": 1.0},
    source=small.SCIENCE.source,
    read=read,
    fingerprint=_runs.fingerprint,
)
