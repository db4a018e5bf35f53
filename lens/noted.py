"""What an instrument reads is noted, so that evidence lists the inputs and parameters it depends on and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from lens.reading import Input

T = TypeVar("T")
R = TypeVar("R")


class Noted(Generic[T]):
    """A dataclass field whose reads are noted in the owner's dict `noted`, by the field's name."""

    def __init__(self, default: T) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type) -> T:
        if owner is None:
            return self.default
        value: T = owner.__dict__[f"_{self.name}"]
        owner.__dict__.setdefault("noted", {})[self.name] = value
        return value

    def __set__(self, owner: Any, value: T) -> None:
        owner.__dict__[f"_{self.name}"] = value


def _serial(function: Callable[[Any], Any], items: Sequence[Any]) -> Iterable[Any]:
    return map(function, items)


@dataclass(kw_only=True)
class Noting:
    """What every instrument is given, whatever the subject: a place to run, and a note of what it reads.

    `map` is the engine's: it may run items in other processes and resumes by content; functions given to it are
    module-level and their items picklable. `advance` reports finished calls to the progress bar. Inputs go into
    `used`, parameters (see `Noted`) into `noted`.
    """

    map: Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]] = _serial
    advance: Callable[[int], None] = lambda _calls: None
    used: dict[str, Input] = field(default_factory=dict)
    noted: dict[str, Any] = field(default_factory=dict)
    memo: dict[str, tuple[Any, dict[str, Input], dict[str, Any]]] = field(default_factory=dict)

    def remember(self, key: str, make: Callable[[], R]) -> R:
        """`make()` once: several instruments need the same thing.

        What it read counts as read by every caller, whoever came first.
        """
        if key not in self.memo:
            used, noted = self.used, self.noted
            self.used, self.noted = {}, {}
            try:
                self.memo[key] = (make(), self.used, self.noted)
            finally:
                self.used, self.noted = used, noted
        value, used, noted = self.memo[key]
        self.used.update(used)
        self.noted.update(noted)
        return value  # type: ignore[no-any-return]
