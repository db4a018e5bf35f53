"""Every figure of a store that others published, once a subject: who prints it, how it stands here, who disagrees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from lens.reading import Quote
from site_builder import beside

if TYPE_CHECKING:
    from site_builder.lookup import Lookup

STATES: dict[beside.State, str] = {
    "measured": "measured here",
    "recomputed": "recomputed here",
    "declined": "declined here",
    "reported": "reported only",
}


@dataclass(frozen=True)
class Figure:
    """One published figure of one subject: where each source prints it, and what stands here beside it."""

    subject: str  # kind/slug
    name: str
    refs: tuple[str, ...]  # id#field of every source that prints it
    pieces: tuple[beside.Piece, ...]
    state: beside.State
    odd: tuple[str, ...]  # the prints that most of the others can't be roundings of, or they of them

    @property
    def kind(self) -> str:
        return self.subject.partition("/")[0]

    @property
    def disagree(self) -> bool:
        return bool(self.odd)


def figures(lookup: Lookup, kind: str = "") -> list[Figure]:
    """Published figures, by subject; of one kind of subject where one is named."""
    printed: dict[tuple[str, str], list[str]] = {}
    for id_ in lookup.store.ids():
        of = lookup.record(id_).evidence.subject
        if kind in ("", of.kind):
            for name, field in lookup.fields(id_).items():
                if isinstance(field, Quote):
                    printed.setdefault((f"{of.kind}/{of.slug}", name), []).append(f"{id_}#{name}")
    return [_figure(lookup, *key, tuple(refs)) for key, refs in sorted(printed.items(), key=_place)]


def _place(item: tuple[tuple[str, str], list[str]]) -> tuple[str, int, str]:
    (subject, name), _ = item
    return subject, beside.order(subject.partition("/")[0], name), name


def _figure(lookup: Lookup, subject: str, name: str, refs: tuple[str, ...]) -> Figure:
    pieces = beside.find(lookup, subject, name)
    quotes = {ref: quote for ref in refs if isinstance(quote := lookup.field(*ref.split("#", 1)), Quote)}
    against = {ref: sum(not meet(one, other) for other in quotes.values()) for ref, one in quotes.items()}
    most = max(against.values())
    odd = tuple(ref for ref, others in against.items() if most and others == most)
    return Figure(subject, name, refs, pieces, beside.state(lookup, pieces), odd)


def meet(one: Quote, other: Quote) -> bool:
    """Whether two prints can be of one number: a printed decimal stands for half a unit of its last digit on either
    side, a whole number for itself.

    >>> meet(Quote("-0.171", "rho", value=-0.171), Quote("-0.170885", "rho", value=-0.170885))
    True
    >>> meet(Quote("-0.256", "rho", value=-0.256), Quote("-0.170885", "rho", value=-0.170885))
    False
    """
    if one.value is None or other.value is None or one.unit != other.unit:
        return True
    return abs(one.value - other.value) <= _half(one) + _half(other)


def _half(quote: Quote) -> float:
    """Half a unit of the last digit printed; 0 of a whole number, and of words."""
    bare = quote.printed.replace(",", "").strip("~+ ")
    try:
        exponent = Decimal(bare.rstrip("% ")).as_tuple().exponent
    except InvalidOperation:
        return 0.0
    if not isinstance(exponent, int) or exponent >= 0:
        return 0.0
    return 0.5 * 10.0**exponent * (0.01 if bare.endswith("%") else 1)


def counts(lookup: Lookup, kind: str) -> str:
    """How many figures there are and how they stand, in a sentence; of all kinds where `kind` is "all"."""
    found = figures(lookup, "" if kind == "all" else kind)
    states = Counter(one.state for one in found)
    sources = {ref.partition("~")[2].partition("#")[0] or ref.partition("#")[0] for one in found for ref in one.refs}
    subjects = len({one.subject for one in found})
    split = sum(one.disagree for one in found)
    told = ", ".join(f"{states[state]} {words}" for state, words in STATES.items() if states[state])
    head = ", from ".join(
        [f"{_many(len(found), 'figure')} of {_many(subjects, 'subject')}", _many(len(sources), "source")]
    )
    return f"{head}: {told}{f'; of {split} the sources disagree' if split else ''}."


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
