"""*Predict first* does what it says: its commands are run, in order, and its hypothesis is the published study's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from lens.resource import resource
from measure.store import Store

PAGE = resource("content/docs/predict-first.md")
SPEC = resource("content/studies/topology.toml")
SHELL = 'lens() { "$PYTHON" -c "from measure.cli import main; main()" "$@"; }\n'
HOME = "project/study-topology"


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository after the page's commands, every one of which succeeded. Its store begins with the freeze that the
    study amends, and with nothing else."""
    folder = tmp_path_factory.mktemp("predict")
    (folder / "content/studies").mkdir(parents=True)
    shutil.copy(SPEC, folder / "content/studies")
    first = Store.open(resource("data")).record(f"{HOME}/freeze")
    Store.open(folder / "data").write([(first.evidence, {}, first.made)])
    told = {f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    typed = [line.removeprefix("$ ") for fence in fences("console") for line in fence.splitlines()]
    begun = ["git init -q .", "git add .", "git commit -qm 'A prediction'"]
    done = subprocess.run(
        ["bash", "-ec", SHELL + "\n".join([*begun, *typed])],
        cwd=folder,
        env=os.environ | told | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    assert "class: prospective" in done.stdout
    return folder


def test_the_study_was_frozen_then_measured_then_adjudicated(folder: Path) -> None:
    store = Store.open(folder / "data")
    freeze, reading, verdict = (store.line(f"{HOME}/{name}~v2") for name in ("freeze", "topology", "adjudication"))
    assert freeze.digest in {one.digest for one in reading.inputs}
    assert {freeze.digest, reading.digest} <= {one.digest for one in verdict.inputs}
    assert store.trust(f"{HOME}/topology~v2").level == "adjudicated"


def test_the_hypothesis_shown_is_the_published_one() -> None:
    (shown,) = fences("toml")
    published = tomllib.loads(SPEC.read_text("utf-8"))["hypothesis"]
    assert tomllib.loads(shown)["hypothesis"][0] in published
