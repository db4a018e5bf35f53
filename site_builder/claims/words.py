"""Numbers in words: `twenty-one`, `a hundred`, `two thirds`, and phrases that quantify."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from site_builder.claims.units import Units

_ONE_TO_NINE = "one|two|three|four|five|six|seven|eight|nine"
_SMALL = f"{_ONE_TO_NINE}|ten|eleven|twelve"
_TEENS = "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SCALES = "hundred|thousand|million|billion|dozen|score"
_BIG = (
    rf"(?:(?:(?:{_SMALL}|{_TEENS}|(?:{_TENS})(?:[ -](?:{_ONE_TO_NINE}))?|an?|several|a few|many)[ -])?(?:{_SCALES})s?"
    rf"(?:,? (?:and )?(?:{_SMALL}|{_TEENS}|{_TENS})(?:[ -](?:{_ONE_TO_NINE}|{_SCALES}))*)*(?: of)?"
    rf"|{_TEENS}|(?:{_TENS})(?:[ -](?:{_ONE_TO_NINE}))?)"
)
_ANY = rf"(?:{_BIG}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zero)"
_PARTS = r"(?:half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?)"
_ROMAN = r"(?-i:(?=[IVXLCDM]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
_THE = r"(?:the|its|these|those|our|all)"
_GAP = r"[ \n-](?:of (?:the |all |its |these |our )?)?(?:[a-z-]+[ \n]){0,2}?"
_HALF = r"(?:half|an? (?:third|quarter|tenth)|two[ -]thirds)"
_FATE = r"(?:killed|caught|rejected|accepted|refused|paid|survive|survived|fall|fell|fail|failed|pass|passed|die|died)"
_IDIOMS = r"(?:time|way|work|day|world|night|year|week|same|effort)\b"


@lru_cache(maxsize=4)
def _patterns(units: Units, strict: bool) -> tuple[re.Pattern[str], ...]:
    patterns = [*_with_units(units), *(_phrases(units) if strict else ())]
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _with_units(units: Units) -> Iterator[str]:
    """What quantifies in any text: beside a unit of the store."""
    plurals = units.plurals
    ahead = rf"(?=[^.;\n]{{0,40}}\b(?:{plurals})\b)"
    yield rf"\b(?:{_ANY}|{_ROMAN}){_GAP}(?:{plurals})\b"
    yield rf"\b(?:only|just|exactly|kills?|killed|a single|not a) (?:one )?(?:[a-z-]+ )?(?:{units.either})\b(?<!s)"
    yield rf"\b{_ANY}[ -](?:per ?cent\b|percentage points?\b)"
    yield rf"\b(?:an?|{_ONE_TO_NINE})[ -]{_PARTS} of {_THE} {ahead}"
    yield rf"\b(?:no|zero|nil|a (?:couple|pair|handful) of) (?:[a-z-]+ )?(?:{plurals})\b"
    yield rf"\ball (?:the |of the )?(?:[a-z-]+ )?(?:{plurals})(?: (?:was|were|are|get|got))? {_FATE}\b"
    yield rf"\b(?:none|all|half|most|majority|two thirds|each and every one|the bulk|the rest) of {_THE} {ahead}"
    yield rf"\b(?:more|less|fewer|better|over|under|well over|just over) (?:than )?{_HALF}\b{ahead}"
    yield rf"\b(?:{plurals}) (?:was |were |is |are )?(?:in all |altogether )?(?:numbered|totall?ed|came to) {_ANY}\b"


def _phrases(units: Units) -> Iterator[str]:
    """What quantifies by itself, in a strict text."""
    yield rf"\b{_BIG} (?:[a-z-]+ )?(?:{units.generic})\b"
    yield rf"\b(?:an?|{_ONE_TO_NINE})[ -](?!hal){_PARTS} of {_THE}\b"
    yield rf"\b(?:most|the majority|the bulk) of {_THE} (?!{_IDIOMS})"
    yield rf"\b(?:more|less|fewer|better) than {_HALF}\b|\b(?:well )?over half\b"
    yield rf"\b(?:one|{_ANY}) (?:in|out of|of) (?:every )?(?:the )?{_ANY}\b"
    yield r"\bnone of (?!this\b|that\b|it\b|us\b|which\b|you\b|what\b)"
    yield (
        rf"\b(?:nearly|almost|about|roughly|just (?:over|under)|exactly|fully|around) "
        rf"(?:half|{_ANY}|an? (?:third|quarter))\b(?! {_IDIOMS})(?=[ \n](?:of\b|as\b|the\b|{units.generic}))"
    )
    yield rf"\b(?:{_SMALL}|{_TEENS}|{_TENS}) (?:hundred|thousand|million|billion)\b|\b(?:{_TENS})-(?:{_ONE_TO_NINE})\b"
    yield rf"\b(?:zero|ten|{_ONE_TO_NINE}) point (?:oh|zero|{_ONE_TO_NINE})(?: (?:oh|zero|{_ONE_TO_NINE}))*\b"
    yield r"\b(?:a dozen\b|(?:dozens|hundreds|thousands|millions) of\b)"
    yield rf"\b(?:{_ONE_TO_NINE}|ten|twenty|hundred|thousand)-?fold\b"
    yield r"\b(?:doubl|tripl|quadrupl|halv)(?:es|ed) (?:the|its|their|our)\b"
    yield rf"\b(?:twice|{_ANY} times|half) as (?:many|much|often|high|low|large|small|good|bad|likely|accurate)\b"


_NEAR = 100
_HARMLESS = re.compile(r" (?:per|at a time|each|a (?:time|row|line|file))\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]+")
_MAYBE = frozenset(
    word + ending
    for word in (
        f"{_SMALL}|{_TEENS}|{_TENS}|{_SCALES}|half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|"
        "halve|zero|none|no|nil|most|all|majority|bulk|rest|twice|single|over|under|only|just|exactly|kill|couple|pair|"
        "handful|double|triple|quadruple|more|less|fewer|better|nearly|almost|about|roughly|fully|around"
    ).split("|")
    for ending in ("", "s", "d", "ed")
)


def quantities(text: str, units: Units, strict: bool) -> Iterator[tuple[int, int]]:
    """Spans of words that say how many, in order; spans that overlap are one."""
    spans = {
        match.span()
        for low, high in _windows(text, _quantifying(text) if strict else units.mention.finditer(text))
        for pattern in _patterns(units, strict)
        for match in pattern.finditer(text, low, high)
        if not _HARMLESS.match(text, match.end())
    }
    last = -1
    for start, end in sorted(spans):
        if start >= last:
            yield start, end
            last = end


def _quantifying(text: str) -> Iterator[re.Match[str]]:
    """Words that may begin or end a quantity, Roman numerals among them; each word is judged once."""
    words = {word for word in set(_WORD.findall(text)) if _may_quantify(word)}
    if words:
        yield from re.finditer(rf"(?<![A-Za-z])(?:{'|'.join(sorted(words))})(?![A-Za-z])", text)


def _may_quantify(word: str) -> bool:
    lower = word.lower()
    return lower in _MAYBE or lower.endswith("fold") or (word.isupper() and not word.strip("IVXLCDM"))


def _windows(text: str, found: Iterable[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """The stretches of `text` around some matches, so that a long text without any costs little."""
    low = high = -1
    for match in found:
        if match.start() - _NEAR > high:
            if high >= 0:
                yield low, high
            low = max(0, match.start() - _NEAR)
        high = min(len(text), match.end() + _NEAR)
    if high >= 0:
        yield low, high
