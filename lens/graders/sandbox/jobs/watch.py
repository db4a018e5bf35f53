"""Ask the grader about rows and tell what each call changed beside returning.

Watched, one function a name below: whatever outlives a call in its process, its folder and /dev/shm.
"""

from __future__ import annotations

import _thread
import decimal
import locale
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any


def run(grader: Any, payload: dict[str, Any], start: int, emit: Callable[[int, Any], None]) -> None:
    """As `rows`; emits [outcome, names changed, {name: detail}]."""
    ask = grader.outcome_in_thread if payload.get("thread") else grader.outcome
    before = snapshot(grader)
    for index in range(start, len(payload["rows"])):
        outcome = ask(*payload["rows"][index])
        after = snapshot(grader)
        changed = [name for name in after if after[name] != before[name]]
        emit(index, [outcome, changed, {name: _difference(before[name], after[name]) for name in changed}])
        before = after


def snapshot(grader: Any) -> dict[str, Any]:
    """The state of everything watched; two snapshots compare by `==` a name."""
    return {
        "random": random.getstate(),
        "numpy.random": _numpy_state(),
        "environment": dict(os.environ),
        "folder": _folder(),
        "files": _files(os.environ["HOME"], "/dev/shm"),
        "locale": locale.setlocale(locale.LC_ALL),
        "signals": {number.name: _identity(signal.getsignal(number)) for number in signal.Signals},
        "timer": signal.getitimer(signal.ITIMER_REAL)[0] > 0,
        "warnings": [tuple(map(str, entry)) for entry in warnings.filters],
        "decimal": str(decimal.getcontext()),
        "path": list(sys.path),
        "recursion-limit": sys.getrecursionlimit(),
        "streams": (id(sys.stdin), id(sys.stdout), id(sys.stderr)),
        "threads": _thread._count(),
        "processes": _children(),
        "module": {name: _identity(value) for name, value in vars(grader.module).items() if not name.startswith("__")},
    }


def _folder() -> str:
    try:
        return str(Path.cwd())
    except OSError:
        return "gone"


def _children() -> str:
    """The pids of this process's children, where the system lists them."""
    try:
        return Path("/proc/self/task", str(os.getpid()), "children").read_text()
    except OSError:
        return ""


def _numpy_state() -> Any:
    """numpy's global generator, where the grader imported numpy."""
    numpy = sys.modules.get("numpy")
    if getattr(numpy, "__file__", None) is None:
        return None  # not imported, or a placeholder stands for it
    try:
        name, keys, *rest = numpy.random.get_state()  # type: ignore[union-attr]
        return [name, keys.tobytes(), *rest]
    except Exception:
        return None


def _files(*folders: str) -> dict[str, tuple[int, int]]:
    found = {}
    for folder in folders:
        for parent, _, names in os.walk(folder):
            for name in names:
                try:
                    status = os.lstat(f"{parent}/{name}")
                except OSError:
                    continue
                found[os.path.relpath(f"{parent}/{name}", folder)] = (status.st_size, status.st_mtime_ns)
    return found


def _identity(value: object) -> Any:
    """Equal while `value` is the same object with the same contents, one level deep."""
    if isinstance(value, dict):
        return (id(value), [(id(key), id(each)) for key, each in value.items()])
    if isinstance(value, (list, set, frozenset, tuple)):
        return (id(value), [id(each) for each in value])
    return id(value)


def _difference(before: Any, after: Any) -> str:
    """The keys that changed, where the state has keys."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return ""
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return ", ".join(names[:8])[:200]
