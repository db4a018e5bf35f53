"""Recorded scores as a subject: read from files, matched to pairs, and silent about anything new."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lens.access import Access
from lens.errors import UsageError
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.scores import Panel, ScoresModel
from lens.models.sources import recorded
from lens.models.subject import open_model

PAIR = {"prompt": "q", "chosen": "good", "rejected": "bad"}
TWO = {"question": "q", "response_A": "bad", "response_B": "good", "label": "B>A"}


def _write(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def _open(tmp_path: Path, *rows: dict[str, Any]) -> ScoresModel:
    model = open_model("scores:" + _write(tmp_path / "My_scores.jsonl", *rows))
    assert isinstance(model, ScoresModel)
    return model


@pytest.mark.parametrize(
    "row",
    [
        {**PAIR, "chosen_score": 2.5, "rejected_score": -1},
        {**PAIR, "score_chosen": 2.5, "score_rejected": -1},
        {**PAIR, "reward_chosen": 2.5, "reward_rejected": -1},
        {**PAIR, "scores": {"chosen": 2.5, "rejected": -1}},
        {**PAIR, "scores": [2.5, -1]},
        {**TWO, "score_A": -1, "score_B": 2.5},
        {**TWO, "scores": [-1, 2.5]},
        {**TWO, "judgments": [{"judgment": {"scores": [-1, 2.5]}}, {"judgment": {"scores": [2.5, -1]}}]},
    ],
)
def test_score_columns(tmp_path: Path, row: dict[str, Any]) -> None:
    model = _open(tmp_path, row)
    assert model.recorded(Pair(9, "q", "good", "bad")) == (2.5, -1.0)
    assert model.recorded(Pair(9, "q", "bad", "good")) == (-1.0, 2.5)  # whoever calls which reply the better one
    assert model.recorded(Pair(9, "other", "good", "bad")) is None
    assert (model.slug, model.family, model.grants()) == ("my-scores", "scores", "grader.record gold.record")


def test_pairs_by_key_alone(tmp_path: Path) -> None:
    model = _open(tmp_path, {"pair_id": "p1", "chosen_score": 1, "rejected_score": 0})
    assert model.own_pairs is None
    assert model.recorded(Pair(1, "q", "a", "b", key="p1")) == (1.0, 0.0)
    assert model.recorded(Pair(1, "q", "a", "b", key="p2")) is None
    assert model.recorded(Pair(1, "q", "a", "b")) is None


def test_parquet(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist([{**PAIR, "scores": [2.5, -1.0]}]), tmp_path / "s.parquet")
    model: Any = open_model(f"scores:{tmp_path / 's.parquet'}")
    assert model.recorded(Pair(1, "q", "good", "bad")) == (2.5, -1.0)


def test_both_orders(tmp_path: Path) -> None:
    rows = [
        {**PAIR, "order": "AB", "scores": [2.5, -1]},
        {**PAIR, "order": "BA", "scores": [2.0, -1]},
        {**PAIR, "order": "BA", "scores": [2.0, -1]},
    ]
    model = _open(tmp_path, *rows)
    assert model.orders(Pair(1, "q", "good", "bad")) == ((2.5, -1.0), (2.0, -1.0))
    assert len(model.rows) == 1


def test_a_clone_is_fine_and_another_score_is_not(tmp_path: Path) -> None:
    row = {**PAIR, "scores": [1, 0]}
    assert len(_open(tmp_path, row, row).rows) == 1
    with pytest.raises(UsageError, match="line 2: this pair stands in the file before, with other scores"):
        _open(tmp_path, row, {**row, "scores": [2, 0]})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (PAIR, "line 1 has no scores: columns prompt, chosen, rejected"),
        ({**PAIR, "scores": [1.0, float("nan")]}, "line 1: a score is nan, no finite number"),
        ({**PAIR, "scores": [1.0, None]}, "line 1: a score is None"),
        ({**PAIR, "scores": [1.0, True]}, "line 1: a score is True"),
        ({"text": "q", "chosen_score": 1, "rejected_score": 0}, "line 1 names no pair"),
        ({**PAIR, "rejected": "good", "scores": [1, 0]}, "no scored pairs: 1 with both replies alike"),
        ({**TWO, "judgments": [{"judgment": None}]}, "line 1 has no scores"),
    ],
)
def test_files_that_are_no_record_say_why(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        _open(tmp_path, row)
    assert message in caught.value.message
    assert caught.value.remedy


def test_what_is_not_there() -> None:
    with pytest.raises(UsageError, match="judgebench/Skywork"):
        open_model("scores:nowhere.jsonl")


def test_it_scores_nothing_new(tmp_path: Path) -> None:
    model = _open(tmp_path, {**PAIR, "scores": [1, 0]})
    for call in (lambda: model.encode("q", "good"), lambda: model.rewards([]), lambda: model.native([], "left")):
        with pytest.raises(UsageError, match="can't score a new text") as caught:
            call()
        assert "lens measure model MODEL --pairs FILE" in caught.value.remedy


def test_margins_are_what_was_recorded_and_the_file_is_an_input(tmp_path: Path) -> None:
    model = _open(tmp_path, {**PAIR, "scores": [1, 0]})
    assert model.own_pairs is not None
    inspection = Inspection(model, model.own_pairs, Access.parse(model.grants()))
    assert inspection.margins(inspection.used_pairs()) == [(1.0, 0.0)]
    assert {one.role for one in inspection.used.values()} <= {"pairs", "scores"}
    assert {one.digest for one in inspection.used.values()} == {model.fingerprint}


def test_records_side_by_side(tmp_path: Path) -> None:
    paths = [_write(tmp_path / f"{name}.jsonl", {**PAIR, "scores": [1, 0]}) for name in "ab"]
    model = open_model(f"scores:{paths[0]}+{paths[1]}")
    assert isinstance(model, Panel)
    assert (model.slug, [one.slug for one in model.members]) == ("a-and-b", ["a", "b"])
    assert model.recorded(Pair(1, "q", "good", "bad")) is None
    assert len(model.own_pairs or ()) == 1
    with pytest.raises(UsageError, match="two records of different names"):
        open_model(f"scores:{paths[0]}+{paths[0]}")


def test_the_five_of_judgebench(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_SHARED", str(shared))
    model = open_model("scores:judgebench")
    assert isinstance(model, Panel)
    assert model.slug == "judgebench-five"
    assert {one.slug for one in model.members} == {
        "skywork-reward-gemma-2-27b",
        "skywork-reward-llama-3-1-8b",
        "internlm2-20b-reward",
        "internlm2-7b-reward",
        "grm-gemma-2b",
    }
    for member in model.members:
        assert member.own_pairs is not None
        assert member.own_pairs.name == "judgebench"
        assert all(len(member.orders(pair)) == 2 for pair in member.own_pairs)
    assert [f"scores:{name}" for name in recorded()] == [one.spec for one in model.members]


def test_measured_into_a_store_once(tmp_path: Path) -> None:
    from measure.inspecting import ModelRequest, inspected

    rows = [
        {"prompt": f"q{i}", "chosen": "a longer reply" * (1 + i % 3), "rejected": "short", "scores": [i % 5, 1]}
        for i in range(24)
    ]
    spec = "scores:" + _write(tmp_path / "recorded.jsonl", *rows)
    names = ("preference", "length-preference", "order-control")
    with inspected(ModelRequest(spec, instruments=names), tmp_path / "data", workers=1) as inspecting:
        ending = inspecting.run()
        assert sorted(ending.written) == sorted(names)
        record = inspecting.store.record("models/recorded/preference").evidence
        assert {one.role: one.rows for one in record.inputs} == {"pairs": 24, "scores": 24}
        assert inspecting.store.table("models/recorded/preference", "pairs").num_rows == 24
    with inspected(ModelRequest(spec, instruments=names), tmp_path / "data", workers=1) as inspecting:
        ending = inspecting.run()
        assert sorted(ending.standing) == sorted(names)
        assert not ending.written
    rows[0]["scores"] = [9, 1]
    _write(tmp_path / "recorded.jsonl", *rows)
    with inspected(ModelRequest(spec, instruments=names), tmp_path / "data", workers=1) as inspecting:
        assert sorted(inspecting.run().written) == sorted(names)
