"""Thermodynamics at scale: whether what a reward covaries with in a run's first rollouts says what the run moved.

Runs are named, and read as any run is. Features are of any reply's text. Late steps ask other prompts than early ones,
so that a drift is of the prompts too, as it was in the small study.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.studies.science import Science, Values
from lens.studies.sciences import thermodynamics as small

if TYPE_CHECKING:
    import numpy as np

    from lens.runs.record import Record

EDGE, STEPS, LEAST = 0.05, 20, 40  # share of the steps at either end; steps of a run; rollouts at either end
_WORD = re.compile(r"\w+")

FEATURES: dict[str, Callable[[str], float]] = {
    "characters": lambda reply: float(len(reply)),
    "commas": lambda reply: float(reply.count(",")),
    "digits": lambda reply: float(sum(one.isdigit() for one in reply)),
    "lines": lambda reply: float(reply.count("\n")),
    "capitals": lambda reply: float(sum(one.isupper() for one in reply)),
    "questions": lambda reply: float(reply.count("?")),
    "repeats": lambda reply: float(len(words := _WORD.findall(reply)) - len(set(words))),
    "longest": lambda reply: float(max(map(len, _WORD.findall(reply)), default=0)),
}


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same of a made-up run, whose features drift by their pull and by as much that has nothing to do with it."""
    import numpy as np

    rng = np.random.default_rng(seed)
    count = len(FEATURES)
    sizes, pull = np.exp(rng.standard_normal(count)), rng.standard_normal(count)
    values = rng.standard_normal((8 * LEAST, count))
    reward = values @ pull + rng.standard_normal(len(values))
    late = sizes * (pull + rng.standard_normal(count)) / 2
    return _ordered(values * sizes, reward, [at // 4 for at in range(len(values))], late, rng, plant)


def read(spec: str, _seed: int, plant: Mapping[str, float]) -> Values:
    """One run: pull in the first twentieth of its steps, drift to the last. `order`, `spread`, `gain`, `chance` and
    `idle` are what they are in the small study, over eight features of any text.

    Raises UsageError for a run that logs no reward, no text, or fewer than two replies to a prompt, and a short one.
    """
    import numpy as np

    from lens.runs.opening import open_run

    record = open_run(spec)
    first, last = _ends(record, spec)
    early, late = (_texts(record, *span) for span in (first, last))
    prompts = [group for group, _, _ in early]
    if len(early) < LEAST or len(late) < LEAST or len(set(prompts)) > len(prompts) / 2:
        raise _wanting(
            spec, f"its first and last steps hold {len(early)} and {len(late)} rollouts with text and reward"
        )
    values, after = (np.array([[of(text) for of in FEATURES.values()] for *_, text in some]) for some in (early, late))
    rng = np.random.default_rng(int(record.header.fingerprint[:16], 16))
    return _ordered(values, np.array([reward for _, reward, _ in early]), prompts, after.mean(axis=0), rng, plant)


def fingerprint(spec: str) -> str:
    """Of the run, before anything of it is read."""
    from lens.runs.opening import find_run

    return find_run(spec).fingerprint


def _ends(record: Record, spec: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last steps, each a twentieth of them."""
    texts = [name for name, *_ in record.sql("DESCRIBE SELECT * FROM texts")] if record.has("texts") else []
    for there, what in (("completion" in texts, "text of a reply"), ("reward" in record.columns, "reward")):
        if not there:
            raise _wanting(spec, f"it logs no {what}")
    steps = [step for (step,) in record.sql("SELECT DISTINCT step FROM rollouts ORDER BY step")]
    if len(steps) < STEPS:
        raise _wanting(spec, f"it has {len(steps)} steps")
    edge = max(1, round(EDGE * len(steps)))
    return (steps[0], steps[edge - 1]), (steps[-edge], steps[-1])


def _wanting(spec: str, why: str) -> UsageError:
    return UsageError(
        f"{spec}: {why}, and no drift can be read",
        remedy=f"a run of {STEPS} steps or more that logs rewards and texts, of two replies to a prompt or more",
    )


def _texts(record: Record, first: int, last: int) -> list[tuple[int, float, str]]:
    """Group, reward and reply of every rollout of these steps that has them."""
    return [
        (int(group), float(reward), str(text))
        for group, reward, text in record.sql(
            'SELECT rollouts."group", rollouts.reward, texts.completion FROM rollouts JOIN texts USING (row) '
            "WHERE step BETWEEN ? AND ? AND isfinite(reward) AND completion IS NOT NULL ORDER BY row",
            [first, last],
        )
    ]


def _ordered(
    values: np.ndarray,
    reward: np.ndarray,
    prompts: Sequence[int],
    late: np.ndarray,
    rng: np.random.Generator,
    plant: Mapping[str, float],
) -> Values:
    """Of features [rollouts, 8] and rewards of the first steps, and the features' means in the last."""
    from lens.stats.correlation import spearman

    within, paid = small._within(values, prompts), small._within(reward[:, None], prompts)
    sizes, size = within.std(axis=0), float(paid.std())
    told = sizes > 0
    if told.sum() < small.LEAST or size == 0:
        return dict.fromkeys(SCIENCE.values)
    pull = (within * paid).mean(axis=0)[told] / (sizes[told] * size)
    drift = (late - values.mean(axis=0))[told] / sizes[told]
    dealt = rng.permutation(drift)
    drift = rng.permutation(drift) if plant.get("shuffled") else drift
    order, spread, chance, drifted = (
        spearman(by.tolist(), of.tolist())
        for by, of in ((pull, drift), (sizes[told], drift), (pull, dealt), (sizes[told], dealt))
    )
    return {
        "order": order,
        "spread": spread,
        "gain": order - spread,
        "chance": chance,
        "idle": chance - drifted,
    }


SCIENCE = Science(
    "thermodynamics-at-scale",
    "What a reward will move, at scale",
    version=1,
    unit="run of a policy",
    measure=measure,
    values=small.SCIENCE.values,
    seconds=2.0,
    null=small.SCIENCE.null,
    null_plant=small.SCIENCE.null_plant,
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
