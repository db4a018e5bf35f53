"""Series: computed where rollouts are there, logged elsewhere, gaps kept, KL named, dead steps told from zero loss."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gram_records import opened
from series_records import fields, logged, rolled

from lens.errors import UsageError
from lens.reading import Declined, Quantity
from lens.runs.instruments.series import series
from lens.runs.opening import open_run
from lens.runs.record import Range
from lens.runs.review import Review
from lens.runs.series.signals import reward_of, series_of, watched
from lens.runs.settings import Settings
from lens.runs.writer import Writer


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def case(shared: Path, name: str) -> dict[str, Any]:
    lines = (shared / "cases/runs.jsonl").read_text().splitlines()
    return next(one for one in map(json.loads, lines) if one["id"] == name)


def test_values_of_a_step_are_means_over_its_groups(tmp_path: Path) -> None:
    rewards = [[[0.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 4.0]]]
    tokens = [1, 3, 5, 5, 2, 2, 2, 6]
    found = series_of(Review(rolled(tmp_path, rewards, tokens=tokens)))
    assert found["reward"].values == [0.75, 1.0]
    assert found["within-group-variance"].values == [0.125, 2.0]
    assert found["dead-groups"].values == [0.5, 0.5]
    assert found["length"].values == [3.5, 3.0]
    assert found["reward-length"].values == [1.0, 1.0]  # of what differs inside a prompt, all goes with length


def test_reward_and_length_are_compared_inside_a_prompt(tmp_path: Path) -> None:
    """Longer prompts' replies earn more here; inside each prompt longer ones earn less."""
    rewards = [[[1.0, 0.0], [11.0, 10.0]]]
    found = series_of(Review(rolled(tmp_path, rewards, tokens=[1, 2, 101, 102])))
    assert found["reward-length"].values == [-1.0]
    flat = np.corrcoef([1.0, 0.0, 11.0, 10.0], [1, 2, 101, 102])[0, 1]
    assert flat > 0.9  # pooled, the sign is another


def test_abstentions_and_faults_are_no_zeros(tmp_path: Path) -> None:
    found = series_of(Review(rolled(tmp_path, [[[None, 1.0, 1.0], [math.nan, math.inf, 3.0]]])))
    assert found["reward"].values == [2.0]
    assert found["dead-groups"].values == [1.0]  # one group has two rewards, equal; the other has but one


def test_a_constant_group_has_no_variance_however_large(tmp_path: Path) -> None:
    found = series_of(Review(rolled(tmp_path, [[[2.1] * 6], [[1e9 + 0.1] * 6]])))
    assert found["within-group-variance"].values == [0.0, 0.0]
    assert found["dead-groups"].values == [1.0, 1.0]


def test_importance_weights_lose_rollouts(tmp_path: Path) -> None:
    old = [-2.0, -2.0, -2.0, -2.0]
    same = rolled(tmp_path / "same", [[[0.0, 1.0, 0.0, 1.0]]], logp=old, logp_old=old)
    assert series_of(Review(same))["ess"].values == [1.0]
    moved = rolled(tmp_path / "moved", [[[0.0, 1.0, 0.0, 1.0]]], logp=[800.0, -2.0, -2.0, -2.0], logp_old=old)
    assert series_of(Review(moved))["ess"].values == [0.25]  # one of four carries all the weight, without overflow
    weights = np.exp([0.5, -0.5, 0.0, 0.2])
    some = rolled(
        tmp_path / "some", [[[0.0, 1.0, 0.0, 1.0]]], logp=[float(one) - 2 for one in np.log(weights)], logp_old=old
    )
    expected = weights.sum() ** 2 / (weights**2).sum() / 4
    assert series_of(Review(some))["ess"].values == [pytest.approx(expected, rel=1e-12)]


def test_kl_is_per_response_and_per_token_and_says_which(tmp_path: Path) -> None:
    record = rolled(tmp_path, [[[0.0, 1.0]]], tokens=[4, 2], logp_old=[-1.0, -2.0], logp_ref=[-1.4, -2.4])
    found = series_of(Review(record))
    assert found["kl"].values == [pytest.approx(0.4)]
    assert found["kl-per-token"].values == [pytest.approx(0.8 / 6)]
    assert (found["kl"].unit, found["kl-per-token"].unit) == ("nats a response", "nats a token")
    assert "kl-per-token" not in watched(Review(record))  # a detector reads one of the two


