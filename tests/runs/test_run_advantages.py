"""Advantages: sums that a rule makes 0, and what their sizes alone rule out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from test_run_replay import made

from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.runs.instruments.advantages import advantages
from lens.runs.opening import open_run
from lens.runs.review import Review


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def read(review: Review) -> Result:
    found = advantages(review)
    assert isinstance(found, Result), found
    return found


def fields(folder: Path, recorded: list[float], groups: Any = 0) -> dict[str, Any]:
    """What is read of advantages alone: no score is needed."""
    found = read(Review(run=made(folder, {"step": 1, "group": groups, "advantage": recorded}))).reading
    assert isinstance(found, Measured), found
    return {name: one.value for name, one in found.fields.items() if isinstance(one, Quantity | Label)}


EIGHT_1, EIGHT_0 = 7 / math.sqrt(8), math.sqrt(7)  # one of eight that differs, over its deviation with ddof 1 and 0


@pytest.mark.parametrize(
    ("largest", "excluded"),
    [
        (EIGHT_1, "nothing"),
        (EIGHT_1 * 1.001, "ddof 1 within groups"),
        (EIGHT_0, "ddof 1 within groups"),
        (EIGHT_0 * 1.001, "any scaling within groups"),
    ],
)
def test_an_advantage_past_its_bound_rules_a_rule_out(tmp_path: Path, largest: float, excluded: str) -> None:
    found = fields(tmp_path, [largest, *[-largest / 7] * 7])
    assert found["excluded"] == excluded
    assert (found["bound.ddof-1"], found["bound.ddof-0"]) == pytest.approx((EIGHT_1, EIGHT_0))
    assert found["group-sum"] == pytest.approx(0, abs=1e-12)


def test_each_group_has_a_bound_of_its_own_and_one_alone_has_none(tmp_path: Path) -> None:
    """1.5 is past what two rollouts can reach and within what eight can; a single one may keep its reward."""
    assert fields(tmp_path / "a", [1.5, -1.5, *[0.0] * 8], [0] * 2 + [1] * 8)["excluded"] == "any scaling within groups"
    assert fields(tmp_path / "b", [1.5, *[0.0] * 8], [0] + [1] * 8)["excluded"] == "nothing"


def test_signs_are_counted_at_three_tolerances(tmp_path: Path) -> None:
    found = fields(tmp_path, [5e-7, -5e-7, 5e-6, -2.0, 0.0, 2e-8])
    counts = [[found[f"{sign}{dot}"] for sign in ("up", "down", "still")] for dot in (".tenth", "", ".tenfold")]
    assert counts == [[2, 2, 2], [1, 1, 4], [0, 1, 5]]
    assert (found["zero"], found["dead-groups"]) == (1, 0)


@pytest.mark.parametrize("name", ["base", "none_scale", "batch_scale", "partition_dapo"])
def test_a_groups_advantages_add_to_nothing(shared: Path, name: str) -> None:
    found = read(Review(run=open_run(str(shared / "data/runs/trl_micro" / name)))).reading
    assert isinstance(found, Measured)
    total = found.fields["group-sum"]
    assert isinstance(total, Quantity)
    assert total.value < 1e-5


def test_advantages_but_for_exact_zeros_are_spread_over_bins(tmp_path: Path) -> None:
    run = made(tmp_path, {"step": [1, 1, 1, 2, 2, 2], "group": 0, "advantage": [-1.0, 0.0, 1.0, 1.0, 0.99, -0.97]})
    table = read(Review(run=run)).tables["spread"]
    counts = {(round(low, 6), round(high, 6)): n for low, high, n in zip(*table.values(), strict=True) if n}
    assert counts == {(-1.0, round(-1 + 2 / 48, 6)): 2, (round(1 - 2 / 48, 6), 1.0): 3}
    assert len(table["low"]) == 48


def test_of_one_value_there_is_one_bin(tmp_path: Path) -> None:
    table = read(Review(run=made(tmp_path, {"step": 1, "group": 0, "advantage": [0.5, 0.5]}))).tables["spread"]
    assert table == {"low": [0.5], "high": [0.5], "rollouts": [2]}


def test_an_advantage_that_is_no_number_declines(tmp_path: Path) -> None:
    columns = {"step": 1, "group": 0, "advantage": [0.0, math.nan, math.inf, 1.0]}
    found = advantages(Review(run=made(tmp_path, columns)))
    assert isinstance(found, Declined)
    assert "2 of 4" in found.detail
