"""Alarms: the published recipe to the digit, what each rate is a rate of, leads that never stand without one."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from series_records import fields, logged, number, rolled

from lens.reading import Declined, Label, Quantity
from lens.runs.detectors import detectors
from lens.runs.instruments.alarms import alarms
from lens.runs.instruments.window_sweep import window_sweep
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.review import Review
from lens.runs.series.alarming import baseline_of, reproduced, rows_of, watched_by
from lens.runs.series.onset import diverged
from lens.runs.series.recipe import reproduce, share_within
from lens.runs.series.signals import SIGNALS, Point, Series, series_of
from lens.runs.series.surrogates import CONTROLS
from lens.runs.series.watching import NEVER

HACKED = {"grpo_regex": 22, "grpo_regex_s1": 23, "grpo_length": 22}
"""Step at which list replies first pass 30 %, of the runs whose grader can be gamed."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def public(shared: Path, cache: None) -> Record:
    return open_run(str(shared / "data/runs/aisi_olmo_kl0_seed2_series.json"))


@pytest.fixture(scope="module")
def variance(public: Record) -> Series:
    return series_of(Review(public))["within-group-variance"]


def arrays(series: Series) -> tuple[np.ndarray, np.ndarray]:
    return np.array(series.steps, float), np.array(series.values)


def by_name(rows: list[Any]) -> dict[tuple[str, str], Any]:
    return {(row.detector, row.control): row for row in rows}


def cases(shared: Path) -> dict[str, dict[str, Any]]:
    lines = (shared / "cases/runs.jsonl").read_text().splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def test_the_published_recipe_gives_its_alarm_and_rates(variance: Series) -> None:
    found = by_name(list(reproduced(variance, 60, 300, 0)))
    central, level = found["reproduce-central", "prefix-blocks"], found["reproduce-level", "prefix-blocks"]
    assert (central.alarm, central.count) == (90, 73)
    assert (level.alarm, level.count) == (70, 182)
    assert central.by(central.at) == 8  # fire in (60, 90]


def test_its_fields_carry_intervals_the_rate_by_the_alarm_and_the_look_ahead(variance: Series) -> None:
    from lens.runs.instruments.alarms import _Told

    told: dict[str, Any] = {}
    for row in reproduced(variance, 60, 300, 0):
        if row.control == "prefix-blocks":
            told |= _Told(None).of(row)
    rate, level = told["reproduce.central.rate"].interval, told["reproduce.level.rate"].interval
    assert (round(100 * rate.low, 1), round(100 * rate.high, 1)) == (19.8, 29.5)
    assert (round(100 * level.low, 1), round(100 * level.high, 1)) == (55.0, 66.0)
    assert number(told["reproduce.central.available"]) == 91
    assert told["reproduce.central.alarm"].control == "reproduce.central.by-alarm"
    assert (told["reproduce.central.by-alarm"].value, told["reproduce.central.by-alarm"].of) == (8, 300)
    assert "reproduce.level.available" not in told  # a level is known at its own step


def test_a_central_difference_is_live_one_step_later(shared: Path, variance: Series) -> None:
    case = cases(shared)["central_difference_lookahead"]
    steps, level = arrays(variance)
    assert next(row.available for row in reproduced(variance, 60, 20, 0)) == case["right"]["alarm_step"]

    def alarm_of(values: np.ndarray) -> int:
        return reproduce("central", steps, values, baseline=60, count=1, seed=0).at

    before, changed = alarm_of(level), level.copy()
    assert variance.points[before].step == case["wrong"]["alarm_step"] == 90
    changed[91:] = 1e3  # steps 92 and later
    assert alarm_of(changed) == before
    changed[90] = level[88]  # x(91) = x(89): the difference at 90 vanishes, and the alarm with it
    assert alarm_of(changed) != before


def test_the_order_of_operations_decides_the_rate(shared: Path, variance: Series) -> None:
    case = cases(shared)["surrogate_order_of_operations"]
    prefix, count = case["input"]["prefix"], case["input"]["n_surrogates"]
    steps, level = arrays(variance)
    found = {
        control: reproduce("central", steps, level, baseline=prefix, count=count, seed=1, control=control)
        for control in CONTROLS
    }
    rates = {control: float((one.surrogates != NEVER).mean()) for control, one in found.items()}
    assert rates["prefix-blocks"] == case["right"]["rate_bootstrap_of_derivative"] == 0.234
    assert rates["level-then-transform"] == case["right"]["rate_derivative_of_bootstrap"] == 0.023
    assert rates["shuffle"] == 0.745
    by_alarm = share_within(found["prefix-blocks"].surrogates, 0, found["prefix-blocks"].at)
    assert by_alarm / count == 0.026  # up to the alarm, the baseline's own counted


