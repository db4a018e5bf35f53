"""verl's Search-R1 substring match: pays when a reference occurs anywhere in the last `<answer>` span."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader(response, {"target": gold})


ADAPTER = Adapter(
    slug="verl-search-r1-subem",
    title="verl Search-R1 substring match",
    judges="reads the last answer tag and pays when a reference occurs anywhere inside it",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.search_r1_like_qa_em:compute_score_subem",
    answer="qa",
    licence="Apache-2.0",
    call=call,
    corpora=("nq-open",),
)
