"""The text of an annotation: plotly's pseudo-HTML and the citations of its numbers, as runs and as tspans.

A spec's text is what plotly would show: `<b>5</b> of 374`. Its citations stand in `layout.meta.cites` under the
annotation's name, in reading order: `[["5", "graders/x/kill-matrix#gold.killed|k"], ["374", "…|of"]]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from html import escape, unescape
from typing import NamedTuple

from site_builder.svg import metrics
from site_builder.svg.palette import LIGHT, Tone, tone

_TAG = re.compile(r"(</?[bi]>|<span style=\"[^\"]*\">|</span>)")
_DIGIT = re.compile("[0-9]")
MONO = "ui-monospace, monospace"
SERIF = "Charter, serif"


class Run(NamedTuple):
    """Text in one style; italics are a quotation's and set in serif.

    `ref` is what stands behind it: `id#field|fmt` for a number, `id@name` for words a record says.
    """

    text: str
    ref: str = ""
    bold: bool = False
    italic: bool = False
    mono: bool = False
    serif: bool = False
    tone: Tone | None = None

    @property
    def face(self) -> metrics.Face:
        return "mono" if self.mono else "italic" if self.italic or self.serif else "bold" if self.bold else "sans"


@dataclass(frozen=True)
class _Style:
    bold: bool = False
    italic: bool = False
    mono: bool = False
    serif: bool = False
    tone: Tone | None = None


_PLAIN = _Style()


class NakedNumeral(ValueError):
    """A drawing would print a digit with no evidence behind it."""


def source(runs: list[Run]) -> tuple[str, list[list[str]]]:
    """Runs as plotly's text and its list of citations."""
    text, cites = "", []
    for run in runs:
        piece = escape(run.text, quote=False)
        declared: tuple[str, ...] = (f"color:{LIGHT[run.tone]}",) if run.tone else ()
        declared += (f"font-family:{MONO}",) if run.mono else ()
        declared += (f"font-family:{SERIF}",) if run.serif else ()
        if declared:
            piece = f'<span style="{";".join(declared)}">{piece}</span>'
        piece = f"<i>{piece}</i>" if run.italic else piece
        text += f"<b>{piece}</b>" if run.bold else piece
        if run.ref:
            cites.append([run.text, run.ref])
    return text, cites


def parse(text: str, cites: list[list[str]]) -> list[Run]:
    """A spec's text as runs, each citation a run of its own.

    Raises ValueError where a citation's print does not stand in the text, NakedNumeral where a digit that is
    not part of a name has no citation.
    """
    waiting = list(cites)
    runs: list[Run] = []
    stack = [_PLAIN]
    for piece in _TAG.split(text) if "<" in text else (text,):
        if not piece:
            continue
        if piece.startswith("</"):
            stack.pop()
        elif _TAG.fullmatch(piece):
            stack.append(_styled(stack[-1], piece))
        else:
            runs += _cited(unescape(piece), stack[-1], waiting)
    if waiting:
        raise ValueError(f"{waiting[0][0]!r} is cited but does not stand in {text!r}")
    _no_bare_digits(runs)
    return runs


def _styled(style: _Style, tag: str) -> _Style:
    if tag == "<b>":
        return replace(style, bold=True)
    if tag == "<i>":
        return replace(style, italic=True)
    for declaration in tag.removeprefix('<span style="').removesuffix('">').split(";"):
        name, _, value = declaration.partition(":")
        if name == "color":
            style = replace(style, tone=tone(value))
        else:
            style = replace(style, mono=True) if value == MONO else replace(style, serif=True)
    return style


def _cited(text: str, style: _Style, waiting: list[list[str]]) -> list[Run]:
    runs: list[Run] = []
    while text:
        at = text.find(waiting[0][0]) if waiting else -1
        if at < 0:
            runs.append(_run(text, "", style))
            break
        printed, ref = waiting.pop(0)
        if at:
            runs.append(_run(text[:at], "", style))
        runs.append(_run(printed, ref, style))
        text = text[at + len(printed) :]
    return runs


def _run(text: str, ref: str, style: _Style) -> Run:
    return Run(text, ref, style.bold, style.italic, style.mono, style.serif, style.tone)


def naked(text: str) -> str:
    """The first word of `text` that is a number and not a name; empty where there is none.

    >>> naked("verl GSM8K and L31"), naked("of 374")
    ('', '374')
    """
    if text.isascii() and not _DIGIT.search(text):
        return ""
    words = re.findall(r"[^\s,;()→]+", text)
    return next((word for word in words if any(c.isdigit() for c in word) and not any(c.isalpha() for c in word)), "")


def _no_bare_digits(runs: list[Run]) -> None:
    for word in (naked(run.text) for run in runs if not run.ref):
        if word:
            line = "".join(run.text for run in runs)
            raise NakedNumeral(f"{word!r} in {line!r} has no evidence behind it")


def width(runs: list[Run], size: float) -> float:
    """An upper estimate of a line's advance in px."""
    return sum(metrics.width(run.text, size, run.face) for run in runs)


def kept_in(ref: str) -> str:
    """The attribute that carries a reference: words a record says are compared whole, numbers are formatted again."""
    return "data-ev" if ref.startswith("=") or "@" not in ref else "data-said"


def tspans(runs: list[Run]) -> str:
    """Runs as the inside of an SVG `<text>`."""
    return "".join(_tspan(run) for run in runs)


def _tspan(run: Run) -> str:
    classes = [name for name, on in (("b", run.bold), ("i", run.italic), ("m", run.mono), ("s", run.serif)) if on]
    if run.tone:
        classes.append(f"f-{run.tone}")
    attributes = f' class="{" ".join(classes)}"' if classes else ""
    if run.ref:
        attributes += f' {kept_in(run.ref)}="{escape(run.ref)}"'
    return (
        f"<tspan{attributes}>{escape(run.text, quote=False)}</tspan>" if attributes else escape(run.text, quote=False)
    )
