"""The layers of the architecture hold, and light commands stay light."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("torch", "scipy", "numpy", "pyarrow", "duckdb", "plotly")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


def test_arrows_point_one_way() -> None:
    done = run("-c", "from importlinter.cli import lint_imports; import sys; sys.exit(lint_imports())")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "statement",
    [
        "import lens, lens.reading, lens.instrument",
        "import lens.instrument; assert lens.instrument.registry('graders')",
        "from measure.cli import cli; cli(['--help'], standalone_mode=False)",
        "from measure.cli import cli; cli(['claims', '--help'], standalone_mode=False)",
        "from measure.cli import cli; cli(['build', '--help'], standalone_mode=False)",
    ],
)
def test_light_start(statement: str) -> None:
    code = f"{statement}\nimport sys; print('HEAVY', [m for m in {HEAVY} if m in sys.modules])"
    done = run("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("HEAVY []"), done.stdout


def test_help_gives_every_command_a_sentence() -> None:
    text = run("-c", "from measure.cli import cli; cli(['--help'])").stdout
    entries = re.findall(r"^  ([\w-]+) {2,}(\S.*)$", text.partition("Commands:")[2], re.MULTILINE)
    assert {name for name, _ in entries} == {point.name for point in entry_points(group="evidence_lens.commands")}
