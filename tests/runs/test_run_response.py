"""How a policy moved: estimators of KL, one update foretold and measured, its nine terms, and closures that decline."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gram_records import ON_POLICY, opened

from lens.access import Access
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.runs.instruments.policy_response import policy_response
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.response import kl as response_kl
from lens.runs.response.budget import TERMS, Parts, closure, terms
from lens.runs.response.record import plain_step
from lens.runs.review import Review
from lens.runs.writer import Writer


def made(folder: Path, *, steps: int = 12, prompts: int = 10, drop: tuple[str, ...] = (), **changed: Any) -> Record:
    """A record whose sampled policy gives each response 0.3 a token more than the reference, on average."""
    import msgspec

    rng = np.random.default_rng(0)
    folder.mkdir(exist_ok=True)
    writer = Writer(folder, folder)
    for step in range(1, steps + 1):
        tokens = rng.integers(2, 9, prompts * 4)
        ratio = 0.3 * tokens + rng.normal(size=len(tokens)) * 0.2
        columns = {
            "step": step,
            "group": [at // 4 for at in range(len(tokens))],
            "prompt_text": [f"p{at // 4}" for at in range(len(tokens))],
            "completion_text": [f"{step} {at}" for at in range(len(tokens))],
            "reward": rng.normal(size=len(tokens)).tolist(),
            "tokens": tokens.tolist(),
            "logp_old": (-2.0 * tokens).tolist(),
            "logp_ref": (-2.0 * tokens - ratio).tolist(),
        }
        writer.rollouts(folder / f"{step}", {name: one for name, one in columns.items() if name not in drop})
        writer.series(step, {"grad_norm": 0.5, "learning_rate": 1e-3})
    settings = {"loss": "dapo", "entropy": 0.0, "max_grad_norm": 1.0, "learning_rate": 1e-3, **changed}
    writer.settings = msgspec.structs.replace(ON_POLICY, **settings)
    return opened(writer)


def read(record: Record, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    found = policy_response(Review(run=record, **options))
    assert isinstance(found, Result), found
    assert isinstance(found.reading, Measured)
    return found.reading.fields, dict(found.tables)


def case(shared: Path, name: str) -> dict[str, Any]:
    lines = (json.loads(line) for line in (shared / "cases/runs.jsonl").read_text().splitlines())
    return next(one for one in lines if one["id"] == name)


def test_case_a_tokens_kl_is_not_a_responses(shared: Path) -> None:
    given = case(shared, "kl_token_vs_sequence")
    ratios, right = given["input"]["logratio"], given["right"]
    assert response_kl.per_token(ratios, "k3") == pytest.approx(right["kl_per_token"], abs=5e-7)
    assert response_kl.per_response(ratios, "k3") == pytest.approx(right["kl_per_sequence"], abs=5e-7)


def test_case_a_kl_that_was_never_computed_is_no_zero(shared: Path, tmp_path: Path) -> None:
    given = case(shared, "kl_absent_is_not_zero")
    record = made(tmp_path, drop=("logp_old", "logp_ref"), beta=given["input"]["beta"])
    found = read(record)[0]["kl.last"]
    assert isinstance(found, Declined)
    assert "beta is 0" in found.detail
    assert given["right"]["remedy"] in found.remedy


def test_estimators_agree_to_second_order_where_policies_are_near() -> None:
    for x in (-1e-3, 1e-3):
        k2, k3 = (response_kl.ESTIMATORS[name](x) for name in ("k2", "k3"))
        assert k3 == pytest.approx(k2, rel=1e-3)
    assert response_kl.ESTIMATORS["k1"](-0.5) < 0 < response_kl.ESTIMATORS["k3"](-0.5)


def test_estimators_are_unbiased_or_not_as_said() -> None:
    """Two coins: exact expectations under the sampled policy."""
    p, q = 0.7, 0.4
    exact = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
    for name, unbiased in (("k1", True), ("k2", False), ("k3", True)):
        estimate = response_kl.ESTIMATORS[name]  # type: ignore[index]
        mean = p * estimate(math.log(p / q)) + (1 - p) * estimate(math.log((1 - p) / (1 - q)))
        assert (mean == pytest.approx(exact, rel=1e-12)) is unbiased


def test_recorded_kl_is_found_with_its_interval_over_prompts(tmp_path: Path) -> None:
    fields, tables = read(made(tmp_path))
    token = fields["kl.last.per-token"]
    assert token.interval.low < 0.3 < token.interval.high
    assert fields["kl.last"].value == pytest.approx(tables["kl"]["k1"][-1])  # a tenth of twelve steps is one
    assert fields["kl.last"].interval.method == "t-over-clusters"  # ten prompts
    assert tables["kl"]["prompts"] == [10] * 12
    assert all(low < k1 < high for low, k1, high in zip(*(tables["kl"][n] for n in ("low", "k1", "high")), strict=True))
    assert isinstance(fields["kl.last.k3.per-token"], Declined)


def test_few_prompts_have_no_interval_and_so_no_number(tmp_path: Path) -> None:
    fields, tables = read(made(tmp_path, prompts=3))
    assert isinstance(fields["kl.last"], Declined)
    assert tables["kl"]["low"] == [None] * 12
    assert isinstance(fields["floor.step"], Quantity)  # over steps, not prompts


def test_a_tiny_hacked_run_left_its_reference_and_a_clean_one_hardly(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path))
    found = {}
    for name in ("length", "clean"):
        run = open_run(str(shared / f"data/tiny/grpo_{name}.rollouts.jsonl.gz"))
        found[name], tables = read(run)
        assert tables["kl"]["k1"][0] == 0.0  # before the first update the policy is its reference
    hacked, clean = found["length"], found["clean"]
    assert hacked["kl.last"].interval.low > 10 > 1 > clean["kl.last"].interval.high
    assert hacked["kl.last.per-token"].value == pytest.approx(0.956, abs=5e-4)
    assert hacked["kl.last.k2"].value > 5 * hacked["kl.last"].value  # far apart, k2 isn't an estimate any more
    ends = clean["kl.last.k3"].interval, clean["kl.last"].interval
    assert ends[0].low < ends[1].high  # near, k1 and k3 agree
    assert isinstance(clean["closure"], Declined)


def test_the_reference_run_could_not_have_shown_an_updates_effect(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the published reading says of the same run in its own units: its floor and prediction stay theirs."""
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path))
    fields, _ = read(open_run(str(shared / "data/runs/grpo_run/long")))
    assert fields["floor-over-predicted"].value > 1e5
    closed = fields["closure"]
    assert isinstance(closed, Declined)
    assert closed.reason == "below_detection"
    assert closed.bound is not None
    assert closed.bound.value == fields["floor.step"].value
    published = {
        row["figure"]: row for row in csv.DictReader((shared / "design/public-figures.csv").read_text().splitlines())
    }
    row = published["detection floor / prediction / ratio"]
    assert row["ours"] == "reported"
    floor, predicted, _ratio = row["value"].split(" / ")
    same = closure(predicted=float(predicted), floor=float(floor), residual=0.0, spread=1.0, absent=())
    assert isinstance(same, Declined)
    assert same.reason == "below_detection"
    assert not {round(f.value, 3) for f in fields.values() if isinstance(f, Quantity)} & {float(floor)}


