"""Evaluation logs and runner output: what doesn't concern a test changes no status; a changed status does."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, relation


def _first_passed(case: Case) -> str | None:
    if "FAIL_TO_PASS" in case.item.gold:
        return next(iter(case.item.gold["FAIL_TO_PASS"]), None)
    return next((test for test, status in case.item.gold.items() if status == "PASSED"), None)


@relation(
    "progress-marker",
    title="a progress marker on a line of its own",
    direction="invariant",
    defect="progress-marker-read-as-test",
    on="pytest-output",
)
def progress_marker(case: Case) -> Iterator[Variant]:
    for marker in ("[ 42%]", "[73%]"):
        yield Variant(None, f"{case.answer}\nPASSED {marker}")


@relation(
    "warning-lines",
    title="warnings between the results",
    direction="invariant",
    defect="warning-read-as-test",
    on="pytest-output log",
)
def warning_lines(case: Case) -> Iterator[Variant]:
    first, _, rest = case.answer.partition("\n")
    yield Variant(None, f"{first}\nDeprecationWarning: old spelling, see the notes\n{rest}")


@relation(
    "docstring-line",
    title="a test whose docstring the runner prints under its name",
    direction="invariant",
    defect="docstring-replaces-test-id",
    on="django-output",
)
def docstring_line(case: Case) -> Iterator[Variant]:
    lines = case.answer.split("\n")
    for place, line in enumerate(lines):
        if line.endswith(" ... ok"):
            name = line.removesuffix(" ... ok")
            changed = [*lines[:place], name, "Totals stay as they were. ... ok", *lines[place + 1 :]]
            yield Variant(None, "\n".join(changed))
            return


@relation(
    "runner-summary",
    title="the runner's closing summary",
    direction="invariant",
    defect="summary-read-as-test",
    on="django-output",
)
def runner_summary(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"{case.answer}\n\n{'-' * 70}\nRan {case.answer.count(chr(10)) + 1} tests in 0.310s\n\nOK")


@relation(
    "status-flipped",
    title="a passed test reported as failed",
    direction="must-change",
    defect="flipped-status-overlooked",
    on="pytest-output django-output log",
)
def status_flipped(case: Case) -> Iterator[Variant]:
    if (test := _first_passed(case)) is not None:
        text = case.answer.replace(f"PASSED {test}", f"FAILED {test} - assert 1 == 2", 1)
        yield Variant(None, text.replace(f"{test} ... ok", f"{test} ... FAIL", 1))


@relation(
    "patch-failed",
    title="the log says that the patch didn't apply",
    direction="must-change",
    defect="unapplied-patch-paid",
    on="log",
)
def patch_failed(case: Case) -> Iterator[Variant]:
    yield Variant(None, f">>>>> Patch Apply Failed\n{case.answer}")
