"""SWE-bench's log reader: an evaluation log in, the status of each test and whether the run counts out."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    import os
    import types

    text = (
        response.replace("{START}", grader.START_TEST_OUTPUT)
        .replace("{END}", grader.END_TEST_OUTPUT)
        .replace("{EXIT}", grader.TEST_EXIT_CODE)
    )
    with open("evaluation.log", "w") as stream:
        stream.write(text)
    try:
        statuses, found = grader.get_logs_eval(types.SimpleNamespace(log_parser=gold["parser"]), "evaluation.log")
    finally:
        os.remove("evaluation.log")
    return [statuses, found]


ADAPTER = Adapter(
    slug="swebench-logs",
    title="SWE-bench log reader",
    judges="reads an evaluation log, collects the status of each test, and decides whether the run counts",
    spec="pypi:swebench==5.0.2/swebench.harness.grading",
    answer="test-log",
    licence="MIT",
    call=call,
    corpora=("swebench-logs",),
    entries=("get_logs_eval",),
)
