"""Ask the grader about rows, one after another."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns]; with `payload["thread"]` every call is made
    in a new thread, where signal handlers can't be set."""
    ask = _in_thread(grader.outcome) if payload.get("thread") else grader.outcome
    rows = payload["rows"]
    for index in range(start, len(rows)):
        emit(index, ask(*rows[index]))


def _in_thread(function: Callable[..., Any]) -> Callable[..., Any]:
    def ask(*arguments: Any) -> Any:
        results: list[Any] = []
        thread = Thread(target=lambda: results.append(function(*arguments)))
        thread.start()
        thread.join()
        return results[0]

    return ask
