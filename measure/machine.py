"""Where a measurement was made: recorded beside evidence, outside its content digest."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import lens
from measure.store import Made


def made(command: str, *, seconds: float = 0.0, cpu: float = 0.0, calls: int = 0) -> Made:
    """How a record was made, by this command, here and now."""
    return Made(
        time=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        seconds=round(seconds, 3),
        cpu_seconds=round(cpu, 3),
        calls=calls,
        command=command,
        machine=machine(),
        revision=revision(Path.cwd()),
    )


@cache
def machine() -> dict[str, str]:
    """Processor, cores, memory, system, Python and our own version, in words."""
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count() or 1),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "lens": lens.__version__,
    }


@cache
def revision(folder: Path) -> str:
    """The git commit `folder` is at, with `+` when it has uncommitted changes; empty outside git."""
    head = _git(folder, "rev-parse", "HEAD")
    return head + "+" * bool(head and _git(folder, "status", "--porcelain", "--untracked-files=no"))


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
