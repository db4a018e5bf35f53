"""One call of the grader, and whatever it does, as the plain list that `lens.graders.outcome.Outcome` is made of.

Names of the standard library are bound here before the grader is loaded: graders replace `sys.stdout`,
signal handlers and, now and then, builtins.
"""

from __future__ import annotations

import _thread
import sys
from collections.abc import Callable
from hashlib import sha256
from math import isfinite
from os import fstat, ftruncate, pread
from signal import ITIMER_REAL, setitimer
from time import process_time
from typing import Any

TEXT_LIMIT = 100_000  # characters of a returned value that travel; a longer one is known by its digest
DETAIL_LIMIT = 500
DEPTH_LIMIT = 20

_type_getattribute = type.__getattribute__


def type_name(value: object) -> str:
    """`float`, `numpy.float64`, `my_grader.Odd`: without running a line of the class."""
    kind = type(value)
    module, name = _type_getattribute(kind, "__module__"), _type_getattribute(kind, "__qualname__")
    return str(name) if module == "builtins" else f"{module}.{name}"


class _Unplain(Exception):
    """The value isn't JSON; the message says how it is known instead."""


def _plain(value: Any, depth: int = 0) -> Any:
    """`value` as JSON has it. Asks the class, never the object, which may answer anything."""
    kind = type(value)
    if kind is bool or value is None:
        return value
    if issubclass(kind, int):
        whole = int.__index__(value)
        if -(2**63) <= whole < 2**63:
            return whole
        raise _Unplain(f"int:{_digest(hex(whole))}")
    if issubclass(kind, float):
        real = float.__float__(value)
        if isfinite(real):
            return real
        raise _Unplain(f"float:{real}")
    if issubclass(kind, str):
        text = str.__str__(value)
        if len(text) <= TEXT_LIMIT:
            return text
        raise _Unplain(f"str:{_digest(text)}")
    if issubclass(kind, (list, tuple, dict)):
        if depth >= DEPTH_LIMIT or len(value) > TEXT_LIMIT:
            raise _Unplain(f"{type_name(value)}:large")
        if issubclass(kind, dict):
            return {_key(key): _plain(item, depth + 1) for key, item in value.items()}
        return [_plain(item, depth + 1) for item in value]
    return _as_number(value)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _key(key: Any) -> str:
    plain = _plain(key)
    return plain if type(plain) is str else repr(plain)


def _as_number(value: Any) -> Any:
    """What `float(value)` makes of it: the trainer would do just that."""
    kind = type(value)
    if not hasattr(kind, "__float__") and not hasattr(kind, "__index__"):
        raise _Unplain(type_name(value))
    if kind.__name__ in ("bool", "bool_"):
        return bool(value)
    number = value.__index__() if hasattr(kind, "__index__") else float(value)
    return _plain(number)


def describe(value: Any) -> list[Any]:
    """[type, value, detail] of what a call returned."""
    name = type_name(value)
    try:
        return [name, _plain(value), ""]
    except _Unplain as known_as:
        return [str(known_as), None, "" if str(known_as) == name else f"returned {name}"]
    except RecursionError:
        return [f"{name}:deep", None, ""]
    except BaseException as error:
        return [name, None, f"float() of it raised {type_name(error)}"]


def text_of(error: BaseException) -> str:
    try:
        return str(error)[:DETAIL_LIMIT]
    except BaseException as second:
        return f"its text raised {type_name(second)}"


class Recorder:
    """Calls a function and tells what came of it.

    `printed` is counted on the descriptors themselves (a memory file stands behind 1 and 2), so output of C code
    and of subprocesses counts; `placeholders` is the list PlaceholderUsed is noted in.
    """

    def __init__(self, call: Callable[..., Any], output: int, cap: int, placeholders: list[str]) -> None:
        self.call = call
        self.output = output
        self.cap = cap
        self.placeholders = placeholders
        self.streams = (sys.stdout, sys.stderr)

    def outcome(self, response: Any, gold: Any, columns: dict[str, Any]) -> list[Any]:
        """[status, type, value, detail, printed, cpu]; see lens.graders.outcome.Outcome."""
        status, kind, value, detail = "value", "", None, ""
        threads = _thread._count()
        start = process_time()
        try:
            result = self.call(response, gold, **columns)
            kind, value, detail = describe(result)
            del result
        except SystemExit as error:
            status, kind, detail = "exit", "SystemExit", text_of(error)
        except MemoryError as error:
            status, kind, detail = "memory", "MemoryError", text_of(error)
        except BaseException as error:
            status, kind, detail = "exception", type_name(error), text_of(error)
        cpu = process_time() - start
        if self.placeholders or kind.endswith(".PlaceholderUsed"):
            status, kind, value = "placeholder", (self.placeholders or [detail])[0], None
            detail = "isn't installed beside the grader"
            self.placeholders.clear()
        notes = []
        if setitimer(ITIMER_REAL, 0)[0]:
            notes.append("left a timer armed")
        if (left := _thread._count() - threads) > 0:
            notes.append(f"left {left} thread(s) running")
        printed = self._printed()
        if printed >= self.cap:
            status, kind, value, detail = "output", "", None, f"printed {printed} characters or more"
        if notes:
            detail = "; ".join([detail, *notes] if detail else notes)
        return [status, kind, value, detail, printed, round(cpu, 6)]

    def discard(self) -> None:
        """What was printed so far was no call's."""
        self._printed()

    def _printed(self) -> int:
        for stream in self.streams:
            try:
                stream.flush()
            except Exception:
                continue
        size = fstat(self.output).st_size
        if not size:
            return 0
        if size < self.cap:
            size = len(pread(self.output, size, 0).decode("utf-8", "replace"))
        ftruncate(self.output, 0)
        return size
