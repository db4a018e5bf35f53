"""The how-to does what it says: its files are written, its commands are run, in order."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from lens.resource import resource

PAGE = resource("content/docs/audit-a-grader.md")
LENS = [sys.executable, "-c", "from measure.cli import main; main()"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the how-to's files, after its commands; every one of them succeeded."""
    folder = tmp_path_factory.mktemp("howto")
    for language, text in re.findall(r"```(python|markdown|console)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        if language == "console":
            for line in text.splitlines():
                command = shlex.split(line.removeprefix("$ "))
                assert command[0] == "lens", line
                done = subprocess.run(
                    [*LENS, *command[1:]], cwd=folder, capture_output=True, text=True, timeout=300, check=False
                )
                assert done.returncode == 0, (line, done.stdout[-2000:], done.stderr[-2000:])
        else:
            (folder / {"python": "my_grader.py", "markdown": "paper.md"}[language]).write_text(text, "utf-8")
    return folder


def test_the_card_is_there(folder: Path) -> None:
    card = (folder / "_site/graders/my-grader-reward/index.html").read_text("utf-8")
    assert "What does it pay for that it shouldn’t?" in card
    assert "right answers are refused" in card


def test_the_paper_holds_what_was_measured(folder: Path) -> None:
    found = re.search(r"-->(\d+) of (\d+)<!--/ev-->", (folder / "paper.md").read_text("utf-8"))
    assert found is not None
    assert found[1] == found[2]


def test_a_forged_number_is_found(folder: Path) -> None:
    paper = folder / "forged.md"
    paper.write_text(re.sub(r"-->\d+ of", "-->1 of", (folder / "paper.md").read_text("utf-8")), "utf-8")
    done = subprocess.run([*LENS, "claims", "forged.md"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "forged.md:1:" in done.stdout + done.stderr