def test_a_trainers_kl_is_per_token(tmp_path: Path) -> None:
    found = series_of(Review(logged(tmp_path, {"kl": [0.1, 0.2]})))
    assert "kl" not in found
    assert found["kl-per-token"].values == [0.1, 0.2]
    assert "kl-per-token" in watched(Review(logged(tmp_path / "two", {"kl": [0.1, 0.2]})))


def test_no_reference_model_is_no_kl_of_zero(tmp_path: Path, shared: Path) -> None:
    found = case(shared, "kl_absent_is_not_zero")
    record = rolled(tmp_path, [[[0.0, 1.0]]] * 2, Settings(beta=found["input"]["beta"]))
    declined = fields(series(Review(record)))["kl.change"]
    assert isinstance(declined, Declined)
    assert declined.remedy == found["right"]["remedy"]
    assert "never computed" in declined.detail


def test_a_loss_of_zero_is_no_dead_step(tmp_path: Path, shared: Path) -> None:
    found = case(shared, "loss_zero_is_not_no_training")
    rows = found["input"]["rows"]
    names = [name for name in rows[0] if name != "step"]
    record = logged(tmp_path, {name: [row[name] for row in rows] for name in names})
    told = fields(series(Review(record)))
    dead = [point.step for point in series_of(Review(record))["dead-groups"].points if point.value == 1.0]
    assert dead == found["right"]["dead_steps"]
    assert (told["dead.steps"].value, told["dead.steps"].of) == (1, 2)  # type: ignore[union-attr]


