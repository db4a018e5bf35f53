"""What the system says about processes. Linux only; elsewhere every question has an empty answer."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_SUBREAPER = 36


class Process(NamedTuple):
    """One line of /proc: `cpu` in seconds, its waited-for children included; `memory` resident bytes; `started` in
    clock ticks since boot."""

    pid: int
    parent: int
    session: int
    state: str
    cpu: float
    started: int
    memory: int


def process(pid: int) -> Process | None:
    """The process, or None where it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text[text.rindex(")") + 2 :].split()
    cpu = sum(int(field) for field in fields[11:15]) / _TICKS
    return Process(pid, int(fields[1]), int(fields[3]), fields[0], cpu, int(fields[19]), int(fields[21]) * _PAGE)


def processes() -> list[Process]:
    """Every process there is."""
    try:
        names = [path.name for path in Path("/proc").iterdir()]
    except OSError:
        return []
    found = (process(int(name)) for name in names if name.isdigit())
    return [one for one in found if one is not None]


def family(root: int, everyone: list[Process]) -> list[Process]:
    """The process `root`, all that descend from it, and all in its session."""
    members = {root}
    grew = True
    while grew:
        more = {one.pid for one in everyone if one.parent in members or one.session == root} - members
        members |= more
        grew = bool(more)
    return [one for one in everyone if one.pid in members]


def took_no_new_privileges(pid: int) -> bool:
    """Whether the process gave up gaining privileges: every worker does, and its descendants can't take it back."""
    try:
        return "NoNewPrivs:\t1" in Path(f"/proc/{pid}/status").read_text(errors="replace")
    except OSError:
        return False


def started_by(pid: int, variable: str) -> bool:
    """Whether the process began with `variable` (NAME=value) in its environment."""
    try:
        return variable.encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


@cache
def become_subreaper(_process: int) -> bool:
    """Orphans of a worker become children of this process (forks of it don't inherit that), where they can be ended."""
    if not sys.platform.startswith("linux"):
        return False
    return bool(ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0) == 0)
