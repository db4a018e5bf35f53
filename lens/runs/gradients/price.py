"""What scoring a run's rollouts with its policy again will cost: passes through its weights, a token each."""

from __future__ import annotations

from lens.price import Price
from lens.runs.review import Review

FLOPS = 1e10  # a second, of small matrices on one core
OPENING = 3.0  # CPU seconds to import the library and load a small model
_TOKENS = 300  # a rollout, where the record doesn't say


def again(review: Review, passes: int) -> Price:
    """`passes` forward passes' worth of work over the rollouts of the steps whose policy is in the folder given."""
    from lens.runs.gradients.policy import chain

    record = review.run
    folders = chain(review.model, record)
    bytes_ = [sum(one.stat().st_size for one in folder.glob("*.safetensors")) for folder in folders.values()]
    rows = record.counts["rows"] / max(record.counts["steps"], 1)
    flops = sum(2 * size / 4 * rows * _tokens(review) * passes for size in bytes_)
    return Price(OPENING + 0.5 * len(folders) + flops / FLOPS, round(rows * len(folders)))


def _tokens(review: Review) -> float:
    record = review.run
    if "tokens" in record.columns:
        (mean,) = record.sql("SELECT avg(tokens) FROM rollouts")[0]
        return 2 * float(mean or _TOKENS)  # the prompt counts too
    return _TOKENS
