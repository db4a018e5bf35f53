"""Which line follows which, while a call runs: the same notion of an arc as coverage.py's.

A negative number is the entry to, or exit from, the code object whose first line it is. Leaving by an exception
is no arc. Only files in scope are followed. Threads the call starts are followed too; processes it forks are
not, and are noted.
"""

from __future__ import annotations

import dis
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

Arc = tuple[str, int, int]
_RETURNS = {dis.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in dis.opmap}
_RESUME = dis.opmap.get("RESUME")
_forks = [0]
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=lambda: _forks.__setitem__(0, _forks[0] + 1))


class Tracer:
    """Follow with `with tracer: call()`, then read `arcs` and `forked`."""

    def __init__(self, in_scope: Callable[[str], bool]) -> None:
        self._in_scope = in_scope
        self._instructions: dict[CodeType, bytes] = {}
        self.arcs: set[Arc] = set()
        self.forked = False

    def __enter__(self) -> Tracer:
        self.arcs = set()
        self._before = _forks[0]
        threading.settrace(self._enter)
        sys.settrace(self._enter)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)
        self.forked = _forks[0] != self._before

    def _enter(self, frame: FrameType, _event: str, _value: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        file = code.co_filename
        return self._stepper(frame, code, file) if self._in_scope(file) else None

    def _stepper(self, frame: FrameType, code: CodeType, file: str) -> Callable[..., Any]:
        instructions = self._instructions.get(code)
        if instructions is None:
            instructions = self._instructions[code] = code.co_code  # made anew at every look
        add, first = self.arcs.add, code.co_firstlineno
        last = frame.f_lineno if _goes_on(frame, instructions) else -first

        def step(frame: FrameType, event: str, _value: Any) -> Any:
            nonlocal last
            if event == "line":
                line = frame.f_lineno
                add((file, last, line))
                last = line
            elif event == "return" and instructions[frame.f_lasti] in _RETURNS:
                add((file, last, -first))
            return step

        return step


def _goes_on(frame: FrameType, instructions: bytes) -> bool:
    """Whether a generator is entered again where it stood."""
    at = frame.f_lasti
    return at >= 0 and instructions[at] == _RESUME and instructions[at + 1] != 0