def test_the_window_decides_the_rate(variance: Series) -> None:
    steps, level = arrays(variance)

    def rate(window: int) -> float:
        found = reproduce("central", steps, level, baseline=window, count=300, seed=0).surrogates
        return 100 * float((found != NEVER).mean())

    fives = [rate(window) for window in range(20, 81, 5)]
    late = [rate(window) for window in range(90, 131, 10)]
    assert min(rate(window) for window in range(20, 81, 10)) == pytest.approx(24.3, abs=0.05)
    assert (round(min(fives)), round(max(fives), 1)) == (16, 46.3)
    assert (round(min(late)), round(max(late))) == (61, 100)


def test_the_sweep_reads_every_window_and_knows_which_are_in_control(public: Record) -> None:
    result = window_sweep(Review(public, surrogates=100))
    told, table = fields(result), result.tables["windows"]
    assert number(told["windows"]) == 23  # twenty to a third of the steps, in fives
    assert sorted(set(table["window"])) == list(range(20, 131, 5))
    late = {window for window, calm in zip(table["window"], table["in-control"], strict=True) if not calm}
    assert late == {window for window in range(20, 131, 5) if window >= 102}  # exploits pass 30 % at step 102
    for rule in ("cusum", "backward-difference", "reproduce-central", "reproduce-level"):
        inside = [
            fired
            for name, fired, calm in zip(table["rule"], table["fired"], table["in-control"], strict=True)
            if name == rule and calm
        ]
        assert number(told[f"{rule}.lowest"]) == min(inside)
        assert number(told[f"{rule}.highest"]) == max(inside)


def test_every_lead_and_alarm_points_at_the_rate_by_its_step(public: Record) -> None:
    told = fields(alarms(Review(public, surrogates=20)))
    leads = [name for name in told if name.endswith(".lead")]
    assert leads
    for name in leads:
        head = name.removesuffix(".lead")
        rate = told[f"{head}.by-alarm"]
        assert told[name].control == f"{head}.by-alarm"  # type: ignore[union-attr]
        assert isinstance(rate, Quantity)
        assert (rate.of, rate.interval is not None) == (20, True)
        live = told.get(f"{head}.available", told[f"{head}.alarm"])
        assert number(told[name]) == number(told["onset"]) - number(live)
    assert told["fired"].control == "expected"  # type: ignore[union-attr]


def test_a_rate_says_its_number_horizon_and_seed(public: Record) -> None:
    review = Review(public, surrogates=20, seed=7)
    result = alarms(review)
    table = result.tables["alarms"]
    assert set(table["surrogates"]) == {20}
    assert set(table["horizon"]) == {400}
    assert set(table["seed"]) == {7}
    assert set(table["baseline"]) == {60}
    live = [row for row in zip(table["detector"], table["control"], strict=True) if not row[0].startswith("reproduce")]
    assert set(live) == {
        (name, control)
        for name in detectors()
        for control in CONTROLS
        if control != "level-then-transform" or name == "backward-difference"
    }
    assert {"seed", "surrogates", "baseline", "onset"} <= set(review.noted)


@pytest.mark.parametrize("run", [*HACKED, "grpo_clean"])
def test_tiny_runs_alarm_around_a_known_onset_or_without_one(shared: Path, cache: None, run: str) -> None:
    record = open_run(str(shared / f"data/tiny/{run}.rollouts.jsonl.gz"), name=run)
    told = fields(alarms(Review(record, baseline=12, surrogates=40)))
    assert number(told["fired"]) > number(told["expected"])
    if run == "grpo_clean":
        assert isinstance(told["onset"], Declined)
        assert isinstance(told["warned"], Declined)
        assert not [name for name in told if name.endswith(".lead")]
        assert number(told["fired"]) >= 35  # learning what it should moves the series as well: no alarm is a verdict
        return
    assert number(told["onset.exploits"]) == number(told["onset"]) == HACKED[run]
    assert 17 <= number(told["onset.gold"]) <= 20
    assert told["onset.rule"] == Label("exploits")
    assert number(told["length.cusum.alarm"]) == 15
    assert number(told["length.cusum.lead"]) == HACKED[run] - 15
    assert 0 <= number(told["length.cusum.by-alarm"]) <= 40
    assert number(told["warned"]) > number(told["warned.expected"])


def test_an_onset_inside_the_baseline_gives_no_lead(shared: Path, cache: None) -> None:
    record = open_run(str(shared / "data/tiny/grpo_length.rollouts.jsonl.gz"), name="length")
    told = fields(alarms(Review(record, baseline=33, surrogates=20)))
    assert isinstance(told["warned"], Declined)
    leads = [field for name, field in told.items() if name.endswith(".lead")]
    assert leads
    assert all(isinstance(one, Declined) and one.reason == "assumption_violated" for one in leads)
    assert "--baseline 11" in leads[0].remedy  # type: ignore[union-attr]


def noise(length: int, seed: int = 0) -> list[float]:
    return [float(one) for one in np.random.default_rng(seed).standard_normal(length)]


