"""verl's math-verify scorer: boxes the reference, parses both and asks math-verify."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    # compute_score hands the same two strings to this function in a process pool of its own; called directly,
    # the pool's start-up is not measured instead of the grader.
    return grader._verify_in_subprocess("\\boxed{" + gold + "}", response)


ADAPTER = Adapter(
    slug="verl-math-verify",
    title="verl math-verify",
    judges="parses the response and the boxed reference as mathematics and pays when any pair of readings is equal",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.math_verify",
    answer="latex",
    licence="Apache-2.0",
    call=call,
    requires=(
        "math-verify==0.9.0",
        "latex2sympy2-extended==1.11.0",
        "sympy==1.14.0",
        "mpmath==1.3.0",
        "antlr4-python3-runtime==4.13.2",
    ),
)
