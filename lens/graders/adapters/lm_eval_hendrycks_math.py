"""lm-eval's MATH task scorer: the text between the first and last dollar sign against the solution's boxed answer."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader({"solution": "The answer is $\\boxed{" + gold + "}$"}, [response])["exact_match"]


ADAPTER = Adapter(
    slug="lm-eval-hendrycks-math",
    title="lm-eval hendrycks_math",
    judges="takes the text between the first and the last dollar sign and compares it with the boxed reference",
    spec="pypi:lm-eval==0.4.13/lm_eval.tasks.hendrycks_math.utils:process_results",
    answer="latex",
    licence="MIT",
    call=call,
    corpora=("math500",),
)
