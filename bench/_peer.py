"""Peers, each installed once in an environment of its own under `.cache/bench/`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

HOME = Path(__file__).parent.parent / ".cache" / "bench"


def python_with(name: str, *requirements: str) -> Path:
    """The interpreter of environment `name`, holding the pinned `requirements`; made where it isn't there yet."""
    folder = HOME / name
    python = folder / "bin" / "python"
    done = folder / "requirements.txt"
    wanted = "\n".join(requirements) + "\n"
    if not done.is_file() or done.read_text("utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements], check=True
        )
        done.write_text(wanted, encoding="utf-8")
    return python


def measured(python: Path | str, script: Path, *arguments: str) -> dict[str, Any]:
    """The JSON a script prints last, run by `python` from this checkout."""
    ran = subprocess.run(
        [str(python), str(script), *arguments],
        cwd=HOME.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        raise RuntimeError(f"{script.name} ended with {ran.returncode}: {ran.stderr.strip()[-2000:]}")
    answer: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return answer


class Spent(NamedTuple):
    """What a command and its children cost: CPU and wall seconds, peak megabytes."""

    cpu: float
    wall: float
    megabytes: float


def spent(command: Sequence[str | Path], folder: Path) -> Spent:
    """Run a command in a folder. Raises RuntimeError with what it said where it ends badly."""
    script = Path(__file__).parent / "scripts" / "spent.py"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(script), *map(str, command)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    code, *figures = json.loads(ran.stdout)
    if code != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {code}: {ran.stderr.strip()[-2000:]}")
    return Spent(*figures)
