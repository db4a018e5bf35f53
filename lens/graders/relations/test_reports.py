"""Test reports: statuses that leave a verdict standing, and one status that must overturn it."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, relation


def _changed(case: Case, which: str, status: str | None) -> Iterator[Variant]:
    """The report with the first test of a list given another status, or left out."""
    for test in case.item.gold[which][:1]:
        statuses = dict(case.item.answer)
        if status is None:
            statuses.pop(test, None)
        else:
            statuses[test] = status
        yield Variant(None, statuses)


@relation(
    "other-tests",
    title="statuses of other tests added",
    direction="invariant",
    defect="other-tests-counted",
    on="report",
)
def other_tests(case: Case) -> Iterator[Variant]:
    yield Variant(None, {**case.item.answer, "spare.py::test_of_another_suite": "FAILED"})


@relation(
    "report-order",
    title="the statuses in another order",
    direction="invariant",
    defect="report-order-matters",
    on="report",
)
def report_order(case: Case) -> Iterator[Variant]:
    yield Variant(None, dict(reversed(case.item.answer.items())))


@relation(
    "cut-parameter",
    title="an expected test id cut inside its parameter",
    direction="invariant",
    defect="cut-test-id-refused",
    on="report",
)
def cut_parameter(case: Case) -> Iterator[Variant]:
    for which in ("FAIL_TO_PASS", "PASS_TO_PASS"):
        tests = list(case.item.gold[which])
        for place, test in enumerate(tests):
            head, bracket, parameter = test.partition("[")
            first = parameter.split(" ")[0]
            alone = sum(other.startswith(f"{head}[{first}") for other in case.item.answer) == 1
            if bracket and " " in parameter and alone:
                tests[place] = f"{head}[{first}"
                yield Variant(None, case.item.answer, gold={**case.item.gold, which: tests})
                return


@relation(
    "target-failed",
    title="a test that must turn green failed",
    direction="must-change",
    defect="failed-target-paid",
    on="report",
)
def target_failed(case: Case) -> Iterator[Variant]:
    yield from _changed(case, "FAIL_TO_PASS", "FAILED")


@relation(
    "target-missing",
    title="a test that must turn green isn't in the report",
    direction="must-change",
    defect="missing-target-paid",
    on="report",
)
def target_missing(case: Case) -> Iterator[Variant]:
    yield from _changed(case, "FAIL_TO_PASS", None)


@relation(
    "target-skipped",
    title="a test that must turn green was skipped",
    direction="must-change",
    defect="skipped-target-paid",
    on="report",
)
def target_skipped(case: Case) -> Iterator[Variant]:
    yield from _changed(case, "FAIL_TO_PASS", "SKIPPED")


@relation(
    "kept-failed",
    title="a test that must stay green failed",
    direction="must-change",
    defect="regression-paid",
    on="report",
)
def kept_failed(case: Case) -> Iterator[Variant]:
    yield from _changed(case, "PASS_TO_PASS", "FAILED")


@relation(
    "kept-error",
    title="a test that must stay green ended in an error",
    direction="must-change",
    defect="regression-paid",
    on="report",
)
def kept_error(case: Case) -> Iterator[Variant]:
    yield from _changed(case, "PASS_TO_PASS", "ERROR")
