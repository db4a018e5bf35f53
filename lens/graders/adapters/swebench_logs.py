"""SWE-bench's log reader: an evaluation log in, the status of each test and whether the run counts out."""

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
    return [statuses, counts] == [gold["statuses"], gold["found"]]


ADAPTER = Adapter(
    slug="swebench-logs",
    title="SWE-bench log reader",
    judges="reads an evaluation log, collects the status of each test, and decides whether the run counts",
    spec="pypi:swebench==5.0.2/swebench.harness.grading",
    answer="test-log",
    licence="MIT",
    call=call,
    entries=("get_logs_eval",),
)
