"""The GitHub Action and the pre-commit hook: their own text, run as they would run it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from lens.reading import Evidence, Measured, Quantity, Subject
from measure.store import Made, Store

ROOT = Path(__file__).parents[2]
RIGHT = "It kills <!--ev project/toy/kill-matrix#killed-->5 of 374<!--/ev--> mutants.\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    reading = Measured({"killed": Quantity(5, unit="mutants", kind="count", of=374)}, "killed", "gold pairs")
    record = Evidence("kill-matrix", 1, Subject("project", "toy", "toy", "f" * 64), reading)
    Store.open(tmp_path / "data").write([(record, {}, Made(time="2026-11-29T00:00:00Z"))])
    (tmp_path / "right.md").write_text(RIGHT)
    (tmp_path / "wrong file.md").write_text(RIGHT.replace("5 of", "6 of"))
    return tmp_path


def step(name: str) -> str:
    """The shell script of a step of the action."""
    text = (ROOT / "action.yml").read_text()
    block = re.search(rf"- name: {name}\n.*?run: \|\n(.*?)(?=\n    - |\Z)", text, re.DOTALL)
    assert block is not None
    return textwrap.dedent(block[1])


def check(repository: Path, files: str, **more: str) -> subprocess.CompletedProcess[str]:
    binary = repository / "runner" / "lens" / "bin"
    binary.mkdir(parents=True)
    (binary / "lens").symlink_to(Path(sys.executable).with_name("lens"))
    inputs = {
        "FILES": files,
        "DATA": "data",
        "STYLE": "github",
        "OUTPUT": "",
        "RUNNER_TEMP": str(repository / "runner"),
    }
    return subprocess.run(
        ["bash", "-e", "-c", step("Check")],
        cwd=repository,
        env={**os.environ, **inputs, **more},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_passes_a_text_that_holds(repository: Path) -> None:
    done = check(repository, "right.md\n")
    assert (done.returncode, done.stdout) == (0, "0 findings in 1 file, 1 stamp checked\n")


def test_the_action_annotates_and_fails(repository: Path) -> None:
    (repository / "wrong.md").write_text((repository / "wrong file.md").read_text())
    done = check(repository, "right.md wrong.md")
    assert done.returncode == 1
    column = RIGHT.index("5 of") + 1
    place = f"line=1,col={column},endColumn={column + 7}"
    assert done.stdout.startswith(f"::error file=wrong.md,{place},title=EV004 stamp-differs::")


def test_the_action_keeps_a_report(repository: Path) -> None:
    done = check(repository, ".", STYLE="sarif", OUTPUT="claims.sarif")
    assert done.returncode == 1
    assert (repository / "claims.sarif").read_text() == done.stdout
    assert '"ruleId": "EV004"' in done.stdout


def test_inputs_reach_the_shell_as_data_only() -> None:
    text = (ROOT / "action.yml").read_text()
    scripts = re.findall(r"run: \|\n((?: {8}.*\n?)+)", text)
    assert len(scripts) == 2
    assert not any("${{" in script for script in scripts)


def test_the_hooks_run_the_command_on_the_files_it_reads(repository: Path) -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entries = re.findall(r"entry: (.+)", text)
    assert entries == ["lens claims", "lens claims --write"]
    pattern = re.search(r"files: (.+)", text)
    assert pattern is not None
    names = ["README.md", "paper.tex", "page.html", "code.py"]
    assert [bool(re.search(pattern[1], name)) for name in names] == [True, True, True, False]
    lens = str(Path(sys.executable).with_name("lens"))
    for entry, code in ((entries[0], 1), (entries[1], 0)):
        command = [lens, *entry.split()[1:], "right.md", "wrong file.md"]
        assert subprocess.run(command, cwd=repository, capture_output=True, check=False).returncode == code
