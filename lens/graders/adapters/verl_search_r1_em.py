"""verl's Search-R1 exact match: the last `<answer>` span against any of the references, normalised as SQuAD does."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    return grader(response, {"target": gold})


ADAPTER = Adapter(
    slug="verl-search-r1-em",
    title="verl Search-R1 exact match",
    judges="reads the last answer tag and pays when its words equal one of the references, ignoring case, articles "
    "and punctuation",
    spec="pypi:verl==0.9.1/verl.utils.reward_score.search_r1_like_qa_em:compute_score",
    answer="qa",
    licence="Apache-2.0",
    call=call,
    corpora=("nq-open",),
    published=True,
)
