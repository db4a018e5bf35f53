"""IFEval's language check in lm-eval: a detector must name the language the instruction asked for."""

from typing import Any

from lens.graders.adapter import Adapter


def call(grader: Any, response: Any, gold: Any, **columns: Any) -> Any:
    checker = grader("audit")
    checker.build_description(**gold)
    return checker.check_following(response)


ADAPTER = Adapter(
    slug="ifeval-language",
    title="IFEval language check",
    judges="asks a language detector about the whole response and compares with the language asked for",
    spec="pypi:lm-eval==0.4.13/lm_eval.tasks.ifeval.instructions:ResponseLanguageChecker",
    answer="ifeval-language",
    licence="Apache-2.0",
    call=call,
    requires=("langdetect==1.0.9", "six==1.17.0", "nltk==3.9.2", "packaging==26.2", "immutabledict==4.2.2"),
)
