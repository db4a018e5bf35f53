"""Digests hold under every rewriting of the file, and the fast canonical form is RFC 8785's."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import rfc8785
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lens.canonical import canonical, digest
from lens.reading import (
    Declined,
    Evidence,
    Input,
    Interval,
    Label,
    Measured,
    Quantity,
    Quote,
    Reported,
    Schematic,
    Subject,
)
from measure.store.record import Made, content_digest, decode, encode

SAFE = 2**53 - 1
MODEST = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
finite = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-1000, 1000).map(float),
    st.sampled_from([0.0, -0.0, 1e21, 1e-7, 1e16, 5.647e-06, 0.1 + 0.2]),
)
whole = st.integers(-SAFE, SAFE)
name = st.from_regex(r"\A[a-z]{1,6}(-[a-z0-9]{1,4})?(\.[a-z]{1,5})?\Z")
plain = st.recursive(
    st.one_of(st.none(), st.booleans(), whole, finite, text),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(text, inner, max_size=4)),
    max_leaves=12,
)
counts = st.tuples(st.integers(0, 500), st.integers(0, 500)).map(
    lambda pair: Quantity(min(pair), "mutants", "count", of=max(pair))
)
intervals = st.tuples(finite, finite).map(lambda ends: Interval(min(ends), max(ends), "wilson"))
quantities = st.one_of(
    counts,
    st.builds(
        Quantity,
        st.one_of(whole, finite),
        text,
        st.sampled_from(["score", "duration", "ratio"]),
        interval=st.one_of(st.none(), intervals),
        n=st.one_of(st.none(), st.integers(0, SAFE)),
        note=text,
    ),
)
some = st.text("abcdefgh \u00e9\U0001f600", min_size=1, max_size=8).filter(str.strip)
declines = st.builds(
    Declined, st.sampled_from(["not_run", "below_detection"]), some, some, bound=st.one_of(st.none(), quantities)
)
fields = st.dictionaries(name, st.one_of(quantities, st.builds(Label, text, text), declines), min_size=1, max_size=5)
quotes = st.dictionaries(name, st.builds(Quote, text, text, value=st.one_of(st.none(), finite)), min_size=1, max_size=4)
readings = st.one_of(
    fields.map(lambda given: Measured(given, next(iter(given)), "scope")),
    quotes.map(lambda given: Reported(given, next(iter(given)), "A paper", "table 2", "d" * 64)),
    declines,
    st.builds(Schematic, text, text),
)
evidences = st.builds(
    Evidence,
    name,
    st.integers(1, 99),
    st.builds(Subject, st.sampled_from(["graders", "models", "runs", "project"]), name, text, text),
    readings,
    variant=text,
    varied=st.dictionaries(text, text, max_size=3),
    access=st.lists(text, max_size=3).map(tuple),
    inputs=st.lists(st.builds(Input, text, text, text, rows=st.one_of(st.none(), whole)), max_size=3).map(tuple),
    parameters=st.dictionaries(text, plain, max_size=4),
    seed=st.one_of(st.none(), whole),
    tables=st.dictionaries(name, text, max_size=2),
)
MADE = Made("2025-06-01T12:00:00Z")


@settings(MODEST, max_examples=150)
@given(evidences)
def test_digest_of_what_is_read_back_is_the_digest_of_what_was_written(evidence: Evidence) -> None:
    written = content_digest(evidence)
    record = decode(encode(written, evidence, MADE), "x.json")
    assert content_digest(record.evidence) == record.digest == written


@settings(MODEST, max_examples=150)
@given(evidences)
def test_digest_is_rfc_8785_of_the_file(evidence: Evidence) -> None:
    file = msgspec.json.decode(encode("", evidence, MADE))
    assert canonical(evidence) == rfc8785.dumps(file["evidence"])


@settings(MODEST, max_examples=500)
@given(plain)
def test_canonical_is_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@settings(MODEST, max_examples=500)
@given(st.one_of(finite, whole), st.booleans())
def test_numbers_are_rfc_8785(value: float, listed: bool) -> None:
    document = [value, value] if listed else {"a": value}
    assert canonical(document) == rfc8785.dumps(document)


def test_published_vectors_of_rfc_8785() -> None:
    """Appendix B, and the sorting example of section 3.2.3."""
    numbers = {
        5e-324: b"5e-324",
        -5e-324: b"-5e-324",
        1.7976931348623157e308: b"1.7976931348623157e+308",
        9007199254740991: b"9007199254740991",
        295147905179352830000.0: b"295147905179352830000",
        9.999999999999997e22: b"9.999999999999997e+22",
        1e23: b"1e+23",
        999999999999999700000.0: b"999999999999999700000",
        1e21: b"1e+21",
        9.999999999999997e-7: b"9.999999999999997e-7",
        0.000001: b"0.000001",
        333333333.3333332: b"333333333.3333332",
        -0.0: b"0",
        4.50: b"4.5",
        2e-3: b"0.002",
    }
    for value, written in numbers.items():
        assert canonical([value]) == b"[" + written + b"]"
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    ordered = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(msgspec.json.decode(canonical(dict.fromkeys(keys, 1)))) == ordered


def test_what_has_no_canonical_form_raises() -> None:
    for value in (math.nan, math.inf, -math.inf, 2**53, "\ud800"):
        for document in (value, [value], {"a": value}):
            try:
                digest(document)
            except ValueError:
                continue
            raise AssertionError(document)


def test_whole_floats_and_integers_are_one_number() -> None:
    assert digest({"a": 60}) == digest({"a": 60.0})
