"""SWE-bench from the log up: the statuses read out of an evaluation log, then the verdict of the report builder."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    import os
    import types

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
    slug="swebench-logs",
    title="SWE-bench evaluation logs",
    judges="reads an evaluation log, collects the status of each test, and calls the issue resolved when the tests "
    "that must pass do",
    spec="pypi:swebench==5.0.2/swebench.harness.grading",
    answer="test-log",
    licence="MIT",
    call=call,
    corpora=("swebench-logs",),
    published=True,
)