def test_dead_groups_are_counted_over_the_run(tmp_path: Path) -> None:
    rewards = [[[1.0, 1.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]]
    told = fields(series(Review(rolled(tmp_path, rewards))))
    assert (told["dead.groups"].value, told["dead.groups"].of) == (3, 4)  # type: ignore[union-attr]
    assert (told["dead.steps"].value, told["dead.steps"].of) == (1, 2)  # type: ignore[union-attr]


def test_first_last_and_change_have_intervals_over_prompts(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    base = draw.standard_normal(30) * 5  # prompts differ much, and are the same in every step
    rewards = [
        [[float(value + step / 10 + noise) for noise in draw.standard_normal(4) * 0.2] for value in base]
        for step in range(20)
    ]
    told = fields(series(Review(rolled(tmp_path, rewards))))
    change, first = told["reward.change"], told["reward.first"]
    assert isinstance(change, Quantity)
    assert isinstance(first, Quantity)
    assert (change.n_eff, first.n) == (30, 60)
    assert change.interval is not None
    assert first.interval is not None
    assert change.interval.low < 1.8 < change.interval.high  # steps 18.5 against 0.5, a tenth each
    wide, narrow = (one.interval.high - one.interval.low for one in (first, change))  # type: ignore[union-attr]
    assert narrow < wide / 10  # a change is of the same prompts: what they differ by cancels


def test_many_prompts_share_buckets_and_the_mean_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lens.runs.instruments import series as module

    draw = np.random.default_rng(2)
    record = rolled(tmp_path, [[[float(one) for one in draw.standard_normal(2)] for _ in range(60)]] * 10)
    exact = fields(series(Review(record)))["reward.first"]
    monkeypatch.setattr(module, "BUCKETS", 25)
    coarse = fields(series(Review(record)))["reward.first"]
    assert (exact.n_eff, coarse.n_eff <= 25) == (60, True)  # type: ignore[union-attr, operator]
    assert coarse.value == pytest.approx(exact.value, rel=1e-12)  # type: ignore[union-attr]


def test_few_prompts_give_no_interval(tmp_path: Path) -> None:
    rewards = [[[0.0, 1.0]] * 5 for _ in range(12)]
    told = fields(series(Review(rolled(tmp_path, rewards))))
    assert told["reward.first"].interval is None  # type: ignore[union-attr]


def test_a_share_of_none_has_wilsons_interval_over_prompts(tmp_path: Path) -> None:
    rewards = [[[0.0, 1.0] for _ in range(12)] for _ in range(10)]
    field = fields(series(Review(rolled(tmp_path, rewards))))["dead-groups.first"]
    assert isinstance(field, Quantity)
    assert field.value == 0.0
    assert field.interval is not None
    assert (field.interval.method, round(field.interval.high, 3)) == ("wilson", 0.242)


def test_steps_have_a_t_interval_over_eight_groups(tmp_path: Path) -> None:
    values = [0.1, 0.4, 0.2, 0.9, 0.5, 0.3, 0.8, 0.6]
    table = series(Review(rolled(tmp_path, [[[value, value] for value in values]]))).tables["steps"]
    at = table["series"].index("reward")
    half = 2.3646 * np.std(values, ddof=1) / np.sqrt(8)
    assert table["low"][at] == pytest.approx(np.mean(values) - half, abs=1e-4)
    assert table["high"][at] == pytest.approx(np.mean(values) + half, abs=1e-4)
    assert table["groups"][at] == 8
    few = series(Review(rolled(tmp_path / "few", [[[0.0, 1.0]] * 7]))).tables["steps"]
    assert few["low"][few["series"].index("reward")] is None


def test_a_total_is_made_of_weighed_leaves_where_there_is_none(tmp_path: Path) -> None:
    def record(folder: Path, settings: Settings) -> Any:
        folder.mkdir()
        writer = Writer(folder, folder)
        writer.rollouts(
            folder / "run",
            {"step": 0, "group": [0, 0, 0], "score.a": [1.0, None, None], "score.b": [0.5, 2.0, None]},
        )
        writer.settings = settings
        return opened(writer)

    weighed = record(tmp_path / "w", Settings(weights={"a": 2.0, "b": 0.5}))
    assert series_of(Review(weighed))["reward"].values == [pytest.approx((2.25 + 1.0) / 2)]
    assert reward_of(record(tmp_path / "n", Settings())) == ""  # two leaves, and nothing says how they are weighed


def test_ranges_of_steps_give_the_same_bits(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    rewards = [[[float(one) for one in draw.standard_normal(4)] for _ in range(9)] for _ in range(12)]
    record = rolled(tmp_path, rewards)
    whole = series(Review(record))
    record.__dict__["ranges"] = (Range(0, 3, 144), Range(4, 4, 36), Range(5, 11, 252))
    parted = series(Review(record))
    assert parted == whole


def test_logged_numbers_keep_their_gaps(shared: Path) -> None:
    run = open_run(str(shared / "data/runs/trl_micro/reuse"))
    found = series_of(Review(run))
    steps = {step for (step,) in run.sql("SELECT DISTINCT step FROM series WHERE name = 'grad_norm'")}
    assert found["gradient-norm"].steps == sorted(steps)
    assert len(found["reward"].steps) < len(steps)  # a generation is trained on more than once


def test_the_published_series_are_read_by_their_trainers_names(shared: Path) -> None:
    path = shared / "data/runs/aisi_olmo_kl0_seed2_series.json"
    run, document = open_run(str(path)), json.loads(path.read_text())
    found = series_of(Review(run))
    assert run.header.adapter == "public-series"
    for name, key in (
        ("within-group-variance", "within_group_variance"),
        ("gradient-norm", "grad_norm_clipped"),
        ("reward", "mean_reward"),
        ("exploits", "hack_rate"),
        ("dead-groups", "frac_reward_zero_std"),
        ("length", "completions_mean_length"),
    ):
        assert found[name].values == document[key]
        assert found[name].steps == document["steps"]
    assert [one.code for one in run.header.findings] == ["mislabelled-series"]
    told = fields(series(Review(run)))
    assert isinstance(told["ess.change"], Declined)
    assert "not the rollouts" in told["ess.change"].detail
    assert told["reward.first"].interval.method == "moving-block-bootstrap"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"hack_rate": [0.1]}, "hack_rate has 1 numbers for 3 steps"),
        ({"steps": [1, 1, 2]}, "a step comes twice"),
        ({"steps": [1, 2.5, 3]}, "a step is a whole number"),
        ({"hack_rate": [0.1, "0.2", 0.3]}, "hack_rate is str '0.2', not a number"),
    ],
)
def test_a_damaged_publication_says_what_and_where(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    document = {"source": {"rollouts": "org/name"}, "steps": [1, 2, 3], "hack_rate": [0.1, None, 0.3]}
    path = tmp_path / "series.json"
    path.write_text(json.dumps(document | change))
    with pytest.raises(UsageError, match=r"series\.json") as caught:
        open_run(str(path))
    assert told in str(caught.value)


def test_null_in_a_publication_is_a_gap(tmp_path: Path) -> None:
    document = {"source": {}, "steps": [1, 2, 3], "hack_rate": [0.1, None, 0.3]}
    (tmp_path / "series.json").write_text(json.dumps(document))
    assert series_of(Review(open_run(str(tmp_path / "series.json"))))["exploits"].steps == [1, 3]
