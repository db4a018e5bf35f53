"""TRL's `accuracy_reward`: the boxed answer and the solution through math-verify; None where the gold won't parse."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader([[{"role": "assistant", "content": response}]], [gold])[0]


ADAPTER = Adapter(
    slug="trl-accuracy-reward",
    title="TRL accuracy_reward",
    judges="parses the boxed answer and the reference as mathematics and pays when they are equal; abstains when the "
    "reference can't be parsed",
    spec="pypi:trl==1.16.0/trl.rewards.accuracy_rewards:accuracy_reward",
    answer="latex",
    licence="Apache-2.0",
    call=call,
    requires=(
        "math-verify==0.9.0",
        "latex2sympy2-extended==1.11.0",
        "sympy==1.14.0",
        "mpmath==1.3.0",
        "antlr4-python3-runtime==4.13.2",
        "packaging==26.2",
    ),
    corpora=("math500",),
    published=True,
)
