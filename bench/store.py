"""The evidence store beside reward-lens's: 10,000 records written durably, then opened and each looked up once."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench import _peer

RECORDS = 10_000
ROUNDS = 3
PEER = "reward-lens==3.1.0"
SCRIPTS = Path(__file__).parent / "scripts"

WRITE = "making, digesting and writing 10,000 records so that a power cut loses none; the peer syncs after each"
READ = "ours checks every file's SHA-256 on the way; the peer checks nothing"


def run() -> list[dict[str, Any]]:
    """One row for each of writing and reading, in CPU and in wall seconds: medians of alternating runs."""
    peer = _peer.python_with("reward-lens", PEER)
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    # Every store stays until the last is written: for a minute and more, ext4 steps over each inode just freed whenever
    # it makes a file, so that a round after a clean-up would pay for that (twice the seconds) and not for its writing.
    with tempfile.TemporaryDirectory(prefix="store-", dir=_peer.HOME) as folder:
        for number in range(ROUNDS):
            ours.append(_once(sys.executable, "store_ours.py", f"{folder}/ours-{number}"))
            theirs.append(_once(peer, "store_reward_lens.py", f"{folder}/theirs-{number}"))
    for one in (*ours, *theirs):
        if (one["written"], one["total"]) != (RECORDS, ours[0]["total"]):
            raise RuntimeError(f"the two stores don't hold the same: {ours[0]} and {one}")
    return [
        _row(name, unit, note, [one[key][at] for one in ours], [one[key][at] for one in theirs], theirs[0]["version"])
        for key, note, what in (("write", WRITE, "records-written"), ("read", READ, "records-opened-and-looked-up"))
        for at, unit, name in ((1, "CPU s", what), (0, "wall s", f"{what}-wall"))
    ]


def _once(python: Path | str, script: str, root: str) -> dict[str, Any]:
    return _peer.measured(python, SCRIPTS / script, root, str(RECORDS))


def _row(name: str, unit: str, note: str, ours: list[float], theirs: list[float], version: str) -> dict[str, Any]:
    mine, peers = statistics.median(ours), statistics.median(theirs)
    return {
        "name": name,
        "ours": mine,
        "peer": peers,
        "peer_version": f"reward-lens {version}",
        "ratio": peers / mine,
        "unit": unit,
        "note": note,
    }
