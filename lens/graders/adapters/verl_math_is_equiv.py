"""MATH `is_equiv`, the copy that verl carries inside its MATH reward."""

from lens.graders.adapter import Adapter

ADAPTER = Adapter(
    slug="verl-math-is-equiv",
    title="MATH is_equiv in verl",
    judges="takes two LaTeX answers and asks whether they are the same text once spaces, units and a few spellings "
    "are removed",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.math_reward:is_equiv",
    answer="latex-bare",
    licence="Apache-2.0",
    corpora=("math500",),
    published=True,
)
