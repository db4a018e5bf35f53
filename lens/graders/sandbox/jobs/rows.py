"""Ask the grader about rows, one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns]; with `payload["thread"]` every call is made
    in a new thread, where signal handlers can't be set."""
    ask = grader.outcome_in_thread if payload.get("thread") else grader.outcome
    rows = payload["rows"]
    for index in range(start, len(rows)):
        emit(index, ask(*rows[index]))
