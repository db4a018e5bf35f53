"""Time single calls: the least of a few repeats each, stopping where a call has become too long to grow further."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter, process_time
from typing import Any

TICK = 1e-3  # seconds that a timed stretch lasts at least, so that the clock's own grain doesn't show
AT_MOST = 0.3  # seconds of repeats of one row; other work on the machine hardly touches a call that long


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns]; each is timed up to `payload["repeats"]` times.

    Emits {"cpu", "wall"}, seconds of one call, the least of its repeats; after a call of more than
    `payload["enough"]` seconds by the clock, {} for the rest. A grader that raises is timed all the same: refusing a
    long text takes time too.
    """
    over = False
    for index in range(start, len(payload["rows"])):
        if over:
            emit(index, {})
            continue
        cpu, wall = _least(grader, payload["rows"][index], payload["repeats"])
        emit(index, {"cpu": cpu, "wall": wall})
        over = wall > payload["enough"]


def _least(grader: Any, row: list[Any], repeats: int) -> tuple[float, float]:
    first = _called(grader, row, 1)
    times = max(1, min(200, int(TICK / max(first[1], 1e-7))))
    timed = [first] if times == 1 else []
    while len(timed) < repeats and sum(wall for _, wall in timed) * times < AT_MOST:
        timed.append(_called(grader, row, times))
    return min(cpu for cpu, _ in timed), min(wall for _, wall in timed)


def _called(grader: Any, row: list[Any], times: int) -> tuple[float, float]:
    """CPU seconds and seconds by the clock of one of `times` calls in a row."""
    response, gold, columns = row
    began, began_wall = process_time(), perf_counter()
    for _ in range(times):
        with suppress(Exception):
            grader.call(response, gold, **columns)
    return (process_time() - began) / times, (perf_counter() - began_wall) / times