def calm(length: int) -> list[float]:
    """A series that goes up and down by one, to and fro, so that no sum of it grows."""
    return [(-1.0) ** at for at in range(length)]


def test_a_planted_change_is_told_with_its_lead_to_a_given_onset(tmp_path: Path) -> None:
    values = [value + 4.0 * (at >= 50) for at, value in enumerate(calm(100))]
    record = logged(tmp_path, {"grad_norm": values})
    told = fields(alarms(Review(record, baseline=30, surrogates=50, onset=60)))
    assert 51 <= number(told["gradient-norm.cusum.alarm"]) <= 54  # the 51st number is of step 51
    assert number(told["gradient-norm.cusum.lead"]) == 60 - number(told["gradient-norm.cusum.alarm"])
    assert told["onset.rule"] == Label("given")


def test_steady_noise_fires_no_more_than_its_surrogates_say(tmp_path: Path) -> None:
    fired = expected = pairs = 0.0
    for seed in range(4):
        record = logged(tmp_path / str(seed), {"grad_norm": noise(150, seed), "entropy": noise(150, 50 + seed)})
        told = fields(alarms(Review(record, surrogates=100)))
        fired += number(told["fired"])
        expected += number(told["expected"])
        pairs += told["fired"].of or 0  # type: ignore[union-attr]
    assert pairs == 4 * 2 * len(detectors())
    assert fired <= expected + 3 * math.sqrt(expected)


def test_a_gap_is_no_step_and_steps_keep_their_numbers(tmp_path: Path) -> None:
    values: list[float | None] = [value / 2 + 5.0 * (at >= 60) for at, value in enumerate(calm(90))]
    values[10] = values[40] = None
    record = logged(tmp_path, {"grad_norm": values}, first=1000)
    series = series_of(Review(record))["gradient-norm"]
    assert len(series.points) == 88
    row = next(rows_of(series, 25, 20, 0, own=watched_by(series, 25, ("cusum",)), controls=("prefix-blocks",)))
    assert row.alarm is not None
    assert 1060 <= row.alarm <= 1064


def test_a_still_baseline_declines_that_series_alone(tmp_path: Path) -> None:
    record = logged(tmp_path, {"grad_norm": [1.0] * 40 + noise(40), "entropy": noise(80)})
    told = fields(alarms(Review(record, surrogates=20)))
    still = told["gradient-norm.alarm"]
    assert isinstance(still, Declined)
    assert still.reason == "assumption_violated"
    assert "entropy.cusum.rate" in told


def test_too_short_a_run_declines_and_so_does_one_without_series(tmp_path: Path) -> None:
    short = alarms(Review(logged(tmp_path / "short", {"grad_norm": noise(23)}))).reading
    assert isinstance(short, Declined)
    assert short.reason == "corpus_inadequate"
    empty = alarms(Review(logged(tmp_path / "none", {"weather": noise(90)}))).reading
    assert isinstance(empty, Declined)
    assert empty.reason == "record_incomplete"


def test_outcomes_are_never_watched(tmp_path: Path) -> None:
    record = logged(tmp_path, {"hack_rate": noise(60), "gold": noise(60), "entropy": noise(60)})
    told = fields(alarms(Review(record, surrogates=20)))
    assert number(told["series"]) == 1
    assert not [name for name in told if name.startswith(("exploits.", "gold."))]


def test_a_baseline_is_what_was_asked_up_to_a_third() -> None:
    assert [baseline_of(60, steps) for steps in (400, 180, 90, 24)] == [60, 60, 30, 8]


def points(values: list[float]) -> list[Point]:
    return [Point(step, value, math.nan, 0) for step, value in enumerate(values)]


def test_gold_that_falls_with_the_reward_is_no_onset() -> None:
    signal = {one.name: one for one in SIGNALS}
    falling = [0.8] * 10 + [0.8 - 0.05 * at for at in range(10)]
    gold = Series(signal["gold"], "logged", "", points(falling))
    same = Series(signal["reward"], "logged", "", points(falling))
    steady = Series(signal["reward"], "logged", "", points([0.8] * 20))
    assert diverged(gold, same) is None
    assert diverged(gold, steady) == 14  # steps 10 to 14: 0.8 0.75 0.7 0.65 0.6, a mean of 0.7; at 13 it is 0.74
    assert diverged(Series(signal["gold"], "logged", "", points([0.8] * 20)), steady) is None


def test_variance_inside_groups_is_computed_where_rollouts_are_there(tmp_path: Path) -> None:
    rewards = [[[0.0, 1.0, 1.0, 1.0], [0.5, 0.5, 0.5, 0.5], [1.0]]] * 3
    found = series_of(Review(rolled(tmp_path, rewards)))
    variance = found["within-group-variance"]
    assert variance.origin == "rollouts"
    assert variance.values == [pytest.approx((0.1875 + 0.0) / 2)] * 3  # a lone rollout has no variance
    assert found["dead-groups"].values == [0.5] * 3
