"""*Read a run you already have* does what it says: its commands are run, in order, and its numbers are looked up."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from built_site import tree

from lens.resource import resource
from lens.runs.adapter import adapters
from measure.store import Store
from site_builder.build import build
from site_builder.commands import options

pytestmark = pytest.mark.xdist_group("tutorial")
PAGE = resource("content/docs/read-a-run.md")
LENS = [sys.executable, "-c", "from measure.cli import main; main()"]
RUN = "runs/grpo-regex"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder after the tutorial's commands; every one of them succeeded. The run is trained once a machine."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'evidence-lens[models]'")
    folder = tmp_path_factory.mktemp("run-tutorial")
    fences = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    for line in (line.removeprefix("$ ") for fence in fences for line in fence.splitlines()):
        words = shlex.split(line)
        if words[0] != "pip":
            done = subprocess.run([*LENS, *words[1:]], cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, (line, done.stdout[-2000:], done.stderr[-2000:])
    return folder


def test_every_number_it_names_was_measured(folder: Path, tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "docs").mkdir(parents=True)
    (content / "index.md").write_text("# Home\n\nText.\n")
    shutil.copy(PAGE, content / "docs")
    build(options(folder / "data", content, tmp_path / "_site"))
    page = tree(tmp_path / "_site/docs/read-a-run/index.html").css_first("main")
    assert page is not None
    assert "store holds no" not in page.text()
    told = {row.css_first("th").text(): row.css("td")[0].text() for row in page.css("tbody tr")}
    assert told["identity.flips"].startswith("0 of")
    assert told["rule"] == "group mean and deviation, ddof 1, eps 0.0001"


def test_it_says_what_the_run_is_known_to_have_done(folder: Path) -> None:
    series = Store.open(folder / "data").record(f"{RUN}/series").fields
    flips = Store.open(folder / "data").record(f"{RUN}/counterfactual").fields["swap-gold.flips"]
    assert series["reward.change"].interval.low > 0  # type: ignore[union-attr]
    assert series["gold.change"].interval.high < 0  # type: ignore[union-attr]
    assert flips.interval.low > 0  # type: ignore[union-attr]


def test_every_trainer_it_names_has_a_reader() -> None:
    text = PAGE.read_text("utf-8")
    titles = " ".join(one.title.lower() for one in adapters().values())
    named = (
        "TRL, verl, prime-rl, Tinker cookbook, open-instruct, AReaL, SkyRL, ART, NeMo-RL, Weights & Biases, Trackio, "
    )
    for trainer in (named + "MLflow, TensorBoard, Inspect, lm-evaluation-harness").split(", "):
        assert trainer in text
        assert trainer.lower() in titles, trainer
