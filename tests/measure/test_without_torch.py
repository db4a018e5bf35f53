"""`lens measure model` where torch and transformers are not installed: recorded scores are measured all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lens.reading import Declined, Measured
from measure.store import Store

BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers", "tokenizers", "safetensors", "accelerate"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
from measure.cli import main
main()
"""
ROWS = [
    {"prompt": f"ask {n}", "chosen": "yes " * (n % 3 + 1), "rejected": "no", "chosen_score": n % 5, "rejected_score": 1}
    for n in range(30)
]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "scores.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "rm").mkdir()
    (tmp_path / "rm/config.json").write_text('{"architectures": ["LlamaForSequenceClassification"]}')
    (tmp_path / "rm/model.safetensors").write_bytes(b"")
    return tmp_path


def lens(here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"EVIDENCE_LENS_CACHE": str(here / "cache")}
    command = [sys.executable, "-c", BLOCKED, *words]
    return subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)


def test_recorded_scores_are_measured_and_the_rest_declines(here: Path) -> None:
    done = lens(here, "measure", "model", "scores:scores.jsonl")
    assert done.returncode == 0, done.stderr
    store = Store.open(here / "data")
    readings = {id.rpartition("/")[2]: store.record(id).evidence.reading for id in store.ids()}
    accuracy = readings["preference"]
    assert isinstance(accuracy, Measured)
    right = sum(row["chosen_score"] > row["rejected_score"] for row in ROWS)  # type: ignore[operator]
    assert accuracy.fields["accuracy"].value == right  # type: ignore[union-attr]
    patching = readings["patching"]
    assert isinstance(patching, Declined)
    assert (patching.reason, patching.needs) == ("access_insufficient", "grader.forward")


def test_what_reads_is_told(here: Path) -> None:
    done = lens(here, "capabilities", "scores:scores.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    fields = {one["name"]: one["reads"] for one in json.loads(done.stdout)["fields"]}
    assert fields["preference"]
    assert fields["length-preference"]
    assert not fields["patching"]


@pytest.mark.parametrize("spec", ["rm", "org/name", "organism:length", "dpo:rm+rm", "ensemble:rm+rm"])
@pytest.mark.parametrize("command", [("measure", "model"), ("capabilities",)])
def test_anything_else_names_the_extra_to_install(here: Path, spec: str, command: tuple[str, ...]) -> None:
    done = lens(here, *command, spec, "--pairs", "scores.jsonl")
    assert done.returncode == 2
    assert done.stderr == (
        "error: reward models need torch, which is not installed here\n  try: pip install 'evidence-lens[models]'\n"
    )


def test_the_commands_that_need_no_model_work(here: Path) -> None:
    assert lens(here, "measure", "model", "scores:scores.jsonl", "--instrument", "preference").returncode == 0
    assert "0 stale" in lens(here, "measure", "--stale").stdout
    assert lens(here, "evidence", "verify").returncode == 0
    assert "preference" in lens(here, "evidence", "ls").stdout
