"""verl's DAPO scorer: the last `Answer:` line, or a boxed answer, normalised as Minerva does; pays 1 or −1."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader(response, gold)["score"]


ADAPTER = Adapter(
    slug="verl-math-dapo",
    title="verl DAPO MATH",
    judges="reads the last line that starts with Answer, or a boxed answer, and pays one for a match and minus one "
    "for anything else",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.math_dapo:compute_score",
    answer="latex",
    licence="Apache-2.0",
    call=call,
    corpora=("math500",),
    published=True,
)
