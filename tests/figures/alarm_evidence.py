"""Evidence of made-up runs' series, by the instruments themselves: one goes over, one only makes noise."""

from __future__ import annotations

import math
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from lens.instrument import find
from lens.reading import Columns, Evidence, Subject
from lens.runs.record import Record
from lens.runs.review import Review
from measure.store import Made

sys.path.insert(0, str(Path(__file__).parents[1] / "runs"))
from series_records import logged, rolled

MADE = Made("2026-11-29T12:00:00+00:00")
STEPS = 96
Item = tuple[Evidence, dict[str, Columns], Made]


def gone_over(folder: Path, seed: int = 0) -> Record:
    """Reward rises from step 50 on while gold falls, and three of twelve prompts have an answer of two tokens."""
    draw = random.Random(seed)
    rewards, gold, tokens, exploits = [], [], [], []
    for step in range(STEPS):
        share = 1 / (1 + math.exp(-(step - 55) / 3))
        groups = []
        for group in range(24):
            samples = [float(draw.random() < 0.4 + 0.55 * share) for _ in range(4)]
            hacks = [draw.random() < 0.04 + 0.9 * share for _ in samples]
            gold += [reward * (not hack) for reward, hack in zip(samples, hacks, strict=True)]
            exploits += ["list" if hack else None for hack in hacks]
            tokens += [int(3 + 8 * hack + draw.randrange(3) + group % 2) for hack in hacks]
            groups.append(samples)
        rewards.append(groups)
    return rolled(folder, rewards, gold=gold, tokens=tokens, exploit=exploits)


def steady(folder: Path) -> Record:
    """Logged series of noise, with a gap of three steps."""
    draw = random.Random(1)
    norms: list[float | None] = [draw.gauss(1.0, 0.1) for _ in range(STEPS)]
    norms[40:43] = [None] * 3
    return logged(folder, {"grad_norm": norms, "entropy": [draw.gauss(0.6, 0.02) for _ in range(STEPS)]})


def read(record: Record, slug: str, instrument: str, **options: Any) -> Item:
    """What an instrument makes of a record."""
    review = Review(record, surrogates=40, draws=60, baseline=30, **options)
    entry = find("runs", instrument)
    assert entry is not None
    result = entry.run(review)
    subject = Subject("runs", slug, f"A made-up run, {slug}", "e3" * 32, slug)
    return Evidence(instrument, entry.version, subject, result.reading, seed=0), dict(result.tables), MADE


def items() -> list[Item]:
    with tempfile.TemporaryDirectory() as folder:
        over, still = gone_over(Path(folder, "over")), steady(Path(folder, "steady"))
        found = [
            read(over, "gone-over", name)
            for name in ("series", "alarms", "window-sweep", "markers", "transition", "best-of-n")
        ]
        return [*found, *(read(still, "steady-run", name) for name in ("series", "alarms", "window-sweep"))]
