"""What a grader may use. Every limit is the parent's or the kernel's to enforce, never a timer beside the grader."""

from __future__ import annotations

from dataclasses import dataclass, replace

MIB = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """cpu        CPU seconds one item may take, the grader's own processes included
    silence    wall seconds without a result, whatever the grader waits for (time it works doesn't count as waiting)
    load       CPU seconds importing the grader may take (wall time: three times that, or `silence`)
    memory     bytes of address space a process may map, and of memory its processes may hold together
    output     bytes one call may print
    files      bytes one file, and all files in its folder together, may hold
    processes  processes and threads alive at once
    patience   time-outs and deaths in a row after which `evaluate` stops asking (see Session.evaluate)
    first      CPU seconds more for the first call of a worker, which may import a library
    calls      calls after which a worker is renewed; 0 for never
    normal     CPU seconds that nearly all answered calls stay under, where time was cut short for it; else 0
    """

    cpu: float = 10.0
    silence: float = 30.0
    load: float = 60.0
    memory: int = 2048 * MIB
    output: int = 16 * MIB
    files: int = 256 * MIB
    processes: int = 64
    patience: int = 12
    first: float = 0.0
    normal: float = 0.0
    calls: int = 0

    def hurried(self, cpu: float, wall: float, first: float) -> Limits:
        """For a grader that has shown that it hangs, and whose answered calls stay under `cpu` and `wall` seconds."""
        if self.normal:
            return self
        return replace(
            self,
            cpu=min(self.cpu, max(_LEAST, _MANY * cpu)),
            silence=min(self.silence, max(_QUIET, _MANY * wall)),
            first=2 * first,
            normal=max(cpu, 1e-6),
        )

    def followed(self) -> Limits:
        """For calls that are followed line by line, where time was cut short for plain ones."""
        if not self.normal:
            return self
        cpu = _FOLLOWED * self.normal
        return replace(self, normal=0.0, cpu=10.0, silence=30.0).hurried(cpu, cpu, self.first / 2)


_MANY = 20  # times what nearly all answered calls take at most
_LEAST = 0.25  # CPU seconds a call is given whatever the others take
_QUIET = 1.0  # seconds of silence likewise: on a busy machine a short one says nothing
_FOLLOWED = 10  # times as long as a plain call