def test_a_plain_steps_effect_is_length_times_rate_times_the_squared_norm(tmp_path: Path) -> None:
    fields, _ = read(made(tmp_path))
    assert fields["predicted.step"].value == pytest.approx(0.001 * 0.25 * 5, rel=0.1)  # about five tokens
    assert plain_step(4.0, 0.1, 1.0, 5.0) == pytest.approx(plain_step(4.0, 0.1, None, 5.0) / 4)


@pytest.mark.parametrize(
    ("drop", "settings", "lacks"),
    [(("tokens",), {}, "response lengths"), ((), {"loss": None}, "which loss"), ((), {"loss": "cispo"}, "which loss")],
)
def test_what_a_prediction_needs_is_named(
    tmp_path: Path, drop: tuple[str, ...], settings: dict[str, Any], lacks: str
) -> None:
    fields, _ = read(made(tmp_path, drop=drop, **settings))
    assert isinstance(fields["predicted.step"], Declined)
    assert lacks in fields["predicted.step"].detail
    assert isinstance(fields["closure"], Declined)


def test_nine_terms_are_each_computed_zero_with_a_reason_or_absent_with_a_remedy(tmp_path: Path) -> None:
    fields, tables = read(made(tmp_path))
    assert tuple(tables["terms"]["term"]) == TERMS
    assert len(TERMS) == 9
    counts = {state: fields[f"budget.{state}"].value for state in ("computed", "zero", "absent")}
    assert sum(counts.values()) == 9
    assert dict(zip(TERMS, tables["terms"]["state"], strict=True)) == {
        "staleness": "zero", "kl": "zero", "entropy": "zero", "momentum": "absent", "batch": "absent",
        "curvature": "absent", "clip": "absent", "sampling": "absent", "basis": "zero",
    }  # fmt: skip
    for state, value, why, remedy in zip(
        *(tables["terms"][n] for n in ("state", "value", "why", "remedy")), strict=True
    ):
        assert why
        assert (value == 0.0) if state == "zero" else value is None
        assert bool(remedy) is (state == "absent")
    assert fields["term.kl"].note == "exactly zero: beta is 0"
    unknown = {
        one.name: one.state
        for one in terms(made(tmp_path / "b", beta=None, iterations=None), None, whole=None, on_policy=None)
    }
    assert (unknown["kl"], unknown["staleness"]) == ("absent", "absent")


