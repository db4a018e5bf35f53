"""Numbers in words: `twenty-one`, `a hundred`, `two thirds`, and phrases that quantify."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from site_builder.claims.units import Units

_ONES = "one two three four five six seven eight nine"
_SMALL = f"{_ONES} ten eleven twelve".replace(" ", "|")
_TEENS = "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES_ALT = _ONES.replace(" ", "|")
_SCALES = "hundred|thousand|million|billion|dozen|score"
_BIG = (
    rf"(?:(?:(?:{_SMALL}|{_TEENS}|{_TENS}(?:[ -](?:{_ONES_ALT}))?|an?|several|a few|many)[ -])?(?:{_SCALES})s?"
    rf"(?:,? (?:and )?(?:{_SMALL}|{_TEENS}|{_TENS})(?:[ -](?:{_ONES_ALT}|{_SCALES}))*)*(?: of)?"
    rf"|{_TEENS}|(?:{_TENS})(?:[ -](?:{_ONES_ALT}))?)"
)
_ANY = rf"(?:{_BIG}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zero)"
_PARTS = r"(?:half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?)"
_ROMAN = r"(?-i:(?=[IVXLCDM]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
_GAP = r"[ \n-](?:of (?:the |all |its |these |our )?)?(?:[a-z-]+[ \n]){0,2}?"
_IDIOMS = r"(?:time|way|work|day|world|night|year|week|same|effort)\b"


@lru_cache(maxsize=4)
def _patterns(units: Units, strict: bool) -> tuple[re.Pattern[str], ...]:
    plurals, generic, either = units.plurals, units.generic, units.either
    tail = rf"(?=[^.;\n]{{0,40}}\b(?:{plurals})\b)"
    everywhere = [
        rf"\b(?:{_ANY}|{_ROMAN}){_GAP}(?:{plurals})\b",
        rf"\b(?:only|just|exactly|killed|kills|a single|not a) (?:one )?(?:[a-z-]+ )?(?:{either})\b(?<!s)",
        rf"\b{_ANY}[ -](?:per ?cent\b|percentage points?\b)",
        rf"\b(?:one|two|three|four|five|six|seven|eight|nine|ten) (?:in|out of|of) (?:every )?(?:the )?{_ANY}\b",
        rf"\b(?:an?|one|two|three|four|five|six|seven|eight|nine)[ -]{_PARTS} of (?:the|all|its|these|our|every)\b",
        rf"\b(?:no|zero|nil) (?:[a-z-]+ )?(?:{plurals})\b",
        rf"\b(?:none|all|half|most|majority|two thirds|each and every one|the bulk|the rest) of (?:the|its|these|those|our|all) {tail}",
        rf"\b(?:more|less|fewer|better|over|under|well over|just over) (?:than )?(?:half|an? (?:third|quarter|tenth)|two[ -]thirds)\b{tail}",
        rf"\b(?:{plurals}) (?:was |were |is |are |numbered |totall?ed )?(?:in all |altogether )?(?:numbered|totall?ed|came to) {_ANY}\b",
    ]
    more = [
        rf"\b{_BIG} (?:[a-z-]+ )?(?:{generic})\b",
        rf"\b(?:most|the majority|the bulk) of (?:the|its|these|those|our|all) (?!{_IDIOMS})",
        r"\b(?:more|less|fewer|better) than (?:half|an? (?:third|quarter|tenth)|two[ -]thirds)\b|\b(?:well )?over half\b",
        r"\bnone of (?!this\b|that\b|it\b|us\b|which\b|you\b|what\b)",
        rf"\b(?:nearly|almost|about|roughly|just (?:over|under)|exactly|fully|around) (?:half|{_ANY}|an? (?:third|quarter))\b(?! {_IDIOMS})"
        rf"(?=[ \n](?:of\b|as\b|the\b|{generic}))",
        rf"\b(?:twice|{_ANY} times|half) as (?:many|much|often|high|low|large|small|good|bad|likely|accurate)\b",
    ]
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in (everywhere + more if strict else everywhere))


_HARMLESS = re.compile(r" (?:per|at a time|each|a (?:time|row|line|file))\b", re.IGNORECASE)
_MAYBE = re.compile(
    rf"\b(?:{_SMALL}|{_TEENS}|{_TENS}|{_SCALES}|{_PARTS}|zero|none|no|nil|most|all|half|majority|bulk|rest|twice|single|over|"
    rf"under|only|just|exactly|kill(?:s|ed)?|(?-i:[IVXLCDM]{{2,}}))s?\b",
    re.IGNORECASE,
)


def quantities(text: str, units: Units, strict: bool) -> Iterator[tuple[int, int]]:
    """Spans of words that say how many, in order; spans that overlap are one."""
    spans: list[tuple[int, int]] = []
    if not _MAYBE.search(text):
        return
    for pattern in _patterns(units, strict):
        for match in pattern.finditer(text):
            if not _HARMLESS.match(text, match.end()):
                spans.append((match.start(), match.end()))
    last = -1
    for start, end in sorted(spans):
        if start >= last:
            yield start, end
            last = end
