"""Numerals that are no measurement: one class of tokens a row, with the reason it may stand unbacked.

A class covers a numeral only when it covers all of it, and (where guarded) only when nothing that counts follows:
`Table 3` is a reference, `Table 3 %` and `Figure 374 mutants` are not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DAY = r"(?:[12]?\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:19[5-9]\d|20[0-3]\d)"
_CLOCK = r"(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
_ISO_TIME = r"(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?"
_REFERENCE = (
    r"(?:[Ss]ections?|[Ss]ec\.|§+|[Cc]hapters?|[Cc]h\.|[Aa]ppendix|[Aa]ppendices|[Ff]igures?|[Ff]igs?\.|[Tt]ables?|"
    r"[Tt]ab\.|[Ee]quations?|[Ee]qs?\.|[Ll]istings?|[Aa]lgorithms?|[Tt]heorems?|[Ll]emmas?|[Pp]ropositions?|"
    r"[Dd]efinitions?|[Ff]ootnotes?|[Ss]teps?|[Pp]arts?|[Pp]hases?|[Ss]tages?|[Ll]ines?|[Pp]ages?|pp?\.|"
    r"[Vv]ol(?:ume|\.)|[Nn]o\.|[Rr]ows?|[Cc]olumns?|[Ii]tems?|[Ee]xercises?|[Rr]efs?\.|[Rr]eferences?|[Pp]anels?|"
    r"[Rr]ules?|[Oo]ptions?|[Nn]otes?)"
)
_NUMBERED = r"[A-Z]?\.?\d{1,3}(?:\.\d{1,2}){0,3}[a-z]?"
_TRACKED = r"(?:[Ii]ssues?|PRs?|[Pp]ull requests?|[Bb]ugs?|[Tt]ickets?|[Dd]iscussions?|[Cc]ommits?)"
_PRODUCT = (
    r"(?:Python|CPython|PyPy|CUDA|cuDNN|ROCm|Node(?:\.js)?|Ubuntu|Debian|Fedora|macOS|Windows|Android|iOS|Linux|kernel|"
    r"PyTorch|TensorFlow|JAX|NumPy|SciPy|pandas|Java|Ruby|Rust|Go|Perl|PHP|GCC|Clang|LLVM|HTML|CSS|HTTP|TLS|SSL|USB|"
    r"Bluetooth|Unicode|Web|WCAG|SARIF|OpenAPI|Docker|Git|PostgreSQL|SQLite|Chrome|Chromium|Firefox|Safari|CommonMark|"
    r"Croissant)"
)
_MODEL = r"(?:Llama|Claude(?: [A-Z][a-z]+)?|Gemini|Gemma|Qwen|Mistral|GPT|Phi|DeepSeek)"
_STANDARD = (
    r"(?:ISO|IEC|IEEE|RFC|ANSI|NIST|ECMA|BCP|PEP|DIN|EN|FIPS|CWE|CVE|UTF|SHA|AES|CRC|MD|ITU|POSIX|NFPA|ASTM|OMB|GDPR)"
)
_LICENCE = r"(?:Apache|GPL|LGPL|AGPL|MPL|EUPL|CC[ -]BY(?:-[A-Z]{2})*|CC0|EPL|BSD)"
_RELEASED = r"(?:[Vv]ersions?|[Rr]eleases?|[Rr]evisions?|[Ee]dition)"
_PRE = r"(?:[-.+]?(?:a|b|rc|dev|post|alpha|beta)[-.]?\d*)?"
_EXIT = r"(?:[Ee]xit(?:s|ed)?(?: with)?(?: code| status)?|return code|status(?: code)?|HTTP(?: status| error)?)"
_BREAK = r"(?<![\d.,])"
_STOP = r"(?!\d|[.,]\d)"
# What a sentence says before a result, so that `[93]` after it is none of the references.
_RESULT = "".join(
    rf"(?<!\b{word} )" for word in ("reaches", "reached", "is", "was", "at", "hit", "about", "only", "equals")
)


# What after a token voids its class: anything counted, only units of the store, or nothing.
Guard = Literal["counts", "units", "nothing"]


@dataclass(frozen=True)
class TokenClass:
    """One class: its name, why it may stand, its patterns, and what after it voids it."""

    name: str
    reason: str
    patterns: tuple[str, ...]
    guard: Guard = "counts"
    math: bool = False  # only inside a formula

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when a numeral first comes as far as this class."""
        return re.compile("|".join(self.patterns))


def _class(name: str, reason: str, *patterns: str, guard: Guard = "counts", math: bool = False) -> TokenClass:
    return TokenClass(name, reason, patterns, guard, math)


