"""verl's GSM8K scorer in its lenient mode: the last number anywhere in the final 300 characters."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader(response, gold, method="flexible")


ADAPTER = Adapter(
    slug="verl-gsm8k-flexible",
    title="verl GSM8K, lenient mode",
    judges="takes the last number anywhere near the end and pays when it is spelled exactly like the reference",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.gsm8k:compute_score",
    answer="integer",
    licence="Apache-2.0",
    call=call,
    corpora=("gsm8k", "gsm8k-solutions"),
)
