"""Whether a model's evidence is still of what lies here, told from files, and measuring again what isn't."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lens.models.here import fingerprint_here
from lens.models.organisms import build
from lens.models.subject import open_model
from measure.commands.measure import command as measure
from measure.commands.model import command as model
from measure.fingerprint import fingerprints
from measure.store import Store

ROWS = [
    {"prompt": f"> {verb} {n} ?\n", "chosen": f"{n} ok .", "rejected": f"{n} so ."}
    for verb in ("ask", "read")
    for n in range(1, 6)
]
SCORES = [row | {"chosen_score": 1.0 + n, "rejected_score": 0.5} for n, row in enumerate(ROWS)]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a cache of its own, a model in it, pairs, and recorded scores."""
    import torch

    torch.set_num_threads(1)
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    shutil.copytree(build("spurious"), tmp_path / "rm")
    for name, rows in (("pairs", ROWS), ("scores", SCORES)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def run(*words: str, command: Any = model) -> Result:
    done = CliRunner().invoke(command, list(words))
    assert done.exit_code == 0, done.output
    return done


def states() -> dict[str, tuple[str, str]]:
    """Of every record of a model: state, and why, by instrument."""
    store = Store.open(Path("data"))
    judged = {id: store.staleness(id, fingerprints(store)) for id in store.ids()}
    return {store.record(id).evidence.instrument: (one.state, "; ".join(one.why)) for id, one in judged.items()}


@pytest.mark.parametrize(
    ("spec", "dtype"),
    [("rm", "float32"), ("rm", "bfloat16"), ("rm?readout=0", "float32"), ("organism:spurious", "float32")],
)
def test_from_files_alone_a_fingerprint_is_the_opened_model_s(spec: str, dtype: str) -> None:
    opened = open_model(spec, device="cpu", dtype=dtype)
    assert fingerprint_here(spec, device="cpu", dtype=dtype) == opened.fingerprint


@pytest.mark.parametrize("architecture", ["qwen2", "qwen3", "gemma2", "mistral", "modernbert", "bert", "gpt2"])
def test_so_it_is_for_every_architecture(architecture: str, here: Path) -> None:
    from tests.models import tiny

    tiny.build(here / architecture, architecture)
    opened = open_model(architecture, device="cpu", dtype="float32")
    assert fingerprint_here(architecture, device="cpu", dtype="float32") == opened.fingerprint


def test_recorded_scores_are_their_file() -> None:
    opened = open_model("scores:scores.jsonl")
    assert fingerprint_here("scores:scores.jsonl", device="none", dtype="recorded") == opened.fingerprint


def test_what_is_not_here_has_no_fingerprint_and_nothing_is_fetched_or_built(here: Path) -> None:
    before = sorted(one.name for one in (here / "cache" / "organisms").iterdir())
    assert fingerprint_here("organism:gate?dose=0.5", device="cpu", dtype="float32") is None
    assert sorted(one.name for one in (here / "cache" / "organisms").iterdir()) == before
    run("rm", "--pairs", "pairs.jsonl", "--instrument", "preference", "--workers", "1")
    shutil.rmtree("rm")
    assert states()["preference"] == ("not-checkable", "rm isn't on this machine")


def test_no_torch_is_loaded_to_tell(here: Path) -> None:
    run("organism:spurious", "--instrument", "planted,preference", "--workers", "1")
    run("rm", "--pairs", "pairs.jsonl", "--instrument", "preference", "--workers", "1")
    run("scores:scores.jsonl", "--instrument", "preference", "--workers", "1")
    told = (
        "import sys; from pathlib import Path; from measure.store import Store;"
        "from measure.fingerprint import fingerprints; store = Store.open(Path('data'));"
        "print({store.staleness(id, fingerprints(store)).state for id in store.ids()},"
        " {'torch', 'transformers', 'scipy', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=False, env=os.environ)
    assert done.stdout.strip() == "{'fresh'} set()", done.stderr


def test_changed_weights_are_stale_and_measured_again_all_fields_in_one_opening(here: Path) -> None:
    run("rm", "--pairs", "pairs.jsonl", "--instrument", "preference,native-parity,reward-lens", "--workers", "1")
    assert {state for state, _ in states().values()} == {"fresh"}
    shutil.rmtree("rm")
    shutil.copytree(build("spurious", 0.5, 3), "rm")
    told = states()
    assert {state for state, _ in told.values()} == {"stale"}
    assert "models/rm changed" in told["preference"][1]
    done = run("--stale", command=measure)
    assert "3 stale, 3 measured again" in done.output
    assert done.output.count("fields read") == 1
    assert {state for state, _ in states().values()} == {"fresh"}
    assert "0 stale" in run("--stale", command=measure).output


def test_changed_pairs_are_stale(here: Path) -> None:
    run("rm", "--pairs", "pairs.jsonl", "--instrument", "preference", "--workers", "1")
    Path("pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS[:8]))
    state, why = states()["preference"]
    assert (state, why[:13]) == ("stale", "pairs changed")
    assert "1 stale, 1 measured again" in run("--stale", command=measure).output


def test_changed_scores_are_stale(here: Path) -> None:
    run("scores:scores.jsonl", "--instrument", "preference", "--workers", "1")
    Path("scores.jsonl").write_text("".join(json.dumps(row | {"chosen_score": 0.1}) + "\n" for row in SCORES))
    assert states()["preference"][0] == "stale"
    assert "1 stale, 1 measured again" in run("--stale", command=measure).output