@cache
def classes() -> tuple[TokenClass, ...]:
    """Every class."""
    return (
        _class(
            "address",
            "a web, mail or network address names a place",
            r"\b(?:https?|ftp)://[\w-]*[A-Za-z][\w.-]*[^\s<>\"'`]*",
            r"\bwww\.[A-Za-z][^\s<>\"']*",
            r"[\w.+-]+@[A-Za-z][\w-]*\.[\w.-]+",
            r"\b(?:doi:)?10\.\d{4,5}/\S+",
            r"\barXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?",
            r"(?<![\d.])(?!\d{1,3}(?:\.\d{3}){3})(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?![\d.])",
            r"\b(?:localhost|port):? ?\d{2,5}\b",
        ),
        _class(
            "date",
            "a calendar date or a time of day",
            rf"(?<![\d.,-]){_YEAR}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?{_ISO_TIME}(?!-?\d|[.,]\d)",
            rf"\b{_DAY}(?: ?[-–] ?{_DAY})? {_MONTH}(?:,? {_YEAR})?{_STOP}",
            rf"\b{_MONTH} {_DAY}(?:,? {_YEAR})?{_STOP}",
            rf"\b{_MONTH},? {_YEAR}{_STOP}",
            rf"(?<![\d.,/-]){_YEAR}/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?!/?\d|[.,]\d)",
            rf"(?<![\d.,/-])(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.{_YEAR}(?!\d|[.,]\d)",
            rf"{_CLOCK}(?= ?(?:[ap]\.?m\b|UTC|GMT|CET|Z\b|h\b|o'clock))",
            rf"\b(?:[Aa]t|[Ff]rom|[Uu]ntil|[Bb]y|[Bb]efore|[Aa]fter) {_CLOCK}(?!\d|[.,:]\d)",
            r"\b(?:1[0-2]|[1-9]) ?[ap]\.?m\b",
            r"\b24/7\b",
        ),
        _class(
            "year",
            "a year beside a word that dates something, or in a citation",
            r"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Ff]rom|[Bb]efore|[Dd]uring|[Ee]arly|[Ll]ate|mid|[Cc]opyright|"
            rf"[Ss]pring|[Ss]ummer|[Aa]utumn|[Ww]inter|Q[1-4])[ \n-]{_YEAR}"
            rf"(?: ?[-–/] ?{_YEAR}| (?:to|and) {_YEAR})?{_STOP}",
            rf"\((?:[^()\n\d]{{0,40}} )?[A-Z][^()\n\d]{{1,60}}[ ,]{_YEAR}[a-z]?"
            rf"(?:[;,] ?(?:[^()\n\d]{{0,60}} )?{_YEAR}[a-z]?)*\)",
            rf"\b(?:[A-Z][\w’'.-]*|al\.),? \({_YEAR}[a-z]?(?:, ?{_YEAR}[a-z]?)*\)",
            rf"(?:©|\([Cc]\)) ?{_YEAR}(?: ?[-–,] ?{_YEAR})*{_STOP}",
            r"\b(?:19|20)\d0s\b|(?<!\w)['’]\d0s\b|\b[A-Z]{2,}['’]\d\d\b",
            rf"\b(?:[A-Z][\w’'-]+(?: et al\.?)?,?|[A-Z]{{3,}}) {_YEAR}[a-z]?{_STOP}",
        ),
        _class(
            "version",
            "a release of something",
            rf"\bv\d+(?:\.\d+)*{_PRE}\b",
            r"\bC\+\+\d{2}\b|\bHTTP/\d(?:\.\d)?(?![.\d])",
            rf"{_BREAK}(?!\d{{1,3}}(?:\.\d{{3}})+(?!\d))\d{{1,4}}\.\d{{1,3}}\.\d{{1,6}}{_PRE}(?!\d|[.,]\d| ?%)",
            rf"\b{_PRODUCT}(?:™|®)?[ \n-](?:>=|≥|>|~=|==)? ?\d{{1,4}}(?:\.\d{{1,3}}){{0,2}}(?:\+|\.x)?"
            rf"(?:(?:, (?:and |or )?| and | or | to | ?[-–] ?)\d{{1,2}}(?:\.\d{{1,3}}){{1,2}})*{_STOP}",
            rf"\b{_MODEL}[ \n-][1-9](?:\.\d{{1,2}})?{_STOP}",
            rf"\b{_RELEASED} \d{{1,4}}(?:\.\d{{1,4}}){{0,3}}{_STOP}",
            guard="units",
        ),
        _class(
            "reference",
            "a place in this or another text",
            rf"(?<![\w-]){_REFERENCE}[ \n]?\(?{_NUMBERED}\)?"
            rf"(?:(?: ?[-–] ?|, ?| and | to | or |, and ){_NUMBERED})*{_STOP}",
            r"\b(?:[Tt]ype|[Ll]evel|[Tt]ier|[Gg]roup|[Cc]lass|[Pp]riority)[ -]\d(?!\d|[.,]\d| ?%)",
            rf"\b{_TRACKED} #?\d{{1,6}}(?:(?:, | and )#?\d{{1,6}})*{_STOP}",
        ),
        _class(
            "citation",
            "a numbered reference in square brackets",
            rf"(?<=[A-Za-z.,;)”\"] ){_RESULT}\[\d{{1,3}}(?:(?:, ?|; ?|[-–])\d{{1,3}})*\](?![(\[])",
            r"(?<![^\n])\[\d{1,3}\] ?(?=[A-Z])",
        ),
        _class(
            "standard",
            "the number of a standard, a licence or an algorithm",
            rf"\b{_STANDARD}(?:[/ -](?:IEC|IEEE|FIPS|SP|TR|TS|Std))*[ -]?\d[\d.:/-]*\b",
            rf"\b{_LICENCE}(?: License,?| Licence,?)?(?: [Vv]ersion)?[ -]v?\d(?:\.\d)?(?: International)?"
            r"(?:-[Cc]lause)?(?![\d.]*\d)",
            r"\bISBN(?:-1[03])?:? [\d-]{9,16}[\dX]\b|\bU\+[0-9A-F]{4,6}\b|\b[248]K\b|\b[2-6]G\b",
            r"\b(?:RTX|GTX|RX|Ryzen|Xeon|Core)[ -][A-Za-z]?\d{1,4}\b",
            guard="units",
        ),
        _class(
            "digest",
            "a digest, a commit or a colour names content",
            r"#(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{6}\b",
            r"\b(?=(?:[0-9]*[a-f]){2})(?=[0-9a-f]*[abcdf])(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b",
        ),
        _class(
            "status",
            "a code a program or protocol returns",
            rf"\b(?:{_EXIT}|error code|errno|signal) \d{{1,3}}\b(?!\.\d)",
        ),
        _class(
            "enumeration",
            "the number of an item in a sentence, or a key",
            r"(?:(?<=[:;,.] )|(?<=and )|(?<=or )|(?<![^\n]))\([1-9]\)(?= [A-Za-z])",
            r"\b(?:Ctrl|Alt|Cmd|Shift|Option)\+\d\b",
        ),
        _class(
            "ordinal",
            "a place in a list, up to the thirty-first",
            r"\b(?:[12]?\d|3[01])(?:st|nd|rd|th)\b(?! ?(?:percentile|quantile|decile|quartile|place|rank|best|worst|"
            r"highest|lowest|largest|smallest))",
        ),
        _class(
            "dimension",
            "the name of a kind of thing: 3D, 64-bit, 7B",
            r"\b[1-4]-?D\b",
            r"\b(?:4|8|16|32|64|128|256)-?bit\b",
            r"(?<![\d.,])\d{1,3}(?:\.\d)?[BM](?=[ -](?:model|param|base|instruct|checkpoint|policy|judge|version))",
            r"\b[01]-(?:based|indexed)\b",
            r"\b\d{1,2}-shot\b",
            r"\b[2-9]-way\b",
            r"\b\d{1,2}-fold cross\b",
            r"\b3-[Cc]lause\b",
            guard="nothing",
        ),
        _class(
            "interval level",
            "the conventional level of an interval",
            r"(?<![\d.])(?:90|95|99) ?% (?:Wilson |bootstrap |confidence |credible |Clopper[-–]Pearson )?"
            r"(?:CIs?|intervals?)\b",
            guard="nothing",
        ),
        _class(
            "index",
            "a subscript, a power or a unit coefficient of a formula",
            r"(?<=[A-Za-zα-ωΑ-Ω)\]}])[_^]\{?[-+−]?\d{1,2}\}?(?!\d|[.,]\d)",
            r"(?<=[_{])\{?[a-z] ?= ?[01](?!\d|[.,]\d)",
            r"(?<![\d.,])[12](?= ?[-+−/] ?\(?[A-Za-zα-ω(])",
            r"(?<=[A-Za-zα-ω)])(?: ?[-+−/] ?)[12](?!\d|[.,/]\d| ?%)",
            r"(?<![\d.,A-Za-z])[2-9](?=[A-Za-zα-ω(](?![A-Za-z]))",
            math=True,
        ),
    )
