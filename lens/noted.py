"""A parameter that notes when it is read, so that evidence lists those a reading depends on and no others."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T = TypeVar("T")


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
