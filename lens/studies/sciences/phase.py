"""Phase: whether a policy remembers where its KL coefficient has been, once it is swept ever more slowly.

Whatever lags is late on the way down and on the way up, and its two ways enclose a loop without any memory. The loop's
line in the rate doesn't rid it of that: at rate nought a lag of a twelfth of the slowest leg still reads a fifth or so
of its widest loop. So the reversible lag that fits a policy's sweeps goes through the same line, and is taken off. What
stays may be a choice between two states, whose loop is closed at its ends, or training that drifts and stays away.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from lens.studies.science import Science, Value, Values

if TYPE_CHECKING:
    import numpy as np

    from lens.studies.sciences._sweep import Lists

NODES = 7  # of the share at rest, evenly spaced over the sweep
LAGS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0)  # steps

_AREA = "share of lists on the way up over that on the way down"


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One policy, trained on a grader that pays for length, its KL coefficient swept from 1 to .05 and back in twice
    12, 24 and 48 steps.

    `fast`, `middle`, `slow` are the areas of the loops: how much higher the share of lists is on the way up than at the
    same coefficient on the way down. `limit` is their line in the rate, at rate nought; `lagging` is the same of the
    reversible lag that fits the sweeps best, and `over` what `limit` has over it. `idle` is `over` of that lag with the
    noise of sampling; where a subject is `reversible`, it is such a lag. `astray` is how far
    above its start the slowest sweep ends, over a sixth of a leg each.
    """
    import numpy as np

    from lens.studies.sciences._sweep import swept

    lists, rng = swept(seed), np.random.default_rng(seed)
    if plant.get("reversible"):
        lists = _sampled(fitted(lists)[0], rng)
    lag, _ = fitted(lists)
    again = _sampled(lag, rng)
    fast, middle, slow = areas(lists)
    found, lagging = limit(lists), limit(lag)
    return {
        "fast": fast,
        "middle": middle,
        "slow": slow,
        "limit": found,
        "lagging": lagging,
        "over": found - lagging,
        "astray": _astray(lists),
        "idle": limit(again) - limit(fitted(again)[0]),
    }


def _sampled(shares: Lists, rng: np.random.Generator) -> Lists:
    """What as many replies as a step has would show."""
    import numpy as np

    from lens.studies.sciences._sweep import REPLIES

    return {leg: (rng.binomial(REPLIES, np.clip(one, 0, 1)) / REPLIES).tolist() for leg, one in shares.items()}


def areas(lists: Lists) -> list[float]:
    """Of each loop, the shortest leg first."""
    return [sum(lists[leg][leg:]) / leg - sum(lists[leg][:leg]) / leg for leg in sorted(lists)]


def _astray(lists: Lists) -> float:
    slowest = max(lists)
    return sum(lists[slowest][-(slowest // 6) :]) / (slowest // 6) - sum(lists[slowest][: slowest // 6]) / (
        slowest // 6
    )


def limit(lists: Lists) -> float:
    """The areas' least-squares line in the rate, which is one over the steps of a leg, at rate 0."""
    import numpy as np

    return float(np.polyfit([1 / leg for leg in sorted(lists)], areas(lists), 1)[1])


def fitted(lists: Lists) -> tuple[Lists, tuple[float, float]]:
    """The sweeps of the reversible lag nearest to these, and its steps at the high and the low coefficient."""
    import numpy as np

    seen = np.concatenate([lists[leg] for leg in lists])
    best: tuple[float, Lists, tuple[float, float]] | None = None
    for ends in product(LAGS, LAGS):
        rows = [_answers(leg, ends) for leg in lists]
        rest, *_ = np.linalg.lstsq(np.concatenate(rows), seen, rcond=None)
        drawn = {leg: (row @ rest).tolist() for leg, row in zip(lists, rows, strict=True)}
        away = float(((np.concatenate(list(drawn.values())) - seen) ** 2).sum())
        if best is None or away < best[0]:
            best = away, drawn, ends
    assert best is not None
    return best[1:]


@cache
def _answers(leg: int, ends: tuple[float, float]) -> np.ndarray:
    """What a lag makes [2 leg, NODES] of being drawn to each node, at rest before the first step.

    Its steps go from one end's to the other's, evenly in the logarithm.
    """
    import numpy as np

    at = np.linspace(0, NODES - 1, leg)
    at = np.concatenate([at, at[::-1]])
    drawn = np.maximum(0, 1 - np.abs(at[:, None] - np.arange(NODES)))
    parts = -np.expm1(-1 / np.geomspace(*ends, NODES * 100 - 99)[np.rint(at * 100).astype(int)])
    found, now = [], drawn[0]
    for one, part in zip(drawn, parts, strict=True):
        found.append(now)
        now = now + (one - now) * part
    return np.array(found)


SCIENCE = Science(
    "phase",
    "What a sweep leaves behind",
    version=1,
    unit="swept policy",
    measure=measure,
    values={
        "fast": Value(_AREA, "difference"),
        "middle": Value(_AREA, "difference"),
        "slow": Value(_AREA, "difference"),
        "limit": Value(_AREA, "difference"),
        "lagging": Value(_AREA, "difference"),
        "over": Value(_AREA, "difference"),
        "idle": Value(_AREA, "difference"),
        "astray": Value("share of lists at a sweep's end over that at its start", "difference"),
    },
    seconds=30.0,
    null="reversible lags with the noise of sampling",
    null_plant={"reversible": 1.0},
    source="loop area against sweep rate: Jung, Gray, Roy and Mandel 1990; design of a run: lens.runs.organism",
)
