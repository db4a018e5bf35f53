"""How long one grader is waited for, from what it has shown so far.

A grader is given its limits in full until it has timed out twice. From then on a call that takes many times as long as
nearly all answered ones do is not waited for: it is a time-out, and its outcome says after how long. The first
call in a fresh worker, which may import a library, is given the longest such call seen on top.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lens.graders.sandbox.limits import Limits

PROVEN = 2  # time-outs at full patience
SLOW = 0.25  # seconds of a usual call that make a grader slow
RESTART = 0.2  # seconds that a worker's end and the start of the next take
_KEPT = 1000  # answered calls, the latest
_USUAL = 24  # calls that a mean is taken of, the latest
_SLOWER = 4  # times its first calls that a worker's latest take, if they get longer
RENEWED = 24  # calls after which the worker of such a grader is renewed
_FEW = 8  # of them at least
_WORKING = 0.05  # of a call's time on the CPU: then the rest is other work on the machine, and else it waits


class Patience:
    """Seconds are by the clock. `asked` calls, `late` of them timed out, `cut` of these at less than full patience,
    `lost` the seconds these took; `running` counts the time-outs since the last answer. `first` is the CPU time of the
    longest first call of a worker. `notice` is told once, in words, what is found wrong."""

    def __init__(self, notice: Callable[[str], None] = lambda _what: None) -> None:
        self.slow = False  # for good: one that gets slower with each call starts again quick in each worker
        self.slows = False  # whether a worker's calls get longer and longer
        self._early: list[float] = []  # the first calls of the worker
        self._slowest = 0.0  # mean of calls in a row
        self._notice = notice
        self._noticed = False
        self.asked = 0
        self.late = 0
        self.cut = 0
        self.lost = 0.0
        self.running = 0
        self.first = 0.0
        self._busy = 0.0
        self._answered: deque[float] = deque(maxlen=_KEPT)
        self._latest: deque[float] = deque(maxlen=_USUAL)
        self._cpu: deque[float] = deque(maxlen=_KEPT)
        self._normal = (0.0, 0.0)  # what nearly all calls stay under: CPU, by the clock

    def answered(self, seconds: float, cpu: float, *, first: bool = False) -> None:
        """A call came back; `first` in its worker."""
        self.asked += 1
        self.running = 0
        taken = cpu if cpu > _WORKING * seconds else seconds
        self._busy += taken
        if first:
            self.first = max(self.first, cpu)
            self._early.clear()
        else:
            self._answered.append(seconds)
            if len(self._early) < _FEW:
                self._early.append(taken)
            self._latest.append(taken)
            self._cpu.append(cpu)
            if len(self._latest) >= _FEW and (usual := sum(self._latest) / len(self._latest)) >= SLOW:
                self.slow, self._slowest = True, max(self._slowest, usual)
                self.slows = self.slows or usual > _SLOWER * sum(self._early) / len(self._early)
        self._tell()

    def timed_out(self, seconds: float) -> None:
        if self.hangs:
            self.cut += 1
            self.lost += seconds
        self.asked += 1
        self.late += 1
        self.running += 1
        self._normal = _nearly_most(self._cpu), _nearly_most(self._answered)
        self._tell()

    def _tell(self) -> None:
        if not self._noticed and self.strained:
            self._noticed = True
            self._notice(self.why)

    @property
    def hangs(self) -> bool:
        return self.late >= PROVEN

    @property
    def strained(self) -> bool:
        """Whether asking everything would take too long to be worth it."""
        return self.hangs or self.slow

    @property
    def usual(self) -> float:
        """Mean seconds of the latest answered calls; of a slow grader, of its slowest in a row."""
        if self.slow:
            return self._slowest
        return sum(self._latest) / len(self._latest) if self._latest else 0.0

    @property
    def each_late(self) -> float:
        """Seconds that a time-out takes, the start of the next worker included."""
        return RESTART + (self.lost / self.cut if self.cut else 1.0)

    @property
    def each(self) -> float:
        """Expected seconds of a call, time-outs at their share."""
        share = self.late / max(self.asked, 1)
        return share * self.each_late + (1 - share) * self.usual

    @property
    def spent(self) -> float:
        """Seconds that hanging and slow calls have taken, those that proved it left out."""
        return self.cut * RESTART + self.lost + (self._busy if self.slow else 0.0)

    def limits(self, limits: Limits) -> Limits:
        """What a call is given now."""
        limits = limits.hurried(*self._normal, self.first) if self.hangs else limits
        return replace(limits, calls=RENEWED) if self.slows else limits

    @property
    def why(self) -> str:
        """`47.6 % of calls time out`, `a call takes 1 s`; empty where nothing is wrong."""
        told = [f"{100 * self.late / self.asked:.3g} % of calls time out"] if self.hangs else []
        if self.slow:
            longer = f", a worker's first calls less (so it is renewed after {RENEWED})" * self.slows
            told.append(f"a call takes {self.usual:.2g} s{longer}")
        return " and ".join(told)


def _nearly_most(seconds: Iterable[float]) -> float:
    """The 99th percentile."""
    ranked = sorted(seconds)
    return ranked[int(0.99 * len(ranked))] if ranked else 0.0
