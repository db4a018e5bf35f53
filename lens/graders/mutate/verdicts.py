"""Is this outcome the same outcome? Asked some hundred times a mutant, so the usual answers are quick."""

from __future__ import annotations

from typing import Any

_PLAIN = {"bool", "int", "float", "str", "NoneType"}
_SHOWN: dict[type, type] = {dict: dict, list: list, tuple: list}  # as they are recorded


def verdict(outcome: list[Any]) -> list[str]:
    """What counts as the same outcome, of a recorded call: `lens.graders.outcome.Outcome.verdict` as plain texts."""
    status, kind, value = outcome[:3]
    if status == "value":
        return ["value", kind if value is None else "", repr(value)]
    return [str(status), str(kind), ""]


class Expected:
    """What the unmutated grader did with one row ([response, gold, columns]), and whether another call does the same.

    `outcome` is the recorded call; see lens.graders.outcome.Outcome.
    """

    def __init__(self, grader: Any, row: list[Any], outcome: list[Any]) -> None:
        self.grader, self.row = grader, row
        self.response, self.gold, self.columns = row
        self.verdict = verdict(outcome)
        self.returned = self.verdict[0] == "value"
        self.kind = outcome[1]
        self.value: Any = outcome[2] if self.kind in _PLAIN else _UNSET

    def differs(self) -> bool:
        """Call again and compare."""
        try:
            value = self.grader.call(self.response, self.gold, **self.columns)
        except BaseException:
            return self.returned or self.differs_recorded()
        if type(value) is type(self.value) and value == self.value:
            return False
        return not self.returned or (not self._is_like(value) and self.differs_recorded())

    def _is_like(self, value: Any) -> bool:
        """Surely the same, by a quick look at a container."""
        kind = type(value)
        if kind.__name__ != self.kind or kind not in _SHOWN:
            return False
        try:
            return repr(_SHOWN[kind](value)) == self.verdict[2]
        except BaseException:
            return False

    def differs_recorded(self) -> bool:
        """The long way, for exceptions and for values that aren't plain."""
        return verdict(self.grader.outcome(*self.row)) != self.verdict


_UNSET: Any = object()
