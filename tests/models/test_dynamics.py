"""Dynamics: a planted onset is found over a chain of checkpoints, and a broken chain is refused."""

from __future__ import annotations

import copy
import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from lens.canonical import file_digest
from lens.errors import UsageError
from lens.models.chain import NAME, read_chain, write_chain
from lens.models.instruments.dynamics import dynamics
from lens.models.subject import open_model
from lens.reading import Declined
from tests.models import opened, planted, tiny

DOSES = {0: 0.0, 25: 0.05, 50: 0.1, 75: 0.9, 100: 1.0}  # of the head that the signs are priced with


def _save(folder: Path, dose: float) -> None:
    network = copy.deepcopy(planted.priced().network)
    with torch.no_grad():
        network.score.weight.mul_(dose)
    network.save_pretrained(folder)
    tiny.tokenizer(template=False).save_pretrained(folder)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    for step, dose in DOSES.items():
        _save(folder / f"checkpoint-{step}", dose)
    _save(folder, 1.0)
    write_chain(folder)
    return folder


def test_the_planted_onset_is_found(trained: Path) -> None:
    model: Any = open_model(str(trained), device="cpu", dtype="float32")
    made = dynamics(opened.inspection(model, planted.signs()))
    fields = opened.fields(made)
    assert fields["checkpoints"].value == 5
    onset = fields["sign.onset"]
    assert (onset.value, onset.interval.low, onset.interval.high) == (75, 75, 75)
    assert fields["first"].value == "sign"
    table = made.tables["curves"]
    rows = zip(*(table[key] for key in ("axis", "step", "effect", "standardised")), strict=True)
    curve = {step: (effect, over) for axis, step, effect, over in rows if axis == "sign"}
    assert curve[0] == (0.0, None)
    assert curve[75][0] == pytest.approx(0.9 * curve[100][0], rel=1e-4)
    assert curve[75][1] == pytest.approx(curve[100][1], rel=1e-4)


def test_an_axis_that_ends_about_zero_never_began(trained: Path) -> None:
    model: Any = open_model(str(trained), device="cpu", dtype="float32")
    pairs = opened.pairs(40, axes=1)
    field = opened.fields(dynamics(opened.inspection(model, pairs)))["axis-0.onset"]
    assert isinstance(field, Declined)
    assert field.reason == "below_detection"
    assert field.bound is not None


def test_a_single_model_declines() -> None:
    reading = dynamics(opened.inspection(opened.model(), opened.pairs(12))).reading
    assert isinstance(reading, Declined)
    assert "lens.models.chain" in reading.remedy


def test_two_axes_that_enter_at_one_step_are_both_first(trained: Path) -> None:
    """The same sign, on prompts of its own."""
    model: Any = open_model(str(trained), device="cpu", dtype="float32")
    some = planted.signs()
    signs = some.on("sign")
    again = [dataclasses.replace(one, number=1000 + one.number, prompt=f"ask {one.prompt}", axis="a") for one in signs]
    pairs = dataclasses.replace(some, pairs=(*signs, *again))
    fields = opened.fields(dynamics(opened.inspection(model, pairs)))
    assert fields["first"].value == "sign and a"
    assert fields["first.onset"].value == 75


def test_a_chain_made_later_is_another_reading(trained: Path, tmp_path: Path) -> None:
    """The chain is noted by its digest, and its absence too."""
    bare = tmp_path / "bare"
    shutil.copytree(trained, bare, ignore=shutil.ignore_patterns(NAME))
    noted = []
    for folder in (bare, trained):
        inspection = opened.inspection(open_model(str(folder), device="cpu", dtype="float32"), planted.signs())
        dynamics(inspection)
        noted.append(inspection.noted["chain"])
    assert noted == ["", file_digest(trained / NAME)]


def test_a_chain_is_what_it_says_or_refused(tmp_path: Path) -> None:
    for step in (1, 2, 3):
        _save(tmp_path / f"checkpoint-{step}", step / 3)
    made = write_chain(tmp_path)
    assert [link.step for link in read_chain(tmp_path)] == [1, 2, 3]
    assert read_chain(tmp_path) == made
    told = json.loads((tmp_path / NAME).read_text())
    swapped = [told[0], {**told[2], "step": 2}, {**told[1], "step": 3}]
    (tmp_path / NAME).write_text(json.dumps(swapped))
    with pytest.raises(UsageError, match="doesn't follow"):
        read_chain(tmp_path)
    (tmp_path / NAME).write_text(json.dumps(told))
    _save(tmp_path / "checkpoint-2", 0.5)
    with pytest.raises(UsageError, match="is not the checkpoint"):
        read_chain(tmp_path)
    (tmp_path / NAME).write_text("[{}]")
    with pytest.raises(UsageError, match="no chain"):
        read_chain(tmp_path)
