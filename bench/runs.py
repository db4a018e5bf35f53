"""Ten million rollouts: the advantages as recorded and under an edited reward, and whose sign turned, beside DuckDB's
bare window query, pandas and polars; what the other readings of a run take.

Every figure is of a whole process, start-up included, reading the same Parquet. Ours counts by step what an edit does:
flips at three tolerances, to and from zero, moved, groups made degenerate, with intervals; the peers count flips.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench import _peer

ROLLOUTS = 10_000_000
ROUNDS = 3
SCRIPTS = Path(__file__).parent / "scripts"
DUCKDB, PANDAS, POLARS = "duckdb==2.0.1", "pandas==3.1.1", "polars==2.1.0"
BARE, SAME = "duckdb bare windows", "duckdb windows that count the same"
READ_BY = "pyarrow==26.0.1"
COUNTERFACTUAL = "one edit's advantages and flips of 10 million rollouts, the rule known; start-up included"
ALONE = {
    "advantages": ("advantages",),
    "record-check": ("replay",),
    "coverage": ("coverage",),
    "checked-counterfactual": ("replay", "counterfactual"),
}


def run() -> list[dict[str, Any]]:
    """A row of CPU seconds and one of memory a peer; then readings that have none. Medians of alternating runs."""
    peer = _peer.python_with("runs", DUCKDB, PANDAS, POLARS, READ_BY)
    with tempfile.TemporaryDirectory(prefix="runs-", dir=_peer.HOME) as made:
        record = Path(made) / "record"
        _peer.spent([sys.executable, SCRIPTS / "runs_record.py", record, str(ROLLOUTS)], Path(made))
        commands: dict[str, list[str | Path]] = {
            "ours": [sys.executable, SCRIPTS / "runs_ours.py", record, "known", "counterfactual"],
            BARE: [peer, SCRIPTS / "runs_window.py", "bare", record],
            SAME: [peer, SCRIPTS / "runs_window.py", "same", record],
            PANDAS: [peer, SCRIPTS / "runs_pandas.py", record],
            POLARS: [peer, SCRIPTS / "runs_polars.py", record],
        }
        _agree(commands)
        spent: dict[str, list[_peer.Spent]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                spent[name].append(_peer.spent(command, SCRIPTS.parent.parent))
        ours = spent.pop("ours")
        rows = [_row(name, ours, theirs, at) for name, theirs in spent.items() for at in (0, 2)]
        return [*rows, *(row for name, words in ALONE.items() for row in _alone(name, record, words))]


def _agree(commands: dict[str, list[str | Path]]) -> None:
    """All count the same flips, or none of the seconds means anything."""
    told = {
        name: _peer.measured(str(python), Path(script), *map(str, words))["flips"]
        for name, (python, script, *words) in commands.items()
    }
    if len(set(told.values())) != 1:
        raise RuntimeError(f"flips differ: {told}")


def _row(peer: str, ours: list[_peer.Spent], theirs: list[_peer.Spent], at: int) -> dict[str, Any]:
    name, unit = ("counterfactual", "CPU s") if at == 0 else ("counterfactual-memory", "MB")
    mine, peers = [one[at] for one in ours], [one[at] for one in theirs]
    return {
        "name": f"{name}-{peer.partition('==')[0].replace(' ', '-')}",
        "ours": statistics.median(mine),
        "peer": statistics.median(peers),
        "peer_version": (peer if "==" in peer else DUCKDB).replace("==", " "),
        "ratio": statistics.median(peers) / statistics.median(mine),
        "unit": unit,
        "note": COUNTERFACTUAL,
        "ours_range": [min(mine), max(mine)],
        "peer_range": [min(peers), max(peers)],
    }


def _alone(name: str, record: Path, words: tuple[str, ...]) -> list[dict[str, Any]]:
    """CPU seconds and megabytes of readings that no peer makes."""
    spent = _peer.spent([sys.executable, SCRIPTS / "runs_ours.py", record, *words], SCRIPTS.parent.parent)
    rows = []
    for what, unit, value in ((name, "CPU s", spent.cpu), (f"{name}-memory", "MB", spent.megabytes)):
        row = {"name": what, "ours": value, "peer": None, "peer_version": "", "ratio": None, "unit": unit}
        rows.append(row | {"note": "10 million rollouts, one run; start-up included"})
    return rows
