"""Call the grader while watching which exceptions are raised inside its own code, whether or not they come out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_ORDINARY = {"StopIteration", "GeneratorExit"}  # how loops end, not failures


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns]. Emits {"outcome", "inside"}: the exception
    classes seen in frames of the grader's folder, in order of first appearance."""
    home = f"{Path(grader.path).parent}{os.sep}"
    for index in range(start, len(payload["rows"])):
        seen: list[str] = []
        sys.settrace(_watcher(home, seen))
        try:
            outcome = grader.outcome(*payload["rows"][index])
        finally:
            sys.settrace(None)
        emit(index, {"outcome": outcome, "inside": seen})


def _watcher(home: str, seen: list[str]) -> Callable[..., Any]:
    def inside(_frame: Any, event: str, argument: Any) -> Any:
        if event == "exception" and (name := argument[0].__name__) not in _ORDINARY and name not in seen:
            seen.append(name)
        return inside

    def enter(frame: Any, _event: str, _argument: Any) -> Any:
        return inside if frame.f_code.co_filename.startswith(home) else None

    return enter
