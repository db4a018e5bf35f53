"""Damaged files, for every format: a record or an error that names the file; never another exception, nothing left.

Formats come from the registry. The smallest run of each that opens is looked for among the fixtures and the shared
corpora, so a new format needs a fixture and nothing here. `EVIDENCE_LENS_EXAMPLES=500` looks harder than a test run.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from damaging import damage
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from lens.errors import UsageError
from lens.runs.adapter import Source, adapters, detect
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.tap import Tap

FIXTURES = Path(__file__).parent / "fixtures"
EXAMPLES = int(os.environ.get("EVIDENCE_LENS_EXAMPLES", "8"))
LARGEST = 400_000  # bytes of a run that is copied for every example
SHARED = ("runs/*", "runs/*/*", "runs/loggers/*/*")


class Run(NamedTuple):
    path: Path
    map: Path | None = None


@pytest.fixture(scope="module", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache and a place for temporary files of this module's own, so that what is left behind shows."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))
        patched.setattr("lens.runs.opening.MALFORMED", ())  # a reader says itself what is wrong
        patched.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, _own_folders: None) -> dict[str, Run]:
    """The smallest run of every format that was found or made here."""
    found: dict[str, Run] = dict(_made(tmp_path_factory.mktemp("made")))
    for path in sorted(_candidates(), key=lambda path: (path.is_file(), _size(path))):  # a folder is a whole run
        try:
            name = detect(Source(path))[0].name
            if name not in found and _size(path) <= LARGEST and open_run(str(path)):
                found[name] = Run(path)
        except UsageError:
            continue
    return found


def _candidates() -> list[Path]:
    shared = Path(os.environ.get("EVIDENCE_LENS_SHARED", FIXTURES.parents[3] / "shared")) / "data"
    return [*FIXTURES.rglob("*"), *(path for pattern in SHARED for path in shared.glob(pattern))]


@cache
def _size(path: Path) -> int:
    return sum(one.stat().st_size for one in path.rglob("*") if one.is_file()) if path.is_dir() else path.stat().st_size


def _made(folder: Path) -> Iterator[tuple[str, Run]]:
    """Runs of the formats that are this project's own."""
    rows = [
        {"step": at // 4, "group": at // 2, "reward": at / 8, "advantage": (-1) ** at, "error": "", "n": 3,
         "rewards": {"a": at / 8, "b": None}, "prompt": "p", "completion": "<b>é", "parts": [at, at + 0.5]}
        for at in range(12)
    ]  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in rows)
    for name in ("rollouts", "mapped"):
        (folder / name).mkdir()
        (folder / name / "shard-1.jsonl").write_text(text)
        (folder / name / "shard-2.jsonl").write_text(text.replace('"n": 3', '"n": null'))
    (folder / "rollouts" / "shard-1.jsonl").rename(folder / "rollouts" / "made.rollouts.jsonl")
    (folder / "rollouts" / "shard-2.jsonl").unlink()
    curve = [{"step": at, "kl": at / 10} for at in range(3)]
    (folder / "rollouts" / "made.summary.json").write_text(json.dumps({"summary": {"seed": 0}, "curve": curve}))
    yield "rollouts", Run(folder / "rollouts" / "made.rollouts.jsonl")
    mapping = folder / "map.toml"
    columns = '"score.a" = "rewards.a"\nreward = "reward"\ntokens = "n"\n"extra.part" = "parts.1"\n'
    mapping.write_text(f'series = ["n"]\n[columns]\nstep = "step"\ngroup = "group"\n{columns}')
    yield "mapped", Run(folder / "mapped", mapping)
    (folder / "log.csv").write_text("step,loss,kl\n" + "".join(f"{at},{at / 4},\n" for at in range(6)))
    yield "step_log", Run(folder / "log.csv")
    with Tap(folder / "flat") as tap:
        for step in range(3):
            tap.step(step, group=[0, 0], reward=[0.0, 1.0], completion_text=["a", "b"], scores={"a": [None, math.nan]})
            tap.log(step, {"kl": 0.1})
            tap.flush()
    yield "flat", Run(folder / "flat")


def test_every_format_has_a_run_to_damage(shared: Path, runs: dict[str, Run]) -> None:
    assert set(adapters()) == set(runs)


@pytest.mark.parametrize("name", list(adapters()))
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES < 100,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_damage_is_a_record_or_an_error_that_names_the_file(
    name: str, runs: dict[str, Run], data: st.DataObject
) -> None:
    if name not in runs:
        pytest.skip("its run is among the shared corpora, which are not here")
    whole = runs[name]
    with tempfile.TemporaryDirectory(prefix="damaged-") as place:
        path = Path(place) / whole.path.name
        _copy(whole, path)
        beside = [one for one in Path(place).rglob("*") if one.is_file()]
        for victim in data.draw(st.lists(st.sampled_from(sorted(beside)), min_size=1, max_size=2, unique=True)):
            note(damage(data.draw, victim))
        said = _opened(path, whole.map, flat=name == "flat")
        assert not said or place in said, said
    cache_folder = Path(os.environ["EVIDENCE_LENS_CACHE"]) / "runs"
    assert [one.name for one in cache_folder.glob(".reading-*")] == []
    assert [one.name for one in Path(tempfile.gettempdir()).iterdir()] == []


def _opened(path: Path, mapping: Path | None, *, flat: bool) -> str:
    """What the error says; empty where a record came of it, which is read."""
    try:
        record = open_run(str(path), map=str(mapping or ""))
    except UsageError as error:
        return str(error)
    _read(record, flat=flat)
    return ""


def _copy(whole: Run, path: Path) -> None:
    """The run, writable, and a lone file with what lies beside it under its name."""
    if whole.path.is_dir():
        shutil.copytree(whole.path, path, copy_function=shutil.copyfile)
        for one in [path, *path.rglob("*")]:
            one.chmod(0o755 if one.is_dir() else 0o644)
        return
    stem = whole.path.name.partition(".")[0]
    for one in whole.path.parent.glob(f"{stem}.*"):
        shutil.copyfile(one, path.parent / one.name)


def _read(record: Record, *, flat: bool) -> None:
    """What every reading does first. A flat record's parts are read where they lie, so their damage shows here."""
    try:
        counts = record.counts
        if record.has("rollouts"):
            rows = record.sql("SELECT * FROM rollouts")
            assert len(rows) == counts["rows"] == sum(span.rows for span in record.ranges)
        record.series()
    except Exception:
        if not flat:
            raise
