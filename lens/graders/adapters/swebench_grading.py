"""SWE-bench's report builder: the status of each test against the tests that must turn or stay green."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    """`response` is a status for each test, or the text of an evaluation log that `gold["parser"]` reads."""
    import os
    import types

    statuses = response
    if isinstance(response, str):
        for mark, marker in (
            ("{START}", grader.START_TEST_OUTPUT),
            ("{END}", grader.END_TEST_OUTPUT),
            ("{EXIT}", grader.TEST_EXIT_CODE),
        ):
            response = response.replace(mark, marker)
        with open("evaluation.log", "w") as stream:
            stream.write(response)
        statuses, counts = grader.get_logs_eval(types.SimpleNamespace(log_parser=gold["parser"]), "evaluation.log")
        os.remove("evaluation.log")
        if not counts:
            return 0.0
    report = grader.get_eval_tests_report(
        statuses, {"FAIL_TO_PASS": gold["FAIL_TO_PASS"], "PASS_TO_PASS": gold["PASS_TO_PASS"]}
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
    corpora=("swebench-lite", "swebench-logs"),
    entries=("get_eval_tests_report", "get_resolution_status"),
    published=True,
)
