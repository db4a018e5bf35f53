"""SWE-bench evaluation reports: a file a submission, its instances listed by how far each came and whether it was
resolved. An instance is a group and each submission's patch for it a rollout, so several reports are one record.

An instance that is not resolved is written nowhere as a failure of the harness or of the patch. What the lists do say:
a patch that was refused or whose tests ran is the patch's own; an installation, reset or test run that failed is not,
nor is an instance with a patch of which no list says that it was applied or refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.gather import Gather
from lens.runs.writer import Writer

LISTS = ("generated", "with_logs", "resolved")  # in every report
OTHERS = ("no_generation", "applied", "no_apply")
HARNESS = ("install_fail", "reset_failed", "test_errored", "test_timeout")
PATTERNS = ("*.report.json.gz", "*.report.json")
Lists = dict[str, dict[str, None]]


def recognise(source: Source) -> str:
    for path in files(source)[:1]:
        try:
            found = reading.json_file(path)
        except UsageError:
            return ""
        if isinstance(found, dict) and all(isinstance(found.get(name), list) for name in LISTS):
            return f"{path.name}: lists of instances, {', '.join(LISTS)}"
    return ""


def files(source: Source) -> list[Path]:
    return [path for pattern in PATTERNS for path in source.files(pattern)]


def read(source: Source, writer: Writer) -> None:
    """A rollout an instance and report, in the order of the instances' names; an instance without a patch has no
    score."""
    gather = Gather(writer)
    for path in files(source):
        gather.rows(path, _rollouts(_lists(path), path, writer))
    writer.trainer = "SWE-bench harness"
    for name, detail in (("advantage", "an evaluation has no advantages"), ("series", "an evaluation has no steps")):
        writer.lacks(name, detail, "read the record of a training that was paid by this harness")


def _lists(path: Path) -> Lists:
    """Instances by list, each once. Raises UsageError naming file and list."""
    report = reading.json_file(path)
    if not isinstance(report, dict):
        raise UsageError(f"{path}: a report is an object of lists, this is {type(report).__name__}")
    lists: Lists = {}
    for name in (*LISTS, *OTHERS, *HARNESS):
        listed = report.get(name, None if name in LISTS else [])
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            raise UsageError(f"{path}: {name} is no list of instances' names", remedy="is it a report? copy it again")
        lists[name] = dict.fromkeys(listed)
    return lists


def _rollouts(lists: Lists, path: Path, writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    given, none = lists["generated"], lists["no_generation"]
    both = sum(name in none for name in given)
    if both:
        writer.found("listed-twice", "instances are listed with a patch and without; they count with", path, rows=both)
    for line, name in enumerate(sorted({**given, **none}), 1):
        solved = (1.0 if name in lists["resolved"] else 0.0) if name in given else None
        yield (
            line,
            {
                "step": 0,
                "group": name,
                "reward": solved,
                "score.resolved": solved,
                "failed": name in given and _failed(name, lists),
            },
        )


def _failed(name: str, lists: Lists) -> bool:
    """Whether the harness, and not the patch, is why nothing was found out."""
    broken = any(name in lists[one] for one in HARNESS)
    ran = name in lists["with_logs"] and (name in lists["applied"] or name in lists["no_apply"])
    return broken or not ran


ADAPTER = Adapter(
    name="swebench_report",
    title="SWE-bench evaluation reports",
    layout="*.report.json of one or more submissions",
    versions="SWE-bench-docker of 2024",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=40,
)
