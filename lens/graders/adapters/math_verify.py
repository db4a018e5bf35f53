"""math-verify: both sides are parsed as mathematics and compared by sympy."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader.verify(grader.parse(gold), grader.parse(response))


ADAPTER = Adapter(
    slug="math-verify",
    title="math-verify",
    judges="parses both answers as mathematics and asks a computer algebra system whether they are equal",
    spec="pypi:math-verify==0.9.0/math_verify",
    answer="latex",
    licence="Apache-2.0",
    call=call,
    requires=("latex2sympy2-extended==1.11.0", "sympy==1.14.0", "mpmath==1.3.0", "antlr4-python3-runtime==4.13.2"),
    corpora=("math500",),
    published=True,
)
