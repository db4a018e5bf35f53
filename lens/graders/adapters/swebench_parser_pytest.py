"""SWE-bench's pytest log parser: output text in, the status of each test out."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader(response, None) == gold


ADAPTER = Adapter(
    slug="swebench-parser-pytest",
    title="SWE-bench pytest parser",
    judges="reads the output of a pytest run and gives the status of each test it names",
    spec="pypi:swebench==5.0.2/swebench.harness.log_parsers.python:parse_log_pytest",
    answer="pytest-output",
    licence="MIT",
    call=call,
)
