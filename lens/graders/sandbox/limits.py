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
    """

    cpu: float = 10.0
    silence: float = 30.0
    load: float = 60.0
    memory: int = 2048 * MIB
    output: int = 16 * MIB
    files: int = 256 * MIB
    processes: int = 64
    patience: int = 12

    def hastier(self) -> Limits:
        """For a grader that has shown that it hangs: the rest of its audit says so and goes on."""
        return replace(self, cpu=min(self.cpu, 1.0), silence=min(self.silence, 3.0), patience=min(self.patience, 6))


HURRY_AFTER = 5  # time-outs in all
