"""verl's PRIME MATH scorer: finds an answer by several cues, compares text, then lets sympy decide."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return bool(grader(response, gold)[0])


ADAPTER = Adapter(
    slug="verl-prime-math",
    title="verl PRIME MATH",
    judges="finds an answer by its cues, compares it with the reference as text and, failing that, as algebra",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.prime_math:compute_score",
    answer="latex",
    licence="Apache-2.0",
    call=call,
    requires=("pylatexenc==2.10", "sympy==1.14.0", "mpmath==1.3.0"),
    corpora=("math500",),
    published=True,
)
