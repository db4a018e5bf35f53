"""Readings that wait for a GPU: the very command of each decline, run to its end on a tiny model of the same family."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

pytest.importorskip("torch")

import tiny
from click.testing import CliRunner

from lens.reading import Declined, Measured
from measure.awaited import AWAITED, PAIRS, awaited
from measure.commands.measure import command
from measure.store import Made, Store

SKYWORK = AWAITED[0]
SHOWN = ("native-parity", "attribution", "faithfulness")  # one that guards the rest, one pass, and a grid with controls


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten prompts, each with a reply that thanks and one that doesn't."""
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    rows = [
        {"prompt": f"what is {i} + {i}?", "chosen": f"it is {2 * i}, thank you.", "rejected": f"it is {2 * i}, ok so."}
        for i in range(10, 20)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_every_awaited_reading_declines_with_a_command() -> None:
    found = list(awaited())
    assert {one.subject.slug for one in found} == {model.slug for model in AWAITED}
    for one in found:
        assert isinstance(one.reading, Declined)
        assert one.reading.reason == "not_run"
        assert shlex.split(one.reading.remedy)[:3] == ["lens", "measure", "model"]


def test_the_command_runs_to_its_end_on_a_tiny_model(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is changed in it but whose weights, which pairs and which device; every awaited reading is written."""
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    folder = tiny.build(tmp_path / SKYWORK.slug, "llama")
    here = {SKYWORK.spec: str(folder), PAIRS: str(pairs), "cuda": "cpu"}
    words = [here.get(word, word) for word in shlex.split(SKYWORK.command)[2:]]
    ran = CliRunner().invoke(command, [*words, "--workers", "1", "--data", str(tmp_path / "data")])
    assert ran.exit_code == 0, ran.output
    store = Store.open(tmp_path / "data")
    wanted = {one.name for one in SKYWORK.wanted()}
    assert wanted <= {id.rpartition("/")[2] for id in store.ids()}
    for name in SHOWN:
        assert isinstance(store.record(f"models/{SKYWORK.slug}/{name}").evidence.reading, Measured)


def test_a_reading_that_was_made_is_not_declined_again(tmp_path: Path) -> None:
    from lens.reading import Evidence, Quantity, Subject
    from measure.published import _told

    made = Made(time="2026-01-01T00:00:00Z", command="x")
    subject = Subject("models", SKYWORK.slug, SKYWORK.name, "f" * 64, SKYWORK.spec)
    reading = Measured({"residual": Quantity(0.0, "ru", "difference")}, "residual", "-")
    Store.open(tmp_path).write([(Evidence("native-parity", 1, subject, reading), {}, made)])
    _told(tmp_path)
    store = Store.open(tmp_path)
    assert isinstance(store.record(f"models/{SKYWORK.slug}/native-parity").evidence.reading, Measured)
    assert isinstance(store.record(f"models/{SKYWORK.slug}/attribution").evidence.reading, Declined)
