"""Short answers in words: what leaves them the same, and what makes them another answer."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from lens.graders.relations import Case, relation

_ARTICLES = ("the ", "a ", "an ")


@relation(
    "other-gold",
    title="another of the accepted golds",
    direction="invariant",
    defect="alias-refused",
    on="words",
)
def other_gold(case: Case) -> Iterator[str]:
    yield from (str(answer) for answer in case.format.answers(case.item.gold)[1:])


@relation(
    "article",
    title="an article added or left out",
    direction="invariant",
    defect="article-refused",
    on="words",
)
def article(case: Case) -> Iterator[str]:
    lowered = case.answer.lower()
    for word in _ARTICLES:
        if lowered.startswith(word) and lowered != word.strip():
            yield case.answer[len(word) :]
            return
    if case.answer[:1].islower() or " " in case.answer:
        yield f"the {case.answer}"


@relation(
    "word-quotes",
    title="quotation marks around the answer",
    direction="invariant",
    defect="word-quotes-refused",
    on="words",
)
def word_quotes(case: Case) -> Iterator[str]:
    if '"' not in case.answer:
        yield f'"{case.answer}"'


@relation(
    "hyphen",
    title="a hyphen for the space between two words",
    direction="invariant",
    defect="hyphen-refused",
    on="words",
    policy=True,
)
def hyphen(case: Case) -> Iterator[str]:
    if case.answer.count(" ") == 1 and case.answer.replace(" ", "").isalpha():
        yield case.answer.replace(" ", "-")


@relation(
    "accents",
    title="accents left out",
    direction="invariant",
    defect="accent-refused",
    on="words",
    policy=True,
)
def accents(case: Case) -> Iterator[str]:
    plain = "".join(c for c in unicodedata.normalize("NFD", case.answer) if not unicodedata.combining(c))
    if plain != case.answer:
        yield plain


@relation(
    "sentence-answer",
    title="the answer as a sentence",
    direction="invariant",
    defect="sentence-answer-refused",
    on="words",
    policy=True,
)
def sentence_answer(case: Case) -> Iterator[str]:
    yield f"It is {case.answer}"


@relation(
    "other-answer",
    title="the answer to another question",
    direction="must-change",
    defect="other-answer-paid",
    on="words",
)
def other_answer(case: Case) -> Iterator[str]:
    yield from case.wrong()


@relation(
    "missing-word",
    title="one word of several left out",
    direction="must-change",
    defect="missing-word-paid",
    on="words",
)
def missing_word(case: Case) -> Iterator[str]:
    words = [word for word in case.answer.split() if word.lower() not in ("the", "a", "an")]
    accepted = {str(answer).lower() for answer in case.format.answers(case.item.gold)}
    if len(words) >= 2 and (shorter := " ".join(words[:-1])).lower() not in accepted:
        yield shorter


@relation(
    "added-word",
    title="a word added that makes it another thing",
    direction="must-change",
    defect="added-word-paid",
    on="words",
)
def added_word(case: Case) -> Iterator[str]:
    yield f"opposite of {case.answer}"
    yield f"{case.answer} junior"


@relation(
    "negated",
    title="the answer denied",
    direction="must-change",
    defect="negation-paid",
    on="words",
)
def negated(case: Case) -> Iterator[str]:
    yield f"not {case.answer}"
