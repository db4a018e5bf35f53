"""Peers, each installed once in an environment of its own under `.cache/bench/`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

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
