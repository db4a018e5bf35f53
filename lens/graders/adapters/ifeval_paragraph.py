"""IFEval's paragraph check in lm-eval: the number of paragraphs, and the first word of one of them."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    checker = grader("audit")
    checker.build_description(**gold)
    return checker.check_following(response)


ADAPTER = Adapter(
    slug="ifeval-paragraph",
    title="IFEval paragraph check",
    judges="counts paragraphs and reads the first word of the one the instruction names",
    spec="pypi:lm-eval==0.4.13/lm_eval.tasks.ifeval.instructions:ParagraphFirstWordCheck",
    answer="ifeval-paragraph",
    licence="Apache-2.0",
    call=call,
    requires=("nltk==3.9.2", "packaging==26.2", "immutabledict==4.2.2"),
)
