"""The one type everything passes: `Reading = Measured | Reported | Declined | Schematic`.

An instrument returns a Reading. The measuring command wraps it in an `Evidence` (who was measured,
with what, from which inputs) and the store writes that. Nothing here knows HTML or files.

    >>> killed = Quantity(5, unit="mutants", kind="count", of=374)
    >>> rate = Declined("corpus_inadequate", detail="raw equality gives the same verdicts", remedy="lens measure ...")
    >>> reading = Measured({"killed": killed, "rate": rate}, headline="killed", scope="240 gold pairs")
    >>> f"{rate:.1f}"
    Traceback (most recent call last):
    ...
    lens.errors.DeclinedValueError: a declined value can't be printed as a number: corpus_inadequate
      try: lens measure ...
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, NoReturn, get_args

import msgspec

from lens.errors import DeclinedValueError

Kind = Literal[
    "count",  # k, or k of n
    "proportion",  # 0..1, printed as a fraction or in percent
    "correlation",
    "score",  # a grader's or model's own units
    "difference",
    "ratio",
    "exponent",
    "duration",  # seconds
    "bytes",
    "step",
    "size",  # characters, rows, parameters: a whole number that is not "k of n"
]

Reason = Literal[
    "not_applicable",  # a program has no activations; never counted against a subject
    "access_insufficient",  # the subject would answer, but not at this access
    "record_incomplete",  # the field was never written down
    "not_run",  # needs a GPU, a download or time: the remedy is the exact command
    "assumption_violated",
    "corpus_inadequate",  # the rows can't tell the subject from something trivial
    "no_control",
    "below_detection",  # a bound is returned
    "budget_exceeded",
    "void",
]
REASONS: tuple[str, ...] = get_args(Reason)


class _Frozen(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Base of everything that reaches a digest: immutable, defaults left out, unknown keys refused."""


class Interval(_Frozen, frozen=True):
    """An interval with the method that made it ("wilson", "cluster-bootstrap", "exact", ...)."""

    low: float
    high: float
    method: str
    level: float = 0.95

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise ValueError(f"an interval needs finite ends in order, got [{self.low}, {self.high}]")


class Quantity(_Frozen, frozen=True, tag_field="is", tag="quantity"):
    """One measured number and what makes it readable.

    `of` turns a count into "value of of". `n` is the rows behind it and `n_eff` the unique content
    among them (cloned rows don't count twice). `control` names the field, here (`field`) or in
    another record (`id#field`), that the number must be read against.
    """

    value: int | float
    unit: str
    kind: Kind
    of: int | None = None
    interval: Interval | None = None
    n: int | None = None
    n_eff: int | None = None
    control: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not math.isfinite(self.value):
            raise ValueError(f"a quantity needs a finite number, got {self.value!r}; decline instead")
        if self.of is not None and not (self.kind == "count" and 0 <= self.value <= self.of):
            raise ValueError(f"'k of n' needs a count with 0 <= k <= n, got {self.value} of {self.of} ({self.kind})")


class Label(_Frozen, frozen=True, tag_field="is", tag="label"):
    """A measured answer in words: the contract's answer shape, the isolation in force."""

    value: str
    note: str = ""


class Quote(_Frozen, frozen=True, tag_field="is", tag="quote"):
    """One published figure, kept as its source printed it. `value` is set where the print is one number."""

    printed: str
    unit: str
    kind: Kind = "score"
    value: float | None = None
    of: int | None = None
    note: str = ""


class Declined(_Frozen, frozen=True, tag_field="is", tag="declined"):
    """An instrument, or one field of it, that could not answer. It can't be built without a remedy."""

    reason: Reason
    detail: str
    remedy: str
    needs: str = ""
    has: str = ""
    bound: Quantity | None = None

    def __post_init__(self) -> None:
        if self.reason not in REASONS:
            raise ValueError(f"unknown reason {self.reason!r}: one of {', '.join(REASONS)}")
        if not self.remedy.strip() or not self.detail.strip():
            raise ValueError("a decline needs a detail and a remedy that works today")

    def _no_number(self, *_: object) -> NoReturn:
        raise DeclinedValueError(f"a declined value can't be printed as a number: {self.reason}", remedy=self.remedy)

    __float__ = __int__ = __index__ = __bool__ = _no_number

    def __format__(self, spec: str) -> str:
        return repr(self) if not spec else self._no_number()

    def _declines(self, _other: object) -> Declined:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _declines


Field = Quantity | Label | Quote | Declined


class Measured(_Frozen, frozen=True, tag_field="is", tag="measured"):
    """An instrument ran here. `headline` is the field meant when a page cites the id alone;
    `scope` says in one sentence what the reading covers and what it can't carry."""

    fields: dict[str, Quantity | Label | Declined]
    headline: str
    scope: str

    def __post_init__(self) -> None:
        if self.headline not in self.fields:
            raise ValueError(f"headline {self.headline!r} is not a field: {', '.join(self.fields)}")


class Reported(_Frozen, frozen=True, tag_field="is", tag="reported"):
    """Somebody else's published figures, with where they stand and the digest of the quoted source."""

    fields: dict[str, Quote]
    headline: str
    citation: str
    locator: str
    source_digest: str
    scope: str = ""


class Schematic(_Frozen, frozen=True, tag_field="is", tag="schematic"):
    """A drawing with nothing measured behind it, and it says so."""

    figure: str
    statement: str


Reading = Measured | Reported | Declined | Schematic


class Input(_Frozen, frozen=True):
    """Something a reading was made from. `locator` says where to look for it again:
    `package:corpora/integer.jsonl`, `shared:graders/gsm8k_test.jsonl`, `pypi:verl==0.9.1`, `file:my.jsonl`."""

    role: str
    name: str
    digest: str
    locator: str = ""
    rows: int | None = None
    licence: str = ""


class Subject(_Frozen, frozen=True):
    """What was measured. `slug` is its place in ids and carries no version; `fingerprint` does."""

    kind: Literal["graders", "models", "runs", "project"]
    slug: str
    name: str
    fingerprint: str
    spec: str = ""  # what a person types to name it: `pypi:verl==0.9.1/verl.utils...:compute_score`
    licence: str = ""


class Evidence(_Frozen, frozen=True):
    """A reading and what it was read from: all that the content digest covers.

    `variant` is the short slug of what was varied and `varied` says it in full; two records of one
    instrument and subject that vary nothing named are in conflict unless one `supersedes` the other
    or `differs` says why both stand.
    """

    instrument: str
    version: int
    subject: Subject
    reading: Reading
    variant: str = ""
    varied: dict[str, str] = {}
    access: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    parameters: dict[str, Any] = {}
    seed: int | None = None
    parents: tuple[str, ...] = ()
    repeatable: bool = True
    supersedes: str = ""
    differs: str = ""
    tables: dict[str, str] = {}  # table name -> SHA-256 of its content; filled in by the store

    @property
    def id(self) -> str:
        tail = f"~{self.variant}" if self.variant else ""
        return f"{self.subject.kind}/{self.subject.slug}/{self.instrument}{tail}"


Columns = dict[str, list[Any]]


class Result(NamedTuple):
    """What an instrument returns when row-level data belongs beside the reading: equal-length columns a table."""

    reading: Reading
    tables: Mapping[str, Columns] = MappingProxyType({})


def fields_of(reading: Reading) -> dict[str, Field]:
    """The named fields of a reading; a reading that declined as a whole has the one field `declined`."""
    match reading:
        case Measured() | Reported():
            return dict(reading.fields)
        case Declined():
            return {"declined": reading}
        case Schematic():
            return {"schematic": Label(reading.statement)}
