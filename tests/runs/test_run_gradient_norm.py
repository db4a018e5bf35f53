"""Gradient norms: before clipping, at the threshold, applied; and steps whose norm of 0 means nothing was asked."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from gram_records import opened

from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.runs.gradients.logged import Step
from lens.runs.instruments.gradient_norm import gradient_norm
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.review import Review
from lens.runs.settings import Settings
from lens.runs.writer import Writer


def made(
    folder: Path, steps: list[dict[str, Any]], settings: Settings, rewards: list[list[float]] | None = None
) -> Record:
    """A record with logged series; `rewards` of two rollouts of one group a step."""
    folder.mkdir(exist_ok=True)
    writer = Writer(folder, folder)
    for at, line in enumerate(steps):
        writer.series(line["step"], {name: value for name, value in line.items() if name != "step"})
        if rewards is not None:
            writer.rollouts(folder / f"{at}", {"step": line["step"], "group": "a", "reward": rewards[at]})
    writer.settings = settings
    return opened(writer)


def read(record: Record) -> dict[str, Any]:
    found = gradient_norm(Review(run=record))
    assert isinstance(found, Result), found
    assert isinstance(found.reading, Measured)
    return {**found.reading.fields, "table": found.tables["steps"]}


def case(shared: Path, name: str) -> dict[str, Any]:
    lines = (json.loads(line) for line in (shared / "cases/runs.jsonl").read_text().splitlines())
    return next(one for one in lines if one["id"] == name)


def test_case_logged_norms_are_from_before_clipping(shared: Path, tmp_path: Path) -> None:
    given = case(shared, "grad_norm_preclip")
    told, right = given["input"], given["right"]
    lines = [{"step": at, "grad_norm": norm} for at, norm in enumerate(told["grad_norm"], 1)]
    fields = read(made(tmp_path, lines, Settings(max_grad_norm=told["max_grad_norm"])))
    assert fields["table"]["applied"] == right["applied_norm"]
    assert fields["table"]["factor"] == pytest.approx(right["clip_factor"], abs=5e-7)
    assert fields["clipped"].value == right["clipped_steps"]
    assert fields["taken"].value == "before clipping: 3 logged norms are over the threshold"
    assert fields["pre-clip.max"].value == max(told["grad_norm"])


def test_case_a_loss_of_zero_is_training_and_a_step_without_spread_is_not(shared: Path, tmp_path: Path) -> None:
    given = case(shared, "loss_zero_is_not_no_training")
    fields = read(made(tmp_path, given["input"]["rows"], Settings(beta=given["input"]["beta"])))
    dead = [
        step for step, state in zip(fields["table"]["step"], fields["table"]["state"], strict=True)
        if state == "no-signal"
    ]  # fmt: skip
    assert dead == given["right"]["dead_steps"]
    assert (fields["no-signal"].value, fields["no-signal"].of) == (1, 2)


@pytest.mark.parametrize(
    ("rewards", "norm", "settings", "state"),
    [
        ([2.1, 2.1], 0.0, Settings(beta=0.0), "no-signal"),
        ([2.1, 2.1], 3e-9, Settings(beta=0.0), "round-off"),
        ([2.1, 2.1], 0.2, Settings(beta=0.04), "other-terms-alone"),
        ([2.1, 2.1], 0.2, Settings(beta=0.0, entropy=0.01), "other-terms-alone"),
        ([2.1, 2.1], 0.2, Settings(), "undecided"),
        ([2.0, 2.1], 0.0, Settings(beta=0.0), "zero-with-signal"),
        ([2.0, 2.1], 0.3, Settings(beta=0.0), "signal"),
    ],
)
def test_what_a_norm_is_the_norm_of(
    tmp_path: Path, rewards: list[float], norm: float, settings: Settings, state: str
) -> None:
    fields = read(made(tmp_path, [{"step": 1, "grad_norm": norm}], settings, [rewards]))
    assert fields["table"]["state"] == [state]
    if state != "signal":
        assert fields[state].value == 1


def test_the_reference_run(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path))
    fields = read(open_run(str(shared / "data/runs/grpo_run/long")))
    ends = fields["pre-clip.min"].value, fields["pre-clip.max"].value
    assert ends == pytest.approx((0.253293, 0.441912), abs=5e-7)
    assert (fields["logged"].value, fields["logged"].of) == (200, 200)
    assert (fields["no-signal"].value, fields["zero-with-signal"].value) == (0, 0)
    assert isinstance(fields["applied.median"], Declined)  # its configuration doesn't name a threshold
    interval = fields["pre-clip.median"].interval
    assert interval is not None
    assert 0.253293 < interval.low < fields["pre-clip.median"].value < interval.high < 0.441912


def test_a_micro_run_with_a_tiny_threshold_was_clipped_on_every_step(shared: Path, tmp_path: Path) -> None:
    run = shared / "data/runs/trl_micro/max_grad_norm_tiny"
    lines = [
        {"step": one["step"], "grad_norm": one["grad_norm"]}
        for one in json.loads((run / "log_history.json").read_text())
        if "grad_norm" in one
    ]
    threshold = json.loads((run / "grpo_config.json").read_text())["max_grad_norm"]
    fields = read(made(tmp_path, lines, Settings(max_grad_norm=threshold)))
    assert threshold == 0.05
    assert fields["clipped"].value == fields["clipped"].of == len(lines)
    assert fields["applied.max"].value == 0.05
    assert fields["pre-clip.min"].value > 0.05


def test_applied_is_never_over_the_threshold_nor_over_the_norm() -> None:
    for norm in (0.0, 0.01, 1.0, 7.5):
        for threshold in (0.05, 1.0):
            step = Step(1, norm, None)
            assert step.applied(threshold) == pytest.approx(norm * step.factor(threshold))
            assert step.applied(threshold) <= min(norm, threshold)
    assert Step(1, 7.5, None).applied(0.0) == 7.5  # 0 turns clipping off


def test_norms_that_are_not_numbers_are_counted_and_left_out(tmp_path: Path) -> None:
    lines = [{"step": step, "grad_norm": norm} for step, norm in enumerate([1.0, math.nan, math.inf], 1)]
    fields = read(made(tmp_path, lines, Settings(max_grad_norm=1.0)))
    assert (fields["not-finite"].value, fields["not-finite"].of) == (2, 3)
    assert fields["pre-clip.max"].value == 1.0
    assert fields["table"]["state"] == ["", "not-finite", "not-finite"]
    broken = gradient_norm(Review(run=made(tmp_path / "all", [{"step": 1, "grad_norm": math.nan}], Settings())))
    assert isinstance(broken, Declined)
    assert "NaN" in broken.detail


def test_a_step_without_a_logged_norm_is_a_gap_and_not_a_zero(tmp_path: Path) -> None:
    lines = [{"step": 1, "grad_norm": 1.0}, {"step": 2, "loss": 0.1}]
    fields = read(made(tmp_path, lines, Settings(), [[0.0, 1.0], [0.0, 1.0]]))
    assert fields["table"]["step"] == [1]
    assert isinstance(fields["logged"], Quantity)
    assert (fields["logged"].value, fields["logged"].of) == (1, 2)
    assert isinstance(fields["taken"], Label)


def test_without_any_norm_it_declines(tmp_path: Path) -> None:
    found = gradient_norm(Review(run=made(tmp_path, [{"step": 1, "loss": 0.0}], Settings())))
    assert isinstance(found, Declined)
    assert "logging_steps" in found.remedy
