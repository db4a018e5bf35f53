"""The claims check beside reward-lens: 1,000 stamped numbers against 10,000 records, and our forgeries for both."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from bench import _peer

RECORDS = 10_000
STAMPS = 1_000
ROUNDS = 5
PEER = "reward-lens==3.1.0"
SCRIPTS = Path(__file__).parent / "scripts"
TESTS = Path(__file__).parent.parent / "tests" / "claims"

SPEED = "start-up included; ours compares the SHA-256 of all 10,000 records first, the peer checks no file"
FORGED = "Markdown fixtures; each stamp becomes the peer's own tag, holding the stored value, beside the forged text"
HONEST = "findings in Markdown texts where there is nothing to find"


def run() -> list[dict[str, Any]]:
    """Rows of time, memory, forgeries caught and false alarms; medians of alternating runs."""
    peer = _peer.python_with("reward-lens", PEER)
    folder = Path(tempfile.mkdtemp(prefix="claims-", dir=_peer.HOME))
    try:
        _peer.measured(sys.executable, SCRIPTS / "claims_ours.py", str(folder), str(RECORDS), str(STAMPS))
        about = _peer.measured(peer, SCRIPTS / "claims_reward_lens.py", "store", str(folder), str(RECORDS), str(STAMPS))
        ours, theirs = _timed(folder, peer)
        version = f"reward-lens {about['version']}"
        return [
            _row("claims-checked", "CPU s", SPEED, [one[0] for one in ours], [one[0] for one in theirs], version),
            _row("claims-memory", "MB", SPEED, [one[1] for one in ours], [one[1] for one in theirs], version),
            *_caught(folder, peer, version),
        ]
    finally:
        shutil.rmtree(folder)


def _timed(folder: Path, peer: Path) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    lens = [str(Path(sys.executable).with_name("lens")), "claims", "ours.md"]
    reward_lens = [str(peer), "-m", "reward_lens.artifacts.claims", "theirs.md"]
    for command in (lens, reward_lens):  # the first run compiles
        _once(command, folder)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_once(lens, folder))
        theirs.append(_once(reward_lens, folder))
    return ours, theirs


def _once(command: list[str], folder: Path) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a run that finds nothing."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["REWARD_LENS_STORE_PATH"] = str(folder / "peer")
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode} on a clean text")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def _caught(folder: Path, peer: Path, version: str) -> list[dict[str, Any]]:
    """How many forgeries each side catches, and how many honest texts it takes for forged."""
    loader = _load("fixture_files")
    sys.path.insert(0, str(TESTS))
    try:
        store = _load("conftest")
        check = store.checking(Path("no-waivers.toml"))
    finally:
        sys.path.remove(str(TESTS))
    rows = []
    for name, pattern, note in (("forgeries-caught", "EV0*.md", FORGED), ("false-alarms", "honest.md", HONEST)):
        cases = [case for case in loader.cases(pattern) if case.syntax == "markdown"]
        alarmed = sum(bool(check(case.text, case.syntax, case.scope)) for case in cases)
        (folder / "cases.json").write_text(json.dumps([case.text for case in cases]))
        values = {id_: _values(reading) for id_, reading in store.READINGS.items()}
        (folder / "values.json").write_text(json.dumps(values))
        theirs = _peer.measured(peer, SCRIPTS / "claims_reward_lens.py", "cases", str(folder))["alarmed"]
        rows.append(
            {
                "name": name,
                "ours": alarmed,
                "peer": theirs,
                "peer_version": version,
                "ratio": None,
                "unit": "texts",
                "of": len(cases),
                "note": note,
            }
        )
    return rows


def _values(reading: Any) -> dict[str, float]:
    """The numbers of a record, by field: what the peer's store is given."""
    return {
        name: field.value
        for name, field in reading.fields.items()
        if isinstance(getattr(field, "value", None), int | float)
    }


def _load(name: str) -> ModuleType:
    """A module of the tests, which hold the fixtures."""
    spec = importlib.util.spec_from_file_location(f"claims_{name}", TESTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _row(name: str, unit: str, note: str, ours: list[float], theirs: list[float], version: str) -> dict[str, Any]:
    mine, peers = statistics.median(ours), statistics.median(theirs)
    return {
        "name": name,
        "ours": mine,
        "peer": peers,
        "peer_version": version,
        "ratio": peers / mine,
        "unit": unit,
        "note": note,
    }
