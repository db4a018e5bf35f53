"""lm-eval's box extraction: the last boxed span of a text, without its macro."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader.remove_boxed(grader.last_boxed_only_string(response)) == gold


ADAPTER = Adapter(
    slug="lm-eval-remove-boxed",
    title="lm-eval box extraction",
    judges="finds the last boxed span of a text and takes its macro off; right when what is left is the boxed answer",
    spec="pypi:lm-eval==0.4.13/lm_eval.tasks.hendrycks_math.utils",
    answer="box-extraction",
    licence="MIT",
    call=call,
)
