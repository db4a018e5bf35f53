"""References: parsed, looked up, derived, compared; and every way they go wrong."""

from __future__ import annotations

import pytest

from site_builder.lookup import (
    BadReference,
    ClaimFalse,
    DeclinedCited,
    Lookup,
    NumberError,
    UnknownField,
    UnknownId,
    behind,
    citations,
)

KILL = "graders/toy/kill-matrix"


def test_plain(lookup: Lookup) -> None:
    cited = lookup.cite(f"{KILL}#gold.killed|count")
    assert (cited.text, cited.value, cited.ref) == ("5 of 374", "5", f"{KILL}#gold.killed|count")
    assert lookup.cite(f" {KILL}#gold.killed | count ").ref == cited.ref


def test_headline_is_meant_without_a_field(lookup: Lookup) -> None:
    assert lookup.cite(KILL).ref == f"{KILL}#gold.killed"


def test_reported_prints_as_its_source(lookup: Lookup) -> None:
    assert lookup.cite("graders/toy/reported~public-site#killed").text == "0 of 60"


@pytest.mark.parametrize(
    ("ref", "text"),
    [
        (f"= {KILL}#variants.killed / {KILL}#gold.killed | d0", "51"),
        (f"= ratio({KILL}#variants.killed, {KILL}#gold.killed)", "51"),
        (f"= {KILL}#variants.killed - {KILL}#gold.killed", "+250"),
        (f"= {KILL}#gold.killed + {KILL}#gold.killed × {KILL}#gold.killed", "30"),
        (f"= ( {KILL}#gold.killed + {KILL}#gold.killed ) ÷ {KILL}#gold.killed", "2"),
        (f"= mean({KILL}#gold.killed, {KILL}#variants.killed)", "130"),
        (f"= min({KILL}#gold.killed, {KILL}#variants.killed)", "5"),
        (f"= 1 - {KILL}#accuracy | pct1", "31.6 %"),
        (f"= {KILL}#gold.killed / {KILL}#variants.killed | pct1", "2.0 %"),
    ],
)
def test_derived(lookup: Lookup, ref: str, text: str) -> None:
    assert lookup.cite(ref).ascii == text


def test_derived_lists_its_parents(lookup: Lookup) -> None:
    cited = lookup.cite(f"= {KILL}#variants.killed / {KILL}#gold.killed | d0")
    assert [parent.field_name for parent in cited.parents] == ["variants.killed", "gold.killed"]
    assert [leaf.ref for leaf in citations([cited, lookup.cite(f"{KILL}#gold.killed")])] == [
        f"{KILL}#variants.killed",
        f"{KILL}#gold.killed",
    ]
    assert behind(cited.ref) == [KILL, KILL]
    assert behind(f"= ratio({KILL}#a, graders/b/c#d) | d1") == [KILL, "graders/b/c"]


@pytest.mark.parametrize(
    ("ref", "error", "hint"),
    [
        ("graders/toy/kil-matrix#gold.killed", UnknownId, "graders/toy/kill-matrix"),
        (f"{KILL}#gold.kiled", UnknownField, "gold.killed"),
        (f"{KILL}#gold.rate", DeclinedCited, "lens measure grader toy"),
        (f"{KILL}#gold.killed|pct2", NumberError, "half-width"),
        ("not an id", BadReference, "lens evidence ls"),
        (f"{KILL}#", BadReference, ""),
        (f"= {KILL}#gold.killed * 42", BadReference, "42"),
        ("= 1 + 1", BadReference, "cites nothing"),
        (f"= {KILL}#gold.killed / ( {KILL}#gold.killed - {KILL}#gold.killed )", BadReference, "zero"),
        (f"= {KILL}#gold.killed /", BadReference, ""),
        (f"= {KILL}#mode + {KILL}#gold.killed", BadReference, "words"),
        (f"= {KILL}#gold.killed + {KILL}#gold.rate", DeclinedCited, ""),
    ],
)
def test_refuses(lookup: Lookup, ref: str, error: type[Exception], hint: str) -> None:
    with pytest.raises(error) as caught:
        lookup.cite(ref)
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    "claim",
    [
        f"more than half|{KILL}#variants.killed > 0.5",
        f"hardly any|{KILL}#gold.killed < 2%",
        f"five|{KILL}#gold.killed = 5",
        f"fewer|{KILL}#gold.killed < {KILL}#variants.killed",
        f"it falls back|{KILL}#mode = falls back to equality",
        f"most|{KILL}#gold.killed / {KILL}#variants.killed < 0.1",
    ],
)
def test_claims_hold(lookup: Lookup, claim: str) -> None:
    assert lookup.claim(claim).words == claim.partition("|")[0]


def test_false_claims_are_refused(lookup: Lookup) -> None:
    with pytest.raises(ClaimFalse):
        lookup.claim(f"more than half|{KILL}#gold.killed > 0.5")
    with pytest.raises(ClaimFalse):
        lookup.claim(f"it raises|{KILL}#mode = raises")
    with pytest.raises(BadReference):
        lookup.claim(f"more than half|{KILL}#gold.killed")


def test_prose_is_looked_up_too(lookup: Lookup) -> None:
    assert lookup.said(f"{KILL}@scope") == "240 gold pairs"
    assert lookup.said(f"{KILL}#gold.rate@detail") == "raw equality gives the same verdicts"
    assert lookup.said(f"{KILL}#gold.killed@level") == "95\u202f%"
    assert lookup.said("graders/toy/reported~public-site@citation") == "public card"
    for ref in (f"{KILL}@value", f"{KILL}#gold.killed@value"):
        with pytest.raises(BadReference):
            lookup.said(ref)
