"""Long records: a sample of them rules out what all of it would, ranges change nothing, memory stays bounded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lens.canonical import digest
from lens.reading import Declined, Measured, Result
from lens.runs import record as records
from lens.runs.instruments.advantages import advantages
from lens.runs.instruments.counterfactual import counterfactual
from lens.runs.instruments.score_tree import score_tree
from lens.runs.record import Record, open_folder
from lens.runs.review import Review
from lens.runs.selection import replay as replaying
from lens.runs.selection.replay import Replay, accepted, replay
from lens.runs.selection.rules import Rule

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = ROOT / "bench" / "scripts"
TRUE = Rule("group", 1, 1e-4)


def made_up(folder: Path, rollouts: int) -> Record:
    """A record of 1,000 rollouts a step with two leaves, one rollout in a hundred without a score."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(SCRIPTS / "runs_record.py"), str(folder), str(rollouts)]
    subprocess.run(command, check=True, env=environment)
    return open_folder(folder, "made-up", "made-up")


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return made_up(tmp_path_factory.mktemp("long") / "record", 60_000)


def fields(reading: Any) -> dict[str, Any]:
    reading = reading.reading if isinstance(reading, Result) else reading
    assert isinstance(reading, Measured), reading
    return dict(reading.fields)


def test_a_sample_rules_out_what_all_of_it_would(long: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    sampled = replay(Review(run=long))
    monkeypatch.setattr(replaying, "SCREENED", 10**9)
    whole = replay(Review(run=long))
    assert isinstance(sampled, Replay)
    assert isinstance(whole, Replay)
    assert sampled.accepted == whole.accepted == (TRUE,)
    assert {one.compared for one in whole.tried} == {60_000}
    assert sorted({one.compared for one in sampled.tried}) == [16_000, 60_000]
    assert sampled.tried[:2] == whole.tried[:2]
    assert sampled.nearest == whole.nearest
    assert len(sampled.tried) == len(whole.tried)


def test_a_rule_that_fits_the_sample_alone_is_found_out(tmp_path: Path) -> None:
    """Advantages of one step that the sample leaves out are another rule's."""
    record = made_up(tmp_path / "record", 60_000)
    inside = {step for span in replaying._sample(record) for step in range(span.first, span.last + 1)}
    outside = max(set(range(60)) - inside)
    spoiled = f"CASE WHEN step = {outside} THEN 1.01 * advantage ELSE advantage END AS advantage"
    with record.database() as database:
        target = tmp_path / "spoiled.parquet"
        database.execute(f"COPY (SELECT * REPLACE ({spoiled}) FROM rollouts) TO '{target}' (FORMAT parquet)")
    for part in (record.folder / "rollouts").iterdir():
        part.unlink()
    target.rename(record.folder / "rollouts" / "part-000000.parquet")
    found = replay(Review(run=record))
    assert isinstance(found, Replay)
    assert found.accepted == ()
    (true,) = (one for one in found.tried if one.rule == TRUE)
    assert true.compared == 60_000
    assert 900 < true.beyond <= 1000
    assert isinstance(accepted(Review(run=record)), Declined)


def test_the_sample_is_whole_steps_from_places_all_over_the_run(long: Record) -> None:
    spans = replaying._sample(long)
    assert [(span.first, span.last, span.rows) for span in spans] == [
        (0, 3, 4000), (15, 18, 4000), (30, 33, 4000), (45, 48, 4000),
    ]  # fmt: skip


def test_ranges_of_steps_change_no_reading(long: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """One range or fifteen: what is counted is the same, what is a sum the same to rounding."""
    found = []
    for rows in (500_000, 20_000, 4_000):
        monkeypatch.setattr(records, "RANGE_ROWS", rows)
        here = open_folder(long.folder, "made-up", "made-up")
        review = Review(run=here, edits=("drop:style", "gate:style>=0.5", "weight:style=2"))
        counted = {name: one for of in (counterfactual, advantages) for name, one in fields(of(review)).items()}
        found.append((len(here.ranges), digest(counted), fields(score_tree(review))["style.share"].value))
    assert [one[0] for one in found] == [1, 3, 15]
    assert len({one[1] for one in found}) == 1
    assert [one[2] for one in found] == pytest.approx([found[0][2]] * 3, rel=1e-12)


def test_more_edits_than_one_statement_takes_are_counted_alike(long: Record) -> None:
    edits = tuple(f"weight:style={weight}" for weight in (0, 1, 2, 3, 4, 5))
    together = fields(counterfactual(Review(run=long, edits=edits)))
    alone = fields(counterfactual(Review(run=long, edits=edits[-1:])))
    assert {name: together[name] for name in alone} == alone


def test_a_million_rollouts_are_read_in_bounded_memory(tmp_path: Path) -> None:
    folder = made_up(tmp_path / "record", 1_000_000).folder
    ours = [sys.executable, str(SCRIPTS / "runs_ours.py"), str(folder), "replay", "advantages", "counterfactual"]
    ran = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPTS / "spent.py"), *ours],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, _, _, megabytes = json.loads(ran.stdout)
    assert code == 0, ran.stderr
    assert megabytes < 320
