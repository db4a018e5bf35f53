"""verl's MATH reward: the last `\\boxed{}` of the response against the reference, through `is_equiv`."""

from lens.graders.adapter import Adapter

ADAPTER = Adapter(
    slug="verl-math-reward",
    title="verl MATH reward",
    judges="reads the last boxed answer and pays when it matches the reference after the same text clean-up on both",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.math_reward:compute_score",
    answer="latex",
    licence="Apache-2.0",
    corpora=("math500",),
    published=True,
)
