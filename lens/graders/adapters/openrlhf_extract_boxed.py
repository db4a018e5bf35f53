"""OpenRLHF's box extraction: the content of the last `\\boxed{}` of a text."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader(response) == gold


ADAPTER = Adapter(
    slug="openrlhf-extract-boxed",
    title="OpenRLHF box extraction",
    judges="finds the content of the last boxed span of a text; right when it is the boxed answer",
    spec="pypi:openrlhf==0.11.2/openrlhf.utils.math_utils:extract_boxed_answer",
    answer="box-extraction",
    licence="Apache-2.0",
    call=call,
)
