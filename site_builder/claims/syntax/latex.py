"""LaTeX as its reader sees it.

A macro whose arguments are not known to be settings shows them: `\\num{0.931}`, `\\textbf{0.931}` and
`\\newcommand{\\acc}{0.931}` all read 0.931. Nothing is skipped because it can't be parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from site_builder.claims.document import Document
from site_builder.claims.stamps import Broken, Stamp, broken, macro
from site_builder.claims.syntax import Reading
from site_builder.claims.visible import BACKED, OTHER, Kind, Visible

_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_OPTIONS = r"\[[^\[\]\n]*\]"
# How many brace groups of a macro hold settings, labels or file names; options in brackets go with them.
_ONE = (
    "documentclass usepackage RequirePackage label ref eqref pageref autoref cref Cref nameref vref cite citep citet "
    "citealp citeauthor citeyear parencite textcite autocite nocite bibliography bibliographystyle addbibresource "
    "input include includegraphics includeonly graphicspath vspace hspace pagestyle thispagestyle pagenumbering color "
    "href usetikzlibrary pgfplotsset tikzset hypersetup geometry sisetup lstset url path hypertarget linespread "
    "bibitem selectlanguage newcounter stepcounter refstepcounter theoremstyle newtheorem cline cmidrule "
    "ProvidesPackage enlargethispage textcolor colorbox scalebox raisebox parbox"
)
_TWO = "setlength addtolength multicolumn multirow fontsize rule resizebox"
_SETTINGS = {**dict.fromkeys(_ONE.split(), 1), **dict.fromkeys(_TWO.split(), 2), "definecolor": 3}
_SPELLED = {
    "textonehalf": "½",
    "textonequarter": "¼",
    "textthreequarters": "¾",
    "percent": "%",
    "textminus": "−",
    "times": "×",
    "cdot": "×",
}
_BREAKS = {"section", "subsection", "subsubsection", "chapter", "paragraph", "caption", "title", "item", "footnote"}
_CODED = r"\\(?:char|symbol|unichar|Uchar|mathchar|romannumeral|numexpr|pgfmathparse)(?![A-Za-z])|\^\^"
_TOKEN = re.compile(
    "|".join(
        (
            r"(?P<comment>(?<!\\)%[^\n]*(?:\n[ \t]*)?)",
            r"(?P<verbatim>\\begin\{(?P<listing>verbatim\*?|lstlisting|minted|Verbatim|alltt)\}"
            r"[\s\S]*?\\end\{(?P=listing)\})",
            r"(?P<stamp>\\ev[ \t]*\{(?P<ref>[^{}]*)\}[ \t]*\{(?P<shown>(?:[^{}]|\{[^{}]*\})*)\})",
            r"(?P<verb>\\(?:verb|lstinline)\*?(?P<bar>[^A-Za-z\s*{])(?P<inner>[^\n]*?)(?P=bar))",
            r"(?P<begin>\\begin\{(?:tabular[x*]?|tabulary|longtable|array|supertabular)\}"
            rf"(?:{_OPTIONS})?{_GROUP}(?:{_GROUP})?)",
            rf"(?P<limits>\\(?:begin|end)\{{[^{{}}]*\}}(?:\[[htbpH!]+\]|(?=\[[^\]=]*=){_OPTIONS})?)",
            r"(?P<counter>\\(?:set|addto)counter\{[A-Za-z]+\}\{-?\d\})",
            r"(?P<define>\\(?:re|provide)?newcommand\*?[ \t]*(?:\{\\[A-Za-z@]+\}|\\[A-Za-z@]+)(?:\[\d\])?"
            r"|\\[gex]?def\\[A-Za-z@]+(?:#\d)*)",
            rf"(?P<coded>{_CODED})",
            rf"(?P<macro>\\(?P<name>[A-Za-z@]+\*?)[ \t]*(?P<options>(?:{_OPTIONS})*))",
            r"(?P<break>\\\\(?:\[[^\]\n]*\])?)",
            r"(?P<thin>\\[-,!;:>/ ]|\{\}|~)",
            r"(?P<escape>\\[%$&#_{}])",
            r"(?P<next>\}[ \t]*\{)",
            r"(?P<brace>[{}])",
            r"(?P<maths>\$+|\\[\[\]()])",
            r"(?P<parameter>#\d)",
        )
    )
)
_MATHS = re.compile(r"\\(?:begin|end)\{(?:equation|align|gather|multline|eqnarray|displaymath|math)\*?\}")
_NAMED = re.compile(r"\\ev(?![A-Za-z@])(?!\s*\{[^{}]*\}\s*\{)")
_DEFINED = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\\ev\}?\s*\[2\]\s*\{\s*#2\s*\}"
    r"|\\(?:New|Renew|Provide|Declare)DocumentCommand\s*\{?\\ev\}?\s*\{\s*m\s*m\s*\}\s*\{\s*#2\s*\}"
    r"|\\def\s*\\ev\s*#1\s*#2\s*\{\s*#2\s*\}"
)
_BRACES = re.compile(rf"[ \t]*(?:{_OPTIONS}[ \t]*)?{_GROUP}")


def read(document: Document) -> Reading:
    text = document.text
    visible = Visible(text)
    stamps: list[Stamp] = []
    code: list[tuple[int, int]] = []
    for match, kind in _tokens(visible, text, 0, len(text), "prose"):
        if match["stamp"] is not None:
            stamps.append(macro(*match.span(), match["ref"], match.span("shown"), match["shown"]))
            visible.put(BACKED, *match.span(), "backed")
        elif match["verbatim"] is not None:
            code.append(match.span())
            visible.copy(*match.span(), "fence")
        elif match["comment"] is not None:
            code.append(match.span())
        else:
            _token(visible, match, kind)
    read_spans = [(one.start, one.end) for one in stamps] + code
    return Reading(visible.seal(), stamps, broken(text, read_spans) + _misdefined(text))


def _misdefined(text: str) -> list[Broken]:
    """Uses of `\\ev` that are neither a stamp nor the one definition that prints what the stamp holds."""
    hint = r"\newcommand{\ev}[2]{#2}"
    return [
        Broken(match.start(), match.end(), r"\ev must print its second argument and nothing else", hint)
        for match in _NAMED.finditer(text)
        if not _DEFINED.search(text, max(0, match.start() - 40), match.end() + 40)
    ]


def formula(visible: Visible, text: str, start: int, end: int) -> None:
    """A formula inside another syntax."""
    visible.put(" ", start, start, "math")
    for match, kind in _tokens(visible, text, start, end, "math"):
        if match["comment"] is not None or match["stamp"] is not None or match["verbatim"] is not None:
            visible.copy(*match.span(), kind)
        else:
            _token(visible, match, kind)
    visible.put(" ", end, end, "math")


def _tokens(visible: Visible, text: str, start: int, end: int, kind: Kind) -> Iterator[tuple[re.Match[str], Kind]]:
    """Every piece of markup, with the plain text between them shown; settings are stepped over."""
    at = start
    maths = False
    while (match := _TOKEN.search(text, at, end)) is not None:
        now: Kind = "math" if maths else kind
        visible.copy(at, match.start(), now)
        if match["maths"] is not None:
            maths = not maths
        elif match["limits"] is not None and _MATHS.match(match[0]):
            maths = match[0].startswith(r"\begin")
        yield match, now
        at = _past_settings(text, match)
    visible.copy(at, end, kind)


def _past_settings(text: str, match: re.Match[str]) -> int:
    at = match.end()
    for _ in range(_SETTINGS.get((match["name"] or "").rstrip("*"), 0)):
        group = _BRACES.match(text, at)
        if group is None:
            break
        at = group.end()
    return at


def _token(visible: Visible, match: re.Match[str], kind: Kind) -> None:
    start, end = match.span()
    if match["macro"] is not None:
        _macro(visible, match, kind)
    elif match["verb"] is not None:
        visible.put(" ", start, match.start("inner"), "code")
        visible.copy(*match.span("inner"), "code")
        visible.put(" ", match.end("inner"), end, "code")
    elif match["coded"] is not None:
        visible.put(OTHER, start, end, kind)
    elif match["escape"] is not None:
        visible.copy(start + 1, end, kind)
    elif match["next"] is not None or match["break"] is not None:
        visible.put(" ", start, end, kind)
    elif match["begin"] is not None or match["limits"] is not None:
        visible.put("\n", start, end, kind)
    elif match["thin"] is not None and match[0] == "~":
        visible.put(" ", start, end, kind)


def _macro(visible: Visible, match: re.Match[str], kind: Kind) -> None:
    """A macro's name shows nothing, except those that print a character; options show unless they are settings."""
    name = match["name"]
    if name in _SPELLED:
        visible.put(_SPELLED[name], *match.span("name"), kind)
    elif name.rstrip("*") in _BREAKS:
        visible.put("\n", *match.span("name"), kind)
    if match["options"] and name.rstrip("*") not in _SETTINGS and "=" not in match["options"]:
        start, end = match.span("options")
        visible.put(" ", start, start + 1, kind)
        visible.copy(start + 1, end - 1, kind)
        visible.put(" ", end - 1, end, kind)
