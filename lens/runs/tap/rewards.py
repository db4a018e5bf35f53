"""Reward functions that say what they returned, to whoever listens, and are otherwise what they were."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
Heard = Callable[[list[float | None]], None]


def heard(function: F, hear: Heard) -> F:
    """`function`, whose scores go to `hear` as well: None where it abstained, NaN where it wrote one.

    It keeps its name, which a trainer may log it by, and its exceptions. An async function stays one.
    """
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):

        @functools.wraps(function)
        async def listening_async(*args: Any, **kwargs: Any) -> Any:
            scores = await function(*args, **kwargs)
            hear(numbers(scores))
            return scores

        return listening_async  # type: ignore[return-value]

    @functools.wraps(function)
    def listening(*args: Any, **kwargs: Any) -> Any:
        scores = function(*args, **kwargs)
        hear(numbers(scores))
        return scores

    return listening  # type: ignore[return-value]


def numbers(scores: Any) -> list[float | None]:
    """Scores as floats, from a list, an array or a tensor; None stays. Raises TypeError for what is no number."""
    return [None if one is None else float(one) for one in plain(scores)]


def plain(values: Any) -> Sequence[Any]:
    """A list of an array or tensor; anything else as it is."""
    listed: Sequence[Any] = values.tolist() if hasattr(values, "tolist") else values
    return listed


def name_of(function: Any) -> str:
    """What a function is called; its class's name, where it is an object with a call."""
    return str(getattr(function, "__name__", type(function).__name__))
