"""What the store says to a stamp: the text that should stand there, or why there is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.errors import LensError, StoreError
from lens.reading import Quantity, Quote
from site_builder.lookup import BadReference, Cited, Lookup, citations

if TYPE_CHECKING:
    from site_builder.claims.document import Syntax
    from site_builder.claims.stamps import Stamp

_SEVERAL = re.compile(r"([^#|]+)#([^|]*,[^|]*)(?:\|(.*))?")
_LATEX = str.maketrans({char: f"\\{char}" for char in "%&_#$"})
NUMBER = re.compile(r"[-+−]?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[-+][0-9]+)?(?: ?%)?")


class Answer(NamedTuple):
    """`expected` is what must stand in the text, byte for byte; with an `error` there is nothing to stand.

    `cited` are the plain citations behind it, for freshness and pins.
    """

    expected: str
    error: LensError | None = None
    cited: tuple[Cited, ...] = ()
    machine: str = ""  # what `<data value>` must hold, for a stamp in HTML

    @property
    def unit(self) -> str:
        """The unit all citations share; empty where they share none."""
        units = {one.field.unit if isinstance(one.field, Quantity | Quote) else "" for one in self.cited}
        return units.pop() if len(units) == 1 else ""


def answer(stamp: Stamp, syntax: Syntax, lookup: Lookup) -> Answer:
    """Looks the stamp's reference up. A damaged store is no answer: StoreError passes through."""
    try:
        expected, cited = _expected(stamp, syntax, lookup)
    except StoreError:
        raise
    except LensError as error:
        return Answer("", error)
    return Answer(expected, None, tuple(citations(cited)), cited[0].value if stamp.form == "data" else "")


def _expected(stamp: Stamp, syntax: Syntax, lookup: Lookup) -> tuple[str, list[Cited]]:
    if stamp.form == "claim":
        return stamp.shown, [lookup.claim(stamp.ref).cited]
    if stamp.form == "said":
        lookup.said(stamp.ref)
        return stamp.shown, []
    if stamp.form == "declined":
        id_, _, name = stamp.ref.partition("#")
        lookup.field(id_, name)
        return stamp.shown, []
    if stamp.form == "ev" and "#" not in stamp.ref:
        lookup.record(stamp.ref)
        return stamp.shown, []
    if stamp.compares:
        spaced = re.sub(r"\s*([<>=!]=?)\s*", r" \1 ", stamp.ref)
        return stamp.shown, [lookup.claim(f"{stamp.shown}|{spaced}").cited]
    if stamp.form == "link" and (several := _SEVERAL.fullmatch(stamp.ref)):
        return _several(stamp.shown, several, lookup)
    cited = lookup.cite(stamp.ref)
    if stamp.form == "ev":
        return stamp.shown, [cited]
    if stamp.form == "data":
        return _escape(cited.text), [cited]
    return (cited.ascii.translate(_LATEX) if syntax == "latex" else cited.ascii), [cited]


def _several(shown: str, ref: re.Match[str], lookup: Lookup) -> tuple[str, list[Cited]]:
    """`[0 of 60](ev:id#killed,total)`: a numeral a field, in their order; the words between are the author's."""
    id_, names, fmt = ref.groups()
    fields = [name.strip() for name in names.split(",")]
    cited = [lookup.cite(f"{id_}#{name}|{fmt or _alone(lookup, id_, name)}") for name in fields]
    places = list(NUMBER.finditer(shown))
    if len(places) != len(cited):
        raise BadReference(
            f"the link holds {len(places)} numerals for {len(cited)} fields",
            remedy="one numeral a field, in their order",
        )
    text, at = "", 0
    for place, one in zip(places, cited, strict=True):
        text += shown[at : place.start()] + one.ascii
        at = place.end()
    return text + shown[at:], cited


def _alone(lookup: Lookup, id_: str, name: str) -> str:
    """A "k of n" among several fields prints its k."""
    field: Any = lookup.field(id_, name)
    return "k" if isinstance(field, Quantity) and field.of is not None else ""


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