def test_closures() -> None:
    sound: dict[str, Any] = {"predicted": 2.0, "floor": 0.1, "residual": 0.01, "spread": 0.05, "absent": ()}
    assert closure(**sound) == Label("closed", note="left over 0.01, within 0.05")
    opened_ = closure(**sound | {"residual": 0.2})
    assert isinstance(opened_, Label)
    assert opened_.value == "open"
    for change, reason in (
        ({"predicted": 0.05}, "below_detection"),
        ({"predicted": 0.0}, "below_detection"),
        ({"absent": ["momentum"]}, "record_incomplete"),
        ({"predicted": None}, "record_incomplete"),
        ({"residual": None}, "record_incomplete"),
    ):
        declined = closure(**sound | change)
        assert isinstance(declined, Declined)
        assert declined.reason == reason


def test_the_parts_add_to_what_was_measured_but_for_the_third_order(tmp_path: Path) -> None:
    parts = Parts(measured=1.0, first=0.9, curved=0.08, plain=2.0, clipped=0.5, kl=-0.1, error=0.2)
    nine = {one.name: one for one in terms(made(tmp_path, beta=0.1), parts, whole=True, on_policy=True)}
    total = parts.plain + sum(nine[name].value or 0.0 for name in ("kl", "clip", "momentum", "curvature"))  # type: ignore[operator]
    assert total == pytest.approx(parts.first + parts.curved)
    assert {name for name, one in nine.items() if one.state == "absent"} == set()


# with a model

ALPHABET = "abcdefghij"


@pytest.fixture(scope="module")
def update(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]], dict[str, Any]]:
    """One plain gradient step of a tiny policy, clipped: both policies saved, and what the trainer would log."""
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'evidence-lens[models]'")
    import tiny_policies as tiny

    folder, rate, threshold = tmp_path_factory.mktemp("update"), 0.5, 0.05
    model = tiny.network(seed=3)
    tiny.saved(model, folder / "checkpoint-0")
    rows = tiny.sampled(model, [f"letter {one}" for one in ALPHABET], seed=3)
    for row, advantage in zip(
        rows, tiny.advantages([row["completion"].count("e") + 0.1 * len(row["ids"]) for row in rows]), strict=True
    ):
        row["advantage"] = advantage
    words = tiny.tokenizer()
    model.requires_grad_(True)
    loss = torch.zeros(())
    for row in rows:
        before = words(row["prompt"])["input_ids"]
        logps = torch.log_softmax(model(input_ids=torch.tensor([before + row["ids"]])).logits[0], -1)
        taken = torch.stack([logps[len(before) - 1 + at, token] for at, token in enumerate(row["ids"])])
        loss = loss - (row["advantage"] * taken).sum()
    (loss / sum(len(row["ids"]) for row in rows)).backward()
    norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), threshold))
    with torch.no_grad():
        for one in model.parameters():
            one -= rate * one.grad
    model.requires_grad_(False)
    tiny.saved(model, folder / "checkpoint-1")
    for row in rows:
        row["after"] = tiny.logp_of(model, words(row["prompt"])["input_ids"], row["ids"])
    told = {"learning_rate": rate, "max_grad_norm": threshold, "batch_size": len(rows), "entropy": 0.0}
    return folder, rows, told | {"norm": norm}


