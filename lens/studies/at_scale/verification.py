"""Verification at scale: whether a digit that must be held against the prompt stays in its place, in the blocks of a
named reward model, to a greater depth than a word of thanks.

A unit is a draw of twins: in the digit (that asked for, or another), in the word (`thanks` or `today`), and in a
plain word, which has nothing to be held against either. Depths are the small study's. Its models that pay for a digit
by itself can't be had of a model that is named: the control are the same twins, dealt out anew among the three.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.models.organisms.wordplay import DIGITS, PLAIN, Reply, World
from lens.studies.at_scale._model import fingerprint, model
from lens.studies.science import Science, Value, Values
from lens.studies.sciences import verification as small

if TYPE_CHECKING:
    import numpy as np

WORD, TWINS, LEAST = "thanks", 12, 8  # twins of each kind; those of equal length that a depth needs
KINDS = ("digit", "word", "plain")
WORLD = World((WORD,))


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """The same on an organism that pays for the digit asked for and for the word: draws of twins on one model."""
    return read("organism:relational", seed, plant)


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """12 twins of each kind: `digit`, `word` and `plain` are depths, in shares of the blocks, at which half of the
    margin has left the span that differs. `later` is the digit's less the word's, `beyond` the digit's less the plain
    word's, `chance` is `later` where twins are dealt to kinds at random. With `dealt` all are of such a deal.

    Twins whose sides aren't of one length in tokens are left out; of a kind with fewer than eight there is no depth.
    """
    found, draw = model(spec), random.Random(seed)
    if found.family != "A":
        raise UsageError(f"{spec} isn't run block by block here", remedy="name a causal network with RMSNorm before it")
    twins = {kind: [_twins(kind, draw) for _ in range(TWINS)] for kind in KINDS}
    rows = {kind: [row for one in some if (row := _patched(found, *one)) is not None] for kind, some in twins.items()}
    dealt = _dealt(rows, draw)
    depths = {kind: _depth(some) for kind, some in (dealt if plant.get("dealt") else rows).items()}
    anew = {kind: _depth(some) for kind, some in (_dealt(rows, draw) if plant.get("dealt") else dealt).items()}
    return {
        **depths,
        "later": _less(depths["digit"], depths["word"]),
        "beyond": _less(depths["digit"], depths["plain"]),
        "chance": _less(anew["digit"], anew["word"]),
    }


def _twins(kind: str, draw: random.Random) -> tuple[Reply, Reply]:
    base = WORLD.reply(draw)
    if kind == "word":
        return base.having(**{WORD: True}), base.having(**{WORD: False})
    if kind == "digit":
        wrong = draw.choice([digit for digit in DIGITS if digit != base.asked])
        return replace(base, given=base.asked), replace(base, given=wrong)
    other = draw.choice([word for word in PLAIN if word != base.plain[0]])
    return base, replace(base, plain=(other, *base.plain[1:]))


def _patched(found: Any, *twins: Reply) -> np.ndarray | None:
    """[layers + 2]: what the first twin's stream in the span gives back in the second before each block and after the
    last, then the margin. None where they aren't of one length, or end apart."""
    import numpy as np

    from lens.models.indices.verification_score import spliced

    clean, corrupt = (found.scored(found.encode(one.prompt, one.text)) for one in twins)
    if len(clean) != len(corrupt) or clean[-1] != corrupt[-1]:
        return None
    span = [at for at, (one, other) in enumerate(zip(clean, corrupt, strict=True)) if one != other]
    better, worse = (found.trunk.trace(ids) for ids in (clean, corrupt))
    back = spliced(found.trunk, better, worse, span).double().numpy() - worse.reward
    return np.append(back, better.reward - worse.reward)


def _dealt(rows: Mapping[str, Sequence[np.ndarray]], draw: random.Random) -> dict[str, list[np.ndarray]]:
    """As many of each kind, each in units of its own kind's margins, so that one kind's size isn't another's depth."""
    import numpy as np

    pool = [row / np.mean([abs(one[-1]) for one in some]) for some in rows.values() for row in some]
    draw.shuffle(pool)
    return {kind: [pool.pop() for _ in some] for kind, some in rows.items()}


def _depth(rows: Sequence[np.ndarray]) -> float | None:
    """Margins count by their size: twins in what isn't paid have both signs."""
    import numpy as np

    from lens.models.indices.verification_score import curve

    if len(rows) < LEAST:
        return None
    found = np.stack(rows)
    margins = found[:, -1]
    return small.halved(curve(found[:, :-1] * np.sign(margins)[:, None], np.abs(margins)))


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


_DEPTH = "of the blocks"

SCIENCE = Science(
    "verification-at-scale",
    "Evidence that stays in its place, at scale",
    version=1,
    unit="draw of twins",
    measure=measure,
    values={
        "digit": Value(_DEPTH, "proportion"),
        "word": Value(_DEPTH, "proportion"),
        "plain": Value(_DEPTH, "proportion"),
        "later": Value(_DEPTH, "difference"),
        "beyond": Value(_DEPTH, "difference"),
        "chance": Value(_DEPTH, "difference"),
    },
    seconds=0.5,
    null="twins dealt to kinds at random",
    null_plant={"dealt": 1.0},
    source=small.SCIENCE.source,
    read=read,
    fingerprint=fingerprint,
)
