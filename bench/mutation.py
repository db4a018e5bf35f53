"""CPU seconds a mutant, for MATH is_equiv on 240 rows.

Ours include generating, compiling, the sandbox, a followed and a plain replay, and a twentieth of the mutants again.
The peers get the same functions in a project of their own and the same 240 rows as one test.
"""

from __future__ import annotations

import ast
import json
import resource
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import _peer

ROWS = 240
ROUNDS = 3
MUTMUT, COSMIC_RAY = "mutmut==3.8.1", "cosmic-ray==8.7.0"
SAMPLED = 12  # mutants of cosmic-ray, evenly spaced: it starts a test run for each
SUBJECT = "math-is-equiv"

_TEST = """
import json
from pathlib import Path

from grader import is_equiv

ROWS = json.loads((Path(__file__).parent / "rows.json").read_text())


def test_rows():
    for response, gold, verdict in ROWS:
        assert is_equiv(response, gold) is verdict
"""
_MUTMUT = "[mutmut]\nsource_paths=src\npytest_add_cli_args_test_selection=tests\n"
_COSMIC_RAY = """
[cosmic-ray]
module-path = "src/grader.py"
timeout = 60.0
excluded-modules = []
test-command = "{python} -m pytest -x -q -p no:cacheprovider tests"

[cosmic-ray.distributor]
name = "local"
"""


def run() -> list[dict[str, Any]]:
    """A row a peer: medians of alternating runs (of single mutants, for cosmic-ray)."""
    python = _peer.python_with("mutation", MUTMUT, COSMIC_RAY, "pytest==8.3.5")
    folder = Path(tempfile.mkdtemp(prefix="mutation-", dir=_peer.HOME))
    ours: list[float] = []
    mutmut: list[float] = []
    try:
        made = 0
        for _ in range(ROUNDS):
            seconds, made, project = _ours()
            ours.append(seconds)
            _write(folder, *project)
            mutmut.append(_mutmut(python, folder))
        cosmic_ray = _cosmic_ray(python, folder)
    finally:
        shutil.rmtree(folder)
    note = f"{made} mutants over {ROWS} rows; all CPU, divided by the mutants run"
    return [
        _row("mutant", statistics.median(ours), statistics.median(mutmut), MUTMUT, note),
        _row(
            "mutant-cosmic-ray", statistics.median(ours), cosmic_ray, COSMIC_RAY, f"{SAMPLED} of its mutants, executed"
        ),
    ]


def _row(name: str, ours: float, peer: float, version: str, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "ours": ours,
        "peer": peer,
        "peer_version": version.replace("==", " "),
        "ratio": peer / ours,
        "unit": "CPU s",
        "note": note,
    }


def _ours() -> tuple[float, int, tuple[str, list[list[Any]]]]:
    """CPU seconds a mutant, mutants run, and the project the peers get: source of the functions reached, and rows."""
    from lens.access import Access
    from lens.graders import corpora
    from lens.graders.audit import Audit
    from lens.graders.campaign import compiled
    from lens.graders.campaign.run import campaign
    from lens.graders.corpus import Corpus
    from lens.graders.subject import resolve

    audit = Audit(resolve(SUBJECT), {}, Access.parse("grader.source gold.record"))
    corpora.fill(audit)
    rows = (*audit.corpora["gold"].rows, *audit.corpora["variants"].spread(ROWS))[:ROWS]
    audit.corpora = {"gold": Corpus("gold", "gold", "240 rows", rows, "bench")}
    compiled.compile_engine()
    before = _cpu()
    done = campaign(audit)
    spent = _cpu() - before
    told = [
        [row.response, row.gold, one.value] for row, one in zip(done.observed.rows, done.observed.outcomes, strict=True)
    ]
    unit_names = {unit["key"][2] for unit in done.observed.plan["units"]}
    return spent / len(done.met), len(done.met), (_source(audit.subject.module_file, unit_names), told)


def _source(file: Path, names: set[str]) -> str:
    tree = ast.parse(file.read_bytes())
    kept: Sequence[ast.stmt] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names]
    return "\n\n\n".join(ast.unparse(node) for node in kept) + "\n"


def _write(folder: Path, source: str, rows: list[list[Any]]) -> None:
    for name in ("src", "tests"):
        (folder / name).mkdir(exist_ok=True)
    (folder / "src" / "grader.py").write_text(source, "utf-8")
    (folder / "tests" / "rows.json").write_text(json.dumps(rows), "utf-8")
    (folder / "tests" / "test_rows.py").write_text(_TEST, "utf-8")
    (folder / "tests" / "conftest.py").write_text("import sys\nsys.path.append('src')\n", "utf-8")
    (folder / "setup.cfg").write_text(_MUTMUT, "utf-8")


def _mutmut(python: Path, folder: Path) -> float:
    shutil.rmtree(folder / "mutants", ignore_errors=True)
    spent = _run([str(python), "-m", "mutmut", "run", "--max-children", "1"], folder)
    _run([str(python), "-m", "mutmut", "export-cicd-stats"], folder)
    stats = json.loads((folder / "mutants" / "mutmut-cicd-stats.json").read_text("utf-8"))
    return spent / (stats["total"] - stats["no_tests"] - stats["skipped"])


def _cosmic_ray(python: Path, folder: Path) -> float:
    (folder / "cosmic-ray.toml").write_text(_COSMIC_RAY.format(python=python), "utf-8")
    command = str(python.parent / "cosmic-ray")
    _run([command, "init", "--force", "cosmic-ray.toml", "session.sqlite"], folder)
    _keep(folder / "session.sqlite")
    return _run([command, "exec", "cosmic-ray.toml", "session.sqlite"], folder) / SAMPLED


def _keep(session: Path) -> None:
    """Leave every k-th work item."""
    with sqlite3.connect(session) as store:
        jobs = [job for (job,) in store.execute("SELECT job_id FROM work_items ORDER BY rowid")]
        wanted = {jobs[at * len(jobs) // SAMPLED] for at in range(SAMPLED)}
        for table in ("mutation_specs", "work_items"):
            store.executemany(f"DELETE FROM {table} WHERE job_id = ?", [(job,) for job in jobs if job not in wanted])


def _run(command: list[str], folder: Path) -> float:
    """CPU seconds of a command and of what it starts."""
    before = _cpu()
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise RuntimeError(f"{command[1:4]} ended with {ran.returncode}: {(ran.stderr or ran.stdout)[-1500:]}")
    return _cpu() - before


def _cpu() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
