"""Which words count what: the store's own units, and the everyday words that turn a numeral into a count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache

# Units this field measures in, known before a store says so.
_CORE = ("mutants", "pairs", "rollouts")
# Things with a size, which stand before their number: "accuracy of 0.931".
SIZED = (
    "accuracy", "acc", "auc", "auroc", "f1", "recall", "precision", "kappa", "correlation", "kill rate", "pass rate",
    "accept rate", "reject rate", "acceptance rate", "rejection rate", "false positive rate", "false negative rate",
    "error rate", "win rate", "agreement rate",
)  # fmt: skip
_SIZED_AFTER = ("accuracy", "auc", "auroc", "f1", "recall", "kill rate", "pass rate", "win rate", "error rate")
# Everyday words: a unit of a store that is one of these makes no measurement of a number beside it.
_EVERYDAY = frozenset(
    [
        "times",
        "seconds",
        "minutes",
        "hours",
        "days",
        "weeks",
        "months",
        "years",
        "bytes",
        "characters",
        "lines",
        "files",
        "words",
        "points",
        "steps",
        "calls",
        "places",
        "digits",
        "items",
        "things",
        "ways",
        "replies",
        "features",
        "models",
        "backs",  # "share taken back"
        "properties",
        "channels",
        "predicates",
        "spreads",
        "depth",
        "p",
    ]
)
# What voids a date, a reference or a version before it, and what a number word above twenty counts.
_GENERIC = [
    "problems",
    "questions",
    "samples",
    "examples",
    "items",
    "cases",
    "tests",
    "trials",
    "runs",
    "seeds",
    "tokens",
    "models",
    "graders",
    "verifiers",
    "annotators",
    "users",
    "people",
    "errors",
    "failures",
    "successes",
    "rejections",
    "acceptances",
    "disagreements",
    "flips",
    "differences",
    "records",
    "datasets",
    "completions",
    "responses",
    "answers",
    "prompts",
    "tasks",
    "comparisons",
    "experiments",
    "benchmarks",
    "mutations",
    "survivors",
    "rows",
    "golds",
    "verdicts",
    "probes",
    "exploits",
    "violations",
    "replays",
    "points",
]


class Units:
    """The vocabulary of one check. `counted` holds plurals: the core, and what the store counts."""

    def __init__(self, store: Iterable[str] = ()) -> None:
        self.counted = (frozenset(_CORE) | frozenset(map(head, store))) - _EVERYDAY - {""}

    @cached_property
    def either(self) -> str:
        """Alternatives: every counted word, one or many."""
        return _alternatives({*self.counted, *map(singular, self.counted)})

    @cached_property
    def plurals(self) -> str:
        return _alternatives(self.counted)

    @cached_property
    def generic(self) -> str:
        return _alternatives({*self.counted, *_GENERIC})

    @cached_property
    def after(self) -> re.Pattern[str]:
        """What follows a number that a unit of the store makes a measurement: `surviving mutants`, `% of rollouts`."""
        return _after(f"{self.either}|{_alternatives(_SIZED_AFTER)}")

    @cached_property
    def counts(self) -> re.Pattern[str]:
        """What follows a number that counts anything at all, so that it can't be a date or a reference."""
        return _after(f"{self.generic}|{self.either}|{_alternatives(_SIZED_AFTER)}")

    @cached_property
    def before(self) -> re.Pattern[str]:
        """What stands before a number when a sized word does: `accuracy of about`, `AUC =`, `recall:`."""
        sized = _alternatives(SIZED).replace("\\ ", "[ _-]")
        return re.compile(
            rf"\b(?P<unit>{sized})(?: \([^()]*\))?(?:[ \n:=|≈~<>≤≥*_]|\b(?:of|is|was|at|to|by|from|reached|reaches|hit|"
            r"rose|fell|climbed|about|over|under|nearly|roughly|only|just|up|exactly|above|below|a|the|around|almost|"
            r"improved|increased|decreased|dropped|stood|stands)\b)+\Z",
            re.IGNORECASE,
        )

    @cached_property
    def heading(self) -> re.Pattern[str]:
        """What stands before a number when a counted word announces it: `mutants killed:`, `mutants (n =`."""
        return re.compile(
            rf"\b(?P<unit>{self.plurals})\b[^.;:=(\n0-9]{{0,24}}(?:[:=]|\([nN] ?=|\()[ \n]?\Z",
            re.IGNORECASE,
        )

    @cached_property
    def mention(self) -> re.Pattern[str]:
        """A counted word, or percent in words; the first letters stand before it, since few words begin with one."""
        words = f"{self.either}|per ?cent|percentage points?"
        first = "".join(sorted({word[0] for word in words.split("|")}))
        return re.compile(rf"(?=(?-i:[{first}{first.upper()}]))\b(?:{words})\b", re.IGNORECASE)

    @cached_property
    def _direct(self) -> re.Pattern[str]:
        return re.compile(rf"[ \n]({self.either})\b(?!-)", re.IGNORECASE)

    def direct(self, text: str, at: int) -> str:
        """The counted word right after `at`, in the plural; empty where something else follows."""
        match = self._direct.match(text, at)
        return plural(match[1].lower()) if match else ""


# Words that end a phrase: what follows them is not what the number before them counts.
_LINKING = (
    "the|of|is|are|was|were|and|or|but|in|on|at|to|for|from|by|with|per|as|than|that|which|who|so|then|when|where|if|it|"
    "its|they|we|you|has|have|had|be|been|not|no|into|over|under|between|before|after|each|every|out|up|lets|makes"
)


def _after(words: str) -> re.Pattern[str]:
    return re.compile(
        r"[ \n]?(?:%|‰|percent\b|per cent\b)?[ \n-]?(?:of (?:the |all |its |these |our )?)?"
        rf"(?:(?!(?:{_LINKING})\b)[a-z-]+[ \n]|\([^()\n]{{1,20}}\)[ \n]){{0,3}}?"
        rf"(?P<unit>{words})\b(?![-.]\w)",
        re.IGNORECASE,
    )


def _alternatives(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


@lru_cache
def head(unit: str) -> str:
    """The counted word of a unit, in the plural: `gold pairs` counts pairs. Empty for symbols."""
    words = unit.lower().split()
    return plural(words[-1]) if words and re.fullmatch(r"[a-z][a-z-]{2,}", words[-1]) else ""


def singular(word: str) -> str:
    for ending, replacement in (("ies", "y"), ("xes", "x"), ("ches", "ch"), ("sses", "ss"), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)] + replacement
    return word


def plural(word: str) -> str:
    if word.endswith("s") and not word.endswith("ss"):
        return word
    for ending, replacement in ((r"(?<![aeiou])y\Z", "ies"), (r"(s|x|ch|sh)\Z", r"\1es"), (r"\Z", "s")):
        if re.search(ending, word):
            return re.sub(ending, replacement, word, count=1)
    return word
