"""verl's GSM8K scorer: the last `#### N` in the final 300 characters against the reference, as text."""

from lens.graders.adapter import Adapter

ADAPTER = Adapter(
    slug="verl-gsm8k",
    title="verl GSM8K",
    judges="looks for the last number after four hash marks and pays when it is spelled exactly like the reference",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.gsm8k:compute_score",
    answer="integer",
    licence="Apache-2.0",
    corpora=("gsm8k", "gsm8k-solutions"),
    published=True,
)
