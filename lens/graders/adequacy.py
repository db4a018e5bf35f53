"""Is a corpus able to see a grader? Null graders answer it: if a constant, or bare text equality, gives the
same verdicts as the grader, then what mutants do on that corpus says nothing about the grader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from lens.canonical import digest
from lens.graders.corpus import Corpus, Row
from lens.graders.formats import plain_text
from lens.graders.outcome import Outcome

SHARE = 0.05  # what each outcome class, and each null grader's disagreement, has to reach


@dataclass(frozen=True)
class Adequacy:
    """Counts over the rows of one corpus.

    outcomes          rows of each outcome class (verdict), most frequent first
    identical         rows whose answer text is the gold's, of `slots` rows that have an answer text
    normalised        rows where clean-up of the text changes one side only, of `slots`
    equality_differs  rows whose verdict differs from raw equality of answer text and gold, of `slots`
    constant_differs  rows whose outcome differs from the best constant grader's
    """

    rows: int
    outcomes: tuple[tuple[str, int], ...]
    slots: int
    identical: int
    normalised: int
    equality_differs: int
    constant_differs: int
    why: str

    @property
    def adequate(self) -> bool:
        """Whether a kill rate on this corpus speaks of the grader."""
        return not self.why


def same_text(answer: str, gold: object) -> bool:
    """Raw equality: the answer's text is the gold's, or one of the golds', with no clean-up at all. Dollar signs
    that enclose a whole gold belong to its call, not to its text."""
    golds = [str(one) for one in (gold if isinstance(gold, (list, tuple)) else [gold])]
    return answer in golds or f"${answer}$" in golds


def answered(corpus: Corpus, outcomes: Sequence[Outcome]) -> tuple[Corpus, list[Outcome]]:
    """The rows that came to something, and to what: a time-out tells nothing apart."""
    pairs = [(row, one) for row, one in zip(corpus.rows, outcomes, strict=True) if one.answered]
    return replace(corpus, rows=tuple(row for row, _ in pairs)), [one for _, one in pairs]


def adequacy(
    corpus: Corpus,
    outcomes: Sequence[Outcome],
    ceiling: float | None,
    *,
    normalise: Callable[[str], str] = plain_text,
) -> Adequacy:
    """Judge `corpus` by its `outcomes`, one a row in order; `ceiling` is the score the oracle earns.

    Adequate: at least two outcome classes of 5 % each, which also tells every constant apart, and raw equality
    differing on 5 % of the rows. Where the contract has no answer slot the last doesn't apply.
    """
    if len(outcomes) != len(corpus.rows):
        raise ValueError(f"{len(corpus.rows)} rows and {len(outcomes)} outcomes: one a row")
    classes = Counter(_class(one) for one in outcomes)
    slots = [(row, one) for row, one in zip(corpus.rows, outcomes, strict=True) if row.answer is not None]
    equal = [_identical(row) for row, _ in slots]
    differs = sum(
        same != (ceiling is not None and one.score is not None and one.score >= ceiling - 1e-9)
        for same, (_, one) in zip(equal, slots, strict=True)
    )
    rows = len(corpus.rows)
    largest = max(classes.values(), default=0)
    return Adequacy(
        rows,
        tuple(classes.most_common()),
        len(slots),
        sum(equal),
        sum(_one_side(row, normalise) for row, _ in slots),
        differs,
        rows - largest,
        _why(rows, classes, len(slots), differs),
    )


def _why(rows: int, classes: Counter[str], slots: int, differs: int) -> str:
    """What keeps the corpus from being adequate; empty where nothing does."""
    large = sum(count >= SHARE * rows for count in classes.values())
    if not rows:
        return "it has no rows"
    if large < 2:
        return f"one outcome covers {max(classes.values())} of {rows} rows: a constant grader would do as well"
    if slots and differs < SHARE * slots:
        return f"raw equality of the answer text gives the same verdict on {slots - differs} of {slots} rows"
    return ""


def _class(outcome: Outcome) -> str:
    """An outcome class by name. Returned text may be somebody's: it is named by a digest."""
    if outcome.status != "value":
        return f"{outcome.status} {outcome.type}".strip()
    if isinstance(outcome.value, (str, list, dict)):
        return f"{type(outcome.value).__name__} {digest(outcome.value)[:8]}"
    return outcome.type if outcome.value is None and outcome.type else repr(outcome.value)


def _identical(row: Row) -> bool:
    return row.answer is not None and same_text(row.answer, row.gold)


def _one_side(row: Row, normalise: Callable[[str], str]) -> bool:
    golds = [str(gold) for gold in (row.gold if isinstance(row.gold, (list, tuple)) else [row.gold])]
    answer = row.answer or ""
    return (normalise(answer) != answer) != any(normalise(gold) != gold for gold in golds)
