"""Time single calls: the least of a few repeats each, stopping where a call has become too long to grow further."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

TICK = 1e-3  # seconds that a timed stretch lasts at least, so that the clock's own grain doesn't show
AT_MOST = 0.3  # seconds of repeats of one row; other work on the machine hardly touches a call that long


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """`payload["rows"]` is a list of [response, gold, columns]; each is timed up to `payload["repeats"]` times.

    Emits {"seconds"} of one call by the clock, the least of its repeats; after a call of more than
    `payload["enough"]` seconds, {} for the rest. A grader that raises is timed all the same: refusing a long text
    takes time too.
    """
    over = False
    for index in range(start, len(payload["rows"])):
        if over:
            emit(index, {})
            continue
        seconds = _least(grader, payload["rows"][index], payload["repeats"])
        emit(index, {"seconds": seconds})
        over = seconds > payload["enough"]


def _least(grader: Any, row: list[Any], repeats: int) -> float:
    first = _called(grader, row, 1)
    times = max(1, min(200, int(TICK / max(first, 1e-7))))
    timed = [first] if times == 1 else []
    while len(timed) < repeats and sum(timed) * times < AT_MOST:
        timed.append(_called(grader, row, times))
    return min(timed)


def _called(grader: Any, row: list[Any], times: int) -> float:
    """Seconds of one of `times` calls in a row."""
    response, gold, columns = row
    began = perf_counter()
    for _ in range(times):
        with suppress(Exception):
            grader.call(response, gold, **columns)
    return (perf_counter() - began) / times
