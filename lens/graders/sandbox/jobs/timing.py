"""Time single calls: the best of a few repeats each, stopping where a call has become too long to grow further."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter, process_time
from typing import Any


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns]; each is called `payload["repeats"]` times.

    Emits {"cpu", "wall"}, seconds, the least of the repeats; after a call of more than `payload["enough"]` CPU
    seconds, {} for the rest. A grader that raises is timed all the same: refusing a long text takes time too.
    """
    over = False
    for index in range(start, len(payload["rows"])):
        if over:
            emit(index, {})
            continue
        times = _timed(grader, payload["rows"][index], payload["repeats"], payload["enough"])
        emit(index, times)
        over = times["cpu"] > payload["enough"]


def _timed(grader: Any, row: list[Any], repeats: int, enough: float) -> dict[str, float]:
    response, gold, columns = row
    cpu: list[float] = []
    wall: list[float] = []
    while len(cpu) < repeats and not (cpu and min(cpu) > enough):
        began, began_wall = process_time(), perf_counter()
        with suppress(Exception):
            grader.call(response, gold, **columns)
        cpu.append(process_time() - began)
        wall.append(perf_counter() - began_wall)
    return {"cpu": min(cpu), "wall": min(wall)}
