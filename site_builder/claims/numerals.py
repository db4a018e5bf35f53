"""Finds the numerals of a visible text and tells names (`GSM8K`, `llama-3.1-8b`) from numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from site_builder.claims.allowed import Guard, classes
from site_builder.claims.units import SIZED, Units
from site_builder.claims.visible import OTHER, Visible

_DIGIT = rf"[0-9{OTHER}]"
_RUN = re.compile(
    rf"(?=[-+−±.0-9{OTHER}])(?:(?<![\w)])[-+−±])?(?:(?<![\w.])[.])?{_DIGIT}"
    rf"(?:{_DIGIT}|[.,:/'’×*–-](?={_DIGIT}|\.[0-9])| (?=[0-9]{{3}}(?![0-9])))*"
    rf"(?:[eE][-+−]?[0-9]+)?(?: ?[%‰])?"
)
_WORD_CHARS = r"[\w.\-+@#/~:'&=]"
_LEFT = re.compile(rf"{_WORD_CHARS}*\Z")
_RIGHT = re.compile(rf"{_WORD_CHARS}*")
_LATIN = "A-Za-zÀ-ÖØ-öø-ÿ"
_GREEK = "α-ωΑ-Ω"
_JOINING = (
    "a an and are at about above almost around be below but by does for from gain gained got had has have hit is it "
    "just killed kill least loss lost minus more most nearly of only or over plus reached rose than the to under up "
    "was were with within approx circa ca yes no exactly percent"
)
_FUNCTION = frozenset(_JOINING.split()) | frozenset(SIZED)
_NAME_PART = re.compile(
    rf"(?P<head>[{_LATIN}_][{_LATIN}_]*|[{_GREEK}])(?:(?:\d{{1,5}}(?:\.\d{{1,2}})?)(?:[{_LATIN}_]+\d{{0,3}})*)?"
)
_TAIL_PART = re.compile(
    rf"\d{{1,5}}(?:\.\d{{1,2}})?[{_LATIN}]{{0,6}}|v\d+(?:\.\d+)*|[{_LATIN}_]+\d{{0,4}}(?:\.\d{{1,2}})?[{_LATIN}]*"
)
_LOOKALIKE = "OolI|Ззб"
_FAKE = re.compile(
    rf"(?=[{_LOOKALIKE}0-9])(?<![\w./-])(?:(?=[0-9.,]*[{_LOOKALIKE}])[{_LOOKALIKE}0-9]+[.,](?=[{_LOOKALIKE}]*\d)[{_LOOKALIKE}0-9]+"
    rf"|(?=[0-9]*[{_LOOKALIKE}])(?=[{_LOOKALIKE}]*\d)[{_LOOKALIKE}0-9]{{2,}}|[{_LOOKALIKE}]{{2,}}(?= ?%))(?!\w)"
)
_IDEOGRAPHS = "〇零一二三四五六七八九十百千万億亿兆壹贰貳叁參肆伍陆陸柒捌玖拾佰仟"
_ANY = re.compile(rf"[0-9{OTHER}%{_IDEOGRAPHS}]")  # a text without one of these holds no numeral, fake or not
_WINDOW = 120


class Numeral(NamedTuple):
    """One numeral of the visible text, `allowed` naming the class that lets it stand (empty: none does)."""

    start: int
    end: int
    text: str
    allowed: str
    fake: bool = False


def numerals(visible: Visible, units: Units) -> list[Numeral]:
    """Every numeral of a source, in order, each judged."""
    return judged(visible.text, units, exotic=visible.exotic, maths=lambda at: visible.kind(at) == "math")


def judged(text: str, units: Units, *, exotic: bool, maths: Callable[[int], bool] = lambda _: False) -> list[Numeral]:
    """Every numeral of a text whose digits are ASCII; `exotic` says that it holds more than ASCII otherwise."""
    if not _ANY.search(text):
        return []
    found = []
    patterns = (_FAKE, _ideographs()) if exotic else (_FAKE,)
    fakes = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    for match in _RUN.finditer(text):
        start, end = match.span()
        if any(start < fake_end and fake_start < end for fake_start, fake_end in fakes):
            continue
        found.append(Numeral(start, end, match[0], _judge(text, start, end, units, math=maths(start))))
    found += [Numeral(start, end, text[start:end], "", True) for start, end in fakes]
    return sorted(found, key=lambda numeral: numeral.start)


@cache
def _ideographs() -> re.Pattern[str]:
    """Ideographs that count, where no other ideograph makes a word of them."""
    run = rf"[{_IDEOGRAPHS}]+(?:[点點][{_IDEOGRAPHS}]+)?"
    return re.compile(rf"(?<![\u3400-\u9fff]){run}(?![\u3400-\u9fff])|[{_IDEOGRAPHS}]+(?= ?%)")


def _judge(text: str, start: int, end: int, units: Units, *, math: bool) -> str:
    digits_start = start + next(i for i, char in enumerate(text[start:end]) if char.isdigit() or char == OTHER)
    digits_end = end - next(i for i, char in enumerate(reversed(text[start:end])) if char.isdigit() or char == OTHER)
    if _is_name(text, digits_start, digits_end, units):
        return "name"
    low, high = max(0, start - _WINDOW), min(len(text), end + _WINDOW)
    for token in classes():
        if token.math and not math:
            continue
        for match in token.pattern.finditer(text, low, high):
            if match.start() > digits_start:
                break
            if digits_end <= match.end() and not _voided(token.guard, text, match.end(), units):
                return token.name
    return ""


_SOME_OF = re.compile(r"[ \n](?:out )?of (?:\d|(?:the|all|our|its|them|these|those)\b)", re.IGNORECASE)


def measured(text: str, at: int, units: Units) -> bool:
    """Whether a percent sign, a scale word, "of the ..." or something counted follows `at`."""
    return bool(_SCALE.match(text, at) or _SOME_OF.match(text, at) or units.counts.match(text, at))


def _voided(guard: Guard, text: str, at: int, units: Units) -> bool:
    """Whether what follows a token of a class shows that it counts something after all."""
    if guard == "counts":
        return measured(text, at, units)
    return guard == "units" and bool(_SCALE.match(text, at) or units.after.match(text, at))


_SCALE = re.compile(
    r"[ \n-]?(?:%|‰|percent\b|per cent\b|pp\b|percentage points?\b|points?\b|thousand\b|million\b|billion\b|"
    r"hundred\b|dozen\b|times\b|fold\b)",
    re.IGNORECASE,
)


def _is_name(text: str, start: int, end: int, units: Units) -> bool:
    """Whether the word around the digits is a name: it begins with a letter and its digits are few."""
    left = _LEFT.search(text, max(0, start - 80), start)
    right = _RIGHT.match(text, end)
    begin = left.start() if left else start
    finish = right.end() if right else end
    word = text[begin:finish].strip(".:'-=&")
    if not word or not re.match(rf"[{_LATIN}{_GREEK}_~#-]", word) or _PERCENT.match(text, finish):
        return False
    return all(_name_segment(segment, units) for segment in re.split(r"[/~#:=&+']|\.(?=[A-Za-z_])", word) if segment)


_PERCENT = re.compile(r" ?[%‰]")


def _name_segment(segment: str, units: Units) -> bool:
    if not re.search(rf"[0-9{OTHER}]", segment):
        return True
    if "@" in segment:
        return re.fullmatch(rf"[{_LATIN}_.-]+@\d{{1,4}}", segment) is not None
    head, *tail = segment.strip("-").split("-")
    if OTHER in segment:
        return _is_marked(segment, units)
    first = _NAME_PART.fullmatch(head)
    if first is None:
        return False
    word = first["head"] if len(first["head"]) == 1 else first["head"].lower()
    if word in _FUNCTION or word in units.counted:
        return False
    dotted = re.search(r"(\d+)\.\d", head)
    if re.fullmatch(r"0?[bx]\d{3,}", head.lower()):
        return False
    if dotted and (len(word) < 2 or dotted[1] == "0") and word != "v":
        return False
    return all(_TAIL_PART.fullmatch(part) for part in tail if part)


def _is_marked(segment: str, units: Units) -> bool:
    """A word with one raised or lowered digit: H₂O, R², a footnote's mark."""
    if re.fullmatch(rf"(?:[A-Z][a-z]?{OTHER}?)+", segment):
        return True
    match = re.fullmatch(rf"([{_LATIN}{_GREEK}]{{1,20}}){OTHER}", segment)
    return match is not None and (len(match[1]) == 1 or match[1].lower() not in _FUNCTION | units.counted)
