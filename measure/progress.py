"""Progress with time left, on stderr: a live bar on a terminal, plain lines elsewhere.

Work is weighed by price. Time left is the price still to do at the pace seen so far, so it is right
as soon as prices are right relative to each other, whatever else the machine is doing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

_PRIOR = 0.2  # seconds of work at the predicted pace that the first estimate leans on,
_LEANING = 0.02  # or this share of the whole
_ALMOST = 0.95  # a part never counts as done before it is


class Pace:
    """How much of a priced plan is done, and how long the rest will take.

    plan   name → (CPU seconds, calls) predicted
    clock  seconds, monotonic
    """

    def __init__(self, plan: Mapping[str, tuple[float, int]], clock: Callable[[], float] = time.monotonic) -> None:
        self.plan = {name: (max(seconds, 1e-3), calls) for name, (seconds, calls) in plan.items()}
        self.total = sum(seconds for seconds, _ in self.plan.values())
        self.clock = clock
        self.began = self.entered = clock()
        self.finished = 0.0
        self.current = ""
        self.calls = 0

    def start(self, name: str) -> None:
        self.current, self.calls, self.entered = name, 0, self.clock()

    def advance(self, calls: int) -> None:
        self.calls += calls

    def finish(self) -> None:
        self.finished += self.plan[self.current][0]
        self.current = ""

    @property
    def done(self) -> float:
        """Priced seconds of work behind us."""
        if not self.current:
            return self.finished
        seconds, calls = self.plan[self.current]
        if calls and self.calls:
            share = self.calls / calls
        else:
            share = (self.clock() - self.entered) / (seconds * self._rate(self.finished, self.entered))
        return self.finished + seconds * min(share, _ALMOST)

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 1.0

    @property
    def left(self) -> float:
        """Seconds by the clock until the plan is through."""
        return max(0.0, self.total - self.done) * self._rate(self.done, self.clock())

    def _rate(self, done: float, now: float) -> float:
        prior = max(_PRIOR, _LEANING * self.total)
        return (now - self.began + prior) / (done + prior)


class Progress:
    """Shows a `Pace`. Quiet when `show` is false."""

    def __init__(self, plan: Mapping[str, tuple[float, int]], *, show: bool = True) -> None:
        self.pace = Pace(plan)
        self.show = show
        self.live = show and sys.stderr.isatty()
        self.place = 0
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        if self.live:
            self._bar = _bar(self.pace)
            self._task = self._bar.add_task("starting", total=1.0)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, line: str) -> None:
        """A line of its own."""
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False)
        elif self.show:
            print(line, file=sys.stderr, flush=True)

    def start(self, name: str) -> None:
        self.place += 1
        self.pace.start(name)
        self._update()

    def advance(self, calls: int) -> None:
        self.pace.advance(calls)
        self._update()

    def finish(self, note: str) -> None:
        """The current part ended; `note` is its outcome in a few words."""
        name, took = self.pace.current, self.pace.clock() - self.pace.entered
        self.pace.finish()
        line = f"[{self.place}/{len(self.pace.plan)}] {name}: {note} ({took:.1f} s)"
        if self._bar is not None:
            self._bar.console.print(line, markup=False, highlight=False)
        elif self.show:
            print(f"{line}, about {clock_time(self.pace.left)} left", file=sys.stderr, flush=True)
        self._update()

    def _update(self) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self.pace.share, description=self.pace.current or "writing")


def clock_time(seconds: float) -> str:
    """`8 s`, `3 min`, `1 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _bar(pace: Pace) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as RichProgress
    from rich.text import Text

    class Left(ProgressColumn):
        """Time left by price, asked anew at every refresh."""

        def render(self, task: Task) -> Text:  # noqa: ARG002
            return Text(f"{clock_time(pace.left)} left")

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), Left())
    return RichProgress(*columns, console=Console(stderr=True), transient=True)
