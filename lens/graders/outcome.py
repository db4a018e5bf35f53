"""What one call of a grader came to. Everything a grader can do to us ends as one of these."""

from __future__ import annotations

from typing import Literal

import msgspec

Status = Literal[
    "value",  # returned something; `value` holds it if it is JSON, else `type` alone
    "exception",  # raised; `type` is the exception class
    "placeholder",  # called into a missing import that stands as a placeholder; `type` names it
    "exit",  # ended its process: sys.exit, os._exit, a signal
    "timeout",  # out of CPU or silent too long
    "memory",  # out of its memory limit
    "output",  # printed more than the cap
    "unasked",  # never asked: too many before it ended or timed out; `type` is what became of the last
]


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """One call. `value` is a bool, int, float, str, None or list of these as the grader gave it ("nan" and
    "inf" floats come as value None with type "float:nan"); `printed` counts characters written to stdout and
    stderr; `cpu` is CPU seconds of the call."""

    status: Status
    type: str = ""
    value: bool | int | float | str | list[object] | dict[str, object] | None = None
    detail: str = ""
    printed: int = 0
    cpu: float = 0.0

    @property
    def verdict(self) -> tuple[object, ...]:
        """What counts as the same outcome: the value, or the exception class; never time or text."""
        if self.status == "value":
            return ("value", self.type if self.value is None else "", repr(self.value))
        if self.status == "timeout":
            return ("timeout", "")  # out of CPU or silent: a busy machine decides which
        return (self.status, self.type)

    @property
    def answered(self) -> bool:
        """Whether the call came to anything: a time-out is neither pay nor refusal, nor is a question not asked."""
        return self.status not in ("timeout", "unasked")

    @property
    def score(self) -> float | None:
        """The value as a number, or None where the grader gave none (raised, abstained, NaN, no number)."""
        if self.status == "value" and isinstance(self.value, (bool, int, float)):
            return float(self.value)
        return None