def scored(update: tuple[Path, list[dict[str, Any]], dict[str, Any]], folder: Path, **changed: Any) -> Result:
    import tiny_policies as tiny

    place, rows, told = update
    settings = {name: value for name, value in told.items() if name != "norm"}
    record = tiny.run(folder, {1: rows}, series={1: {"grad_norm": told["norm"]}}, **settings | changed)
    access = Access.parse("record.record policy.backward")
    found = policy_response(Review(run=record, access=access, model=str(place)))
    assert isinstance(found, Result), found
    return found


def test_an_update_made_here_is_foretold_and_measured(update: Any, tmp_path: Path) -> None:
    result = scored(update, tmp_path)
    assert isinstance(result.reading, Measured)
    fields, rows = result.reading.fields, update[1]
    changes = np.array([row["after"] - row["logp_old"] for row in rows])
    advantages = np.array([row["advantage"] for row in rows])
    assert result.tables["responses"]["moved"] == pytest.approx(changes, abs=2e-5)
    movement = fields["movement"]
    assert isinstance(movement, Quantity)
    assert movement.value == pytest.approx((advantages * changes).mean(), abs=1e-5)
    assert movement.interval is not None
    assert movement.interval.low > 0  # what was rewarded became likelier
    values = {name: field.value for name, field in fields.items() if isinstance(field, Quantity)}
    factor = update[2]["max_grad_norm"] / update[2]["norm"]
    assert values["predicted.along"] == pytest.approx(factor * values["predicted"], rel=1e-3)  # SGD: clipping alone
    assert values["term.momentum"] == pytest.approx(0.0, abs=1e-4 * values["predicted"])
    assert values["term.clip"] == pytest.approx((factor - 1) * values["predicted"], rel=1e-3)
    assert values["explained"] > 0.9
    left = movement.value - values["predicted.along"] - values["term.curvature"]
    assert abs(left) < abs(movement.value - values["predicted.along"])  # second order explains more than first
    assert values["kl.step"] == pytest.approx(-changes.mean(), abs=1e-5)
    assert values["rescoring"] < 1e-4 < movement.value
    assert values["budget.absent"] == 0
    assert (values["budget.computed"], values["budget.zero"]) == (4, 5)
    assert fields["closure"] == Label("closed", note=fields["closure"].note)  # type: ignore[union-attr]


def test_a_plain_steps_prediction_is_the_norm_squared(update: Any, tmp_path: Path) -> None:
    """The mean of A x l along -rate x g is rate x tokens a response x ||g||²."""
    result = scored(update, tmp_path)
    assert isinstance(result.reading, Measured)
    predicted = result.reading.fields["predicted"]
    assert isinstance(predicted, Quantity)
    rows, told = update[1], update[2]
    length = sum(len(row["ids"]) for row in rows) / len(rows)
    assert predicted.value == pytest.approx(plain_step(told["norm"], told["learning_rate"], None, length), rel=1e-4)


def test_without_the_loss_there_is_a_movement_and_no_plain_prediction(update: Any, tmp_path: Path) -> None:
    result = scored(update, tmp_path, loss=None)
    assert isinstance(result.reading, Measured)
    fields = result.reading.fields
    assert isinstance(fields["movement"], Quantity)
    assert isinstance(fields["predicted.along"], Quantity)
    assert isinstance(fields["predicted"], Declined)
    assert isinstance(fields["term.momentum"], Declined)
    assert isinstance(fields["closure"], Declined)


def test_one_policy_shows_no_movement(update: Any, tmp_path: Path) -> None:
    import tiny_policies as tiny

    place, rows, _ = update
    record = tiny.run(tmp_path, {1: rows})
    fields, _ = read(record, model=str(place / "checkpoint-0"))
    assert isinstance(fields["movement"], Declined)
    assert "checkpoint-N" in fields["movement"].remedy
