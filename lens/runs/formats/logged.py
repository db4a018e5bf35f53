"""Numbers that a logger kept, by name and step in the order they were written, and which of them are a run's series.

Hugging Face's callbacks put `train/` and `eval/` before the names its trainer logs, and its trainer logs a summary of
the whole run at the last step. TRL times its own parts before a step is counted. A run that was resumed writes some
steps again: the last counts.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path

from lens.runs.writer import Writer

OF_THE_RUN = ("train_runtime", "train_samples_per_second", "train_steps_per_second", "total_flos", "train_loss")
TIMINGS = "profiling/"
INNER = ("train/global_step", "trainer/global_step", "training/global_step", "global_step", "step")
"""Names under which trainers tell a logger their own step, where the logger counts calls."""
NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""Numbers that JSON can't hold, as Trackio and W&B write them."""
_LEAF = re.compile(r"(?:train/)?rewards/(.+)/mean")


class Logged:
    """16 bytes a number: a long run of many names stays small."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[array[int], array[float]]] = {}

    def add(self, step: int, name: str, value: float) -> None:
        """Raises OverflowError for a step beyond 64 bits."""
        steps, values = self._held.setdefault(name, (array("q"), array("d")))
        steps.append(step)
        values.append(value)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._held)

    @property
    def leaves(self) -> frozenset[str]:
        """TRL's reward functions by name, in no order: a saved log is sorted."""
        return frozenset(match[1] for name in self._held if (match := _LEAF.fullmatch(name)))

    @property
    def last(self) -> int:
        """The last step, 0 where nothing was logged."""
        return max((max(steps) for steps, _ in self._held.values()), default=0)

    def rewards(self) -> list[dict[str, float]]:
        """A row a step: `step`, `reward` and `rewards/NAME/mean`, those that were logged there."""
        found: dict[int, dict[str, float]] = {}
        for name, (steps, values) in self._held.items():
            if (own := name.removeprefix("train/")) == "reward" or _LEAF.fullmatch(own):
                for step, value in zip(steps, values, strict=True):
                    found.setdefault(step, {"step": step})[own] = value
        return list(found.values())

    def write(self, writer: Writer, path: Path | None = None) -> None:
        """Every series under the name that the trainer gave it; what repeats or is left out is told."""
        again: set[int] = set()
        for name, own in self._named().items():
            steps, values = self._held[name]
            last = dict(zip(steps, values, strict=True))
            if len(last) < len(steps):
                again |= {step for step, value in zip(steps, values, strict=True) if _differ(value, last[step])}
            for step, value in last.items():
                writer.series(step, {own: value})
        if again:
            told = f"{len(again)} steps are written again with other numbers, step {min(again)} first"
            writer.found("repeated-step", f"{told}: a run begun again or resumed; the last counts", path)
        _tell_timings(self.names, writer, path)

    def _named(self) -> dict[str, str]:
        hugging_face = "train/epoch" in self._held
        kept = [name for name in self._held if TIMINGS not in name and name.removeprefix("train/") not in OF_THE_RUN]
        own = {name: _own(name, hugging_face) for name in kept}
        return {name: name if own[name] != name and own[name] in self._held else own[name] for name in kept}


def _own(name: str, hugging_face: bool) -> str:
    if hugging_face and name.startswith(("eval/", "test/")):
        return name.replace("/", "_", 1)
    return name.removeprefix("train/")


def _tell_timings(names: tuple[str, ...], writer: Writer, path: Path | None) -> None:
    if timings := sum(TIMINGS in name for name in names):
        writer.found("left-out", f"{timings} timings of the trainer's parts, written before a step is counted", path)


def _differ(one: float, other: float) -> bool:
    return one != other and not (math.isnan(one) and math.isnan(other))


class Rows:
    """Rows of a logger that counts its calls: the step a row tells of itself is the trainer's, where rows tell one."""

    def __init__(self) -> None:
        self.told, self._counted = Logged(), Logged()
        self.calls = array("q")  # by the logger's own count

    def add(self, call: int, row: Mapping[str, float]) -> None:
        """Raises ValueError for a step that is no whole number, OverflowError for one beyond 64 bits."""
        self.calls.append(call)
        inner = next((row[name] for name in INNER if name in row), None)
        if inner is not None and inner % 1:
            raise ValueError(f"step {inner!r} is no whole number")
        kept = self._counted if inner is None else self.told
        for name, value in row.items():
            if name not in INNER:
                kept.add(call if inner is None else int(inner), name, value)

    def settled(self, writer: Writer, path: Path) -> Logged:
        """What is placed at the trainer's steps, or at the logger's where no row tells the trainer's."""
        if not self.told.names:
            return self._counted
        if lost := [name for name in self._counted.names if TIMINGS not in name]:
            named = ", ".join(lost[:4]) + (" and more" if len(lost) > 4 else "")
            writer.found("unplaced-numbers", f"{named}: rows that don't tell the trainer's step", path)
        _tell_timings(self._counted.names, writer, path)
        return self.told


def numbers(row: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    """A row's numbers by name, also those that JSON can't hold and loggers write as text."""
    for name, value in row.items():
        value = NOT_FINITE.get(value, value) if isinstance(value, str) else value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield name, float(value)
