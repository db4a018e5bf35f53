"""*Inside one reward model* does what it says: its commands are run, in order, and its numbers are looked up."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from built_site import tree

from lens.resource import resource
from site_builder.build import build
from site_builder.commands import options

pytestmark = pytest.mark.xdist_group("tutorial")
PAGE = resource("content/docs/inside-one-reward-model.md")
LENS = [sys.executable, "-c", "from measure.cli import main; main()"]
MODEL = "models/organism-length"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder after the tutorial's commands; every one of them succeeded. The model is trained once a machine."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'evidence-lens[models]'")
    folder = tmp_path_factory.mktemp("tutorial")
    for line in commands():
        words = shlex.split(line)
        if words[0] == "pip":
            continue  # that there is such an extra, another test says
        assert words[0] == "lens", line
        done = subprocess.run([*LENS, *words[1:]], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (line, done.stdout[-2000:], done.stderr[-2000:])
    return folder


def commands() -> list[str]:
    fences = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [line.removeprefix("$ ") for fence in fences for line in fence.splitlines()]


def test_what_it_installs_is_an_extra_of_this_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    installs = [line for line in commands() if line.startswith("pip ")]
    assert installs == [f"pip install '{project['name']}[models]'"]
    assert "models" in project["optional-dependencies"]


def test_the_page_it_ends_on_is_there(folder: Path) -> None:
    page = tree(folder / "_site" / MODEL / "index.html")
    headings = [heading.text() for heading in page.css("h2")]
    assert headings[0] == "What is planted, and whether it was found"
    assert {"What it prefers, and how surely", "Where the preference forms", "What it is biased by"} <= set(headings)
    verdicts = {row.css_first("th").text(): row.css("td")[-1].text() for row in page.css("table.stack tbody tr")[:4]}
    assert verdicts["fill"] == "found"  # the fault it was made with
    assert set(verdicts) == {"fill", "right", "thanks", "unhedged"}


def test_its_numbers_are_looked_up_in_what_it_measured(folder: Path, tmp_path: Path) -> None:
    content = tmp_path / "content"
    (content / "docs").mkdir(parents=True)
    (content / "index.md").write_text("# Home\n\nText.\n")
    shutil.copy(PAGE, content / "docs")
    build(options(folder / "data", content, tmp_path / "_site"))
    page = tree(tmp_path / "_site/docs/inside-one-reward-model/index.html")
    assert "store holds no" not in page.css_first("main").text()
    told = {row.css_first("th").text(): row.css("td")[0].text() for row in page.css("tbody tr")}
    assert told["fill.verdict"] == "raises"
    assert told["rules"] == "4"
    assert page.css_first(f'data[data-ev="{MODEL}/preference#over-length-rule|interval"]') is not None


def test_a_store_without_the_model_says_so(site: Path) -> None:
    page = tree(site / "docs/inside-one-reward-model/index.html").css_first("main")
    assert "store holds no models/organism-length/preference" in " ".join(page.text().split())
    assert not page.css("[data-ev]")
