"""Start-up: what `lens --help` and `lens claims` on a short file cost beside a bare interpreter."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench import _peer

ROUNDS = 11
TEXT = "# A note\n\nNothing is measured here, so there is nothing to look up.\n"
NOTE = "the interpreter alone, which does nothing, is no rival: it is what nobody can go below"


def run() -> list[dict[str, Any]]:
    """A row for each command in CPU seconds and in megabytes: medians of alternating runs."""
    lens = Path(sys.executable).with_name("lens")
    with tempfile.TemporaryDirectory(prefix="startup-") as made:
        folder = Path(made)
        (folder / "note.md").write_text(TEXT, encoding="utf-8")
        (folder / "data" / "evidence").mkdir(parents=True)
        commands = {
            "pass": [sys.executable, "-c", "pass"],
            "help-printed": [lens, "--help"],
            "short-file-checked": [lens, "claims", "note.md"],
        }
        runs: dict[str, list[_peer.Spent]] = {name: [] for name in commands}
        for _ in range(ROUNDS + 1):  # the first round compiles
            for name, command in commands.items():
                runs[name].append(_peer.spent(command, folder))
    bare = runs.pop("pass")[1:]
    return [
        _row(name if unit == "CPU s" else f"{name}-memory", unit, [one[at] for one in ours[1:]], [b[at] for b in bare])
        for name, ours in runs.items()
        for at, unit in ((0, "CPU s"), (2, "MB"))
    ]


def _row(name: str, unit: str, ours: list[float], bare: list[float]) -> dict[str, Any]:
    return {
        "name": name,
        "ours": statistics.median(ours),
        "peer": statistics.median(bare),
        "peer_version": f"python {sys.version.split()[0]} -c pass",
        "ratio": statistics.median(bare) / statistics.median(ours),
        "unit": unit,
        "note": NOTE,
        "ours_range": [min(ours), max(ours)],
        "peer_range": [min(bare), max(bare)],
    }
