"""SWE-bench's report builder: the status of each test against the tests that must turn or stay green."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    report = grader.get_eval_tests_report(
        response, {"FAIL_TO_PASS": gold["FAIL_TO_PASS"], "PASS_TO_PASS": gold["PASS_TO_PASS"]}
    )
    status = grader.get_resolution_status(report)
    return {"RESOLVED_FULL": 1.0, "RESOLVED_PARTIAL": 0.5, "RESOLVED_NO": 0.0}.get(status, status)


ADAPTER = Adapter(
    slug="swebench-grading",
    title="SWE-bench grading",
    judges="compares the status of each test with the lists that must turn green and stay green, and calls the issue "
    "resolved when all do",
    spec="pypi:swebench==5.0.2/swebench.harness.grading",
    answer="test-report",
    licence="MIT",
    call=call,
    corpora=("swebench-lite",),
    published=True,
)
