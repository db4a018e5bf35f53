"""`id#field|format` -> text with its evidence attached. Every number on a page comes through here.

    graders/x/kill-matrix#gold.killed|count      one field; without `#field` the reading's headline
    models/x/patching#components/3/effect|d2     a cell of a table: row 3, counted from 0 (`site_builder.cells`)
    = a#x / a#y | pct1                           derived: + - × ÷ (also * /), ( ), min max mean ratio negatives
    more than half|id#field > 0.5                words and the condition that backs them (`Lookup.claim`)
    id@scope   id#field@detail                   prose a record holds, digits and all (`Lookup.said`)

Derived references are read by `site_builder.derive`. In HTML a number stands in `data-ev`, prose in `data-said`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.reading import Columns, Declined, Field, Kind, Label, Measured, Quantity, Quote, Reported, fields_of
from site_builder.cells import cell, is_cell, parts
from site_builder.derive import BadReference, Expression, LookupFailure, number
from site_builder.number import NumberError, machine, render, typographic
from site_builder.prose import of_field, of_instrument, of_record, of_store

if TYPE_CHECKING:
    from measure.store import Record, Store


SUPERSEDED = "superseded/"  # before a content digest: what a build held that a later one holds no more
_ID = re.compile(r"[a-z]+/[\w.+-]+/[\w.-]+(~[\w.-]+)?")


class UnknownId(LookupFailure):
    """No record has this id."""


class UnknownField(LookupFailure):
    """The record has no such field."""


class DeclinedCited(LookupFailure):
    """The field was declined: there is no number to print."""


class ClaimFalse(LookupFailure):
    """The condition behind words does not hold."""


class Ref(NamedTuple):
    """A parsed plain reference; `field` is empty where the headline is meant."""

    id: str
    field: str
    fmt: str

    def __str__(self) -> str:
        return f"{self.id}{'#' if self.field else ''}{self.field}{'|' if self.fmt else ''}{self.fmt}"


@dataclass(frozen=True)
class Cited:
    """A looked-up number. `text` is typographic (U+2212), `ascii` is for data; neither is HTML-escaped.

    `ref` is canonical: the same number is always spelled the same way. A derived number has an id of "",
    the computed field, and its `parents`.
    """

    text: str
    ascii: str
    ref: str
    id: str
    field_name: str
    fmt: str
    record: Record
    field: Quantity | Label | Quote
    parents: tuple[Cited, ...] = ()

    @cached_property
    def value(self) -> str:
        """Machine form for `<data value>`."""
        return machine(self.field)

    @cached_property
    def stamp(self) -> str:
        """The number in HTML: its machine value, and the reference that the read-back looks up again."""
        return f'<data value="{escape(self.value)}" data-ev="{escape(self.ref)}">{escape(self.text)}</data>'

    @property
    def derived(self) -> bool:
        return bool(self.parents)


class Claim(NamedTuple):
    """Words and what backs them."""

    words: str
    ref: str
    condition: str
    cited: Cited


def parse(text: str) -> Ref:
    """`id#field|format` in its parts. Raises BadReference."""
    body, _, fmt = text.strip().partition("|")
    id_, hash_, field = body.strip().partition("#")
    if not _ID.fullmatch(id_) or (hash_ and not field):
        raise BadReference(
            f"{text.strip()!r} is not kind/subject/instrument#field|format", remedy="lens evidence ls prints every id"
        )
    return Ref(id_, field.strip(), fmt.strip())


class Lookup:
    """Looks numbers up in one store. Records are read once.

    `tables(id, name)` reads row-level data; a build passes a cached reader so that it loads no Parquet library itself.
    """

    def __init__(self, store: Store, tables: Callable[[str, str], Columns] | None = None) -> None:
        self.store = store
        self._tables = tables or (lambda id_, name: store.table(id_, name).to_pydict())
        self._records: dict[str, Record] = {}
        self._cited: dict[str, Cited] = {}
        self._said: dict[str, str] = {}
        self._read: dict[tuple[str, str], Columns] = {}

    def record(self, id_: str) -> Record:
        """The live record, or of `superseded/DIGEST/INSTRUMENT` the one it took the place of. Raises UnknownId naming
        the nearest ids."""
        if id_ not in self._records:
            if id_.startswith(SUPERSEDED):
                self._records[id_] = self.store.superseded(id_.split("/")[1])
                return self._records[id_]
            if not self.store.has(id_):
                near = self.store.nearest(id_)
                hint = f"did you mean {' or '.join(near)}?" if near else "lens evidence ls prints every id"
                raise UnknownId(f"no evidence has the id {id_!r}", remedy=hint)
            self._records[id_] = self.store.record(id_)
        return self._records[id_]

    def fields(self, id_: str) -> dict[str, Field]:
        return fields_of(self.record(id_).evidence.reading)

    def headline(self, id_: str) -> str:
        """The field meant when an id is cited alone."""
        reading = self.record(id_).evidence.reading
        return reading.headline if isinstance(reading, Measured | Reported) else next(iter(fields_of(reading)))

    def field(self, id_: str, name: str) -> Field:
        """One field, or one cell of a table, whatever it is. Raises UnknownField naming the nearest, UnknownCell."""
        if is_cell(name):
            table, row, column = parts(name)
            return cell(self.table(id_, table), row, column)
        fields = self.fields(id_)
        if name not in fields:
            import difflib

            near = difflib.get_close_matches(name, fields, n=3, cutoff=0.4) or list(fields)[:6]
            raise UnknownField(f"{id_} has no field {name!r}", remedy=f"did you mean {' or '.join(near)}?")
        return fields[name]

    def said(self, ref: str) -> str:
        """Prose a record or the registry holds, quoted whole; the names are in `site_builder.prose`."""
        if ref not in self._said:
            body, _, name = ref.strip().rpartition("@")
            id_, _, field = body.partition("#")
            if body.startswith("instrument:"):
                self._said[ref] = of_instrument(body.removeprefix("instrument:"), name)
            elif body.startswith(("subject:", "published:")):
                self._said[ref] = of_store(self, body, name)
            elif field:
                self._said[ref] = of_field(self.field(id_, field), name)
            else:
                self._said[ref] = self._trust(id_) if name == "trust" else of_record(self.record(id_), name)
        return self._said[ref]

    def _trust(self, id_: str) -> str:
        found = self.store.trust(id_)
        return f"{found.level}: {found.why}"

    def table(self, id_: str, name: str) -> Columns:
        """Row-level data beside a record, as plain columns. Raises UnknownField naming the tables there are."""
        tables = self.record(id_).evidence.tables
        if name not in tables:
            raise UnknownField(f"{id_} has no table {name!r}", remedy=f"tables: {', '.join(tables) or 'none'}")
        if (id_, name) not in self._read:
            self._read[id_, name] = self._tables(id_, name)
        return self._read[id_, name]

    def cite(self, ref: str) -> Cited:
        """The number `ref` names. Raises a LookupFailure or NumberError that says what to type instead."""
        if ref not in self._cited:
            self._cited[ref] = self._derive(ref) if ref.lstrip().startswith("=") else self._plain(ref)
        return self._cited[ref]

    def _plain(self, ref: str) -> Cited:
        parsed = parse(ref)
        record = self.record(parsed.id)
        name = parsed.field or self.headline(parsed.id)
        field = self.field(parsed.id, name)
        if isinstance(field, Declined):
            raise DeclinedCited(
                f"{parsed.id}#{name} was declined ({field.reason}): {field.detail}",
                remedy=f"say so with {{declined}}, or measure it: {field.remedy}",
            )
        plain = render(field, parsed.fmt, html=False)
        text = typographic(plain) if isinstance(field, Quantity) else plain
        return Cited(text, plain, str(Ref(parsed.id, name, parsed.fmt)), parsed.id, name, parsed.fmt, record, field)

    def _derive(self, ref: str) -> Cited:
        body, _, fmt = ref.strip()[1:].partition("|")
        fmt = fmt.strip()
        expression = Expression(body, self.cite)
        value = expression.value()
        parents = expression.parents
        if not parents:
            raise BadReference(f"{ref.strip()!r} cites nothing", remedy="= id#field / id#field | pct1")
        kind: Kind = "proportion" if fmt.startswith("pct") and not expression.of else expression.kind
        first = parents[0].field
        bare = kind in ("proportion", "ratio") or expression.of
        unit = first.unit if isinstance(first, Quantity | Quote) and not bare else ""
        field = Quantity(value, unit=unit, kind=kind, of=expression.of)
        plain = render(field, fmt, html=False)
        text = typographic(plain)
        canonical = f"= {expression.text}" + (f" | {fmt}" if fmt else "")
        return Cited(text, plain, canonical, "", "", fmt, parents[0].record, field, tuple(parents))

    def claim(self, text: str) -> Claim:
        """`words|left OP right`, checked. Raises ClaimFalse where the store doesn't back the words.

        A "k of n" is compared as its share when the other side is a fraction between 0 and 1, else as k.
        """
        words, bar, condition = text.partition("|")
        match = re.fullmatch(r"\s*(.+?)\s+(>=|<=|==|!=|>|<|=)\s+(.+?)\s*", condition)
        if not (bar and words.strip() and match):
            raise BadReference(f"{text!r} is not words|id#field > value", remedy="more than half|id#field > 0.5")
        left, sign, right = match.groups()
        cited = self.cite(left if "#" not in left or not _operators(left) else f"= {left}")
        if isinstance(cited.field, Label):
            holds = _COMPARE[sign](cited.field.value, right) if sign in ("=", "==", "!=") else False
        else:
            holds = self._compare(cited, sign, right)
        if not holds:
            raise ClaimFalse(f"{words.strip()!r}: {left} {sign} {right} does not hold, it is {cited.ascii}")
        return Claim(words.strip(), cited.ref, f"{left} {sign} {right}", cited)

    def _compare(self, cited: Cited, sign: str, right: str) -> bool:
        value = number(cited)
        try:
            bound = float(right.removesuffix("%"))
        except ValueError:
            return _COMPARE[sign](value, number(self.cite(right)))
        if right.endswith("%"):
            bound /= 100
        field = cited.field
        if isinstance(field, Quantity | Quote) and field.of and (0 < bound < 1 or right.endswith("%")):
            value /= field.of
        return _COMPARE[sign](value, bound)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}


def _operators(text: str) -> bool:
    return bool(re.search(r"\s[-+*/×÷−]\s|\(", text))


def citations(cited: Iterable[Cited]) -> list[Cited]:
    """Plain citations behind each, derived ones replaced by their parents, in order, each once."""
    plain: dict[str, Cited] = {}
    for one in cited:
        for leaf in one.parents or (one,):
            plain.setdefault(leaf.ref, leaf)
    return list(plain.values())


def behind(key: str) -> list[str]:
    """The ids of the records behind a quoted key: one, or every operand of a derived number."""
    return [word.partition("#")[0] for word in re.split(r"[\s(),]+", key) if "#" in word]


__all__ = [
    "BadReference",
    "Cited",
    "Claim",
    "ClaimFalse",
    "DeclinedCited",
    "Lookup",
    "LookupFailure",
    "NumberError",
    "Ref",
    "UnknownField",
    "UnknownId",
    "behind",
    "citations",
    "parse",
]
