"""SWE-bench Lite: its lists of expected tests, and evaluation logs of the gold patches.

The logs were written by a container runner of 2024 that marked neither the start nor the end of the test output:
the test command's section is put between `{START}` and `{END}`, with its return code behind `{EXIT}`, as today's
harness writes it. A gold patch is right by definition, so each of its logs is labelled True.
"""

from __future__ import annotations

import io
import json
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.canonical import file_digest
from lens.errors import UsageError
from lens.graders.items import Item, Rollout, Source
from lens.graders.sources import Named

LISTS = "graders/swebench_lite_test_gold.jsonl"
LOGS = "corpora/swebench_logs/SWE-bench_Lite_golden.logs.tar.xz"
_TEST_RUN = re.compile(r"Std\. Output:\n(?P<output>.*?)\n \n\[[^\n]*Return Code: (?P<code>-?\d+)", re.DOTALL)


def _lists(records: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[Item]:
    for number, row in records:
        gold = {"FAIL_TO_PASS": row["FAIL_TO_PASS"], "PASS_TO_PASS": row["PASS_TO_PASS"]}
        yield Item(number, gold, dict.fromkeys([*row["FAIL_TO_PASS"], *row["PASS_TO_PASS"]], "PASSED"))


class Logs(Named):
    """The gold patches' logs, with the expected tests of each instance as gold."""

    def read(self, shared: Path) -> Source:
        """One rollout a log. Raises UsageError where either file isn't there."""
        lists, logs = shared / "data" / LISTS, shared / "data" / LOGS
        for path in (lists, logs):
            if not path.is_file():
                raise UsageError(
                    f"{self.name} is read from {path}, which isn't there",
                    remedy="set EVIDENCE_LENS_SHARED to the folder that holds data/",
                )
        with lists.open(encoding="utf-8") as stream:
            expected = {row["instance_id"]: row for row in map(json.loads, stream)}
        return Source(
            self.name, self.title, file_digest(logs), f"shared:{LOGS}", self.licence,
            rollouts=tuple(_rollouts(logs, expected)),
        )  # fmt: skip


def _rollouts(path: Path, expected: dict[str, dict[str, Any]]) -> Iterator[Rollout]:
    with tarfile.open(path, "r:xz") as archive:
        members = sorted((one for one in archive if one.isfile()), key=lambda one: one.name)
        for number, member in enumerate(members):
            instance = Path(member.name).name.split(".", 1)[0]
            stream = archive.extractfile(member)
            if instance not in expected or stream is None:
                continue
            text = io.TextIOWrapper(stream, "utf-8", errors="replace").read()
            if (body := marked(text)) is None:
                continue
            row = expected[instance]
            gold = {
                "FAIL_TO_PASS": row["FAIL_TO_PASS"],
                "PASS_TO_PASS": row["PASS_TO_PASS"],
                "parser": f"parse_log_{_project(row['repo'])}",
            }
            yield Rollout(number, gold, body, None, True, instance)


def marked(log: str) -> str | None:
    """The log with its last command's output between markers; None where no command's output is there.

    >>> marked("[a] Std. Output:\\nPASSED t\\n \\n[a] Return Code: 0 ")
    '{START}\\nPASSED t\\n{END}\\n{EXIT}: 0\\n'
    """
    runs = list(_TEST_RUN.finditer(log))
    if not runs:
        return None
    return f"{{START}}\n{runs[-1]['output']}\n{{END}}\n{{EXIT}}: {runs[-1]['code']}\n"


def _project(repo: str) -> str:
    """The parser's name for a repository; the harness calls pytest's own by its runner."""
    name = repo.split("/")[1]
    return {"scikit-learn": "scikit", "pytest": "pytest"}.get(name, name)


SOURCES = (
    Named("swebench-lite", "SWE-bench Lite, expected tests", LISTS, "MIT", _lists),
    Logs("swebench-logs", "SWE-bench Lite, logs of the gold patches", LOGS, "MIT", _lists),
)
