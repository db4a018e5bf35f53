"""Views: what they show is the store's, nothing is ranked that isn't told apart, and a case names every gap."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from built_site import KILL, tree
from click.testing import CliRunner
from msgspec.structs import replace

from lens.errors import UsageError
from lens.reading import Evidence, Input, Interval, Label, Measured, Quantity, Subject
from measure.cli import cli
from measure.store import Made, Store
from site_builder.build import build
from site_builder.context import Options
from site_builder.lookup import BadReference, Lookup
from site_builder.views.atlas import atlas
from site_builder.views.atlas_forms import FORMS
from site_builder.views.card import card
from site_builder.views.safety_case import case, read
from site_builder.views.scoreboard import scoreboard

MADE = Made("2026-11-30T12:00:00+00:00")


def shared(slug: str, k: int, interval: Interval | None, fingerprint: str = "") -> Evidence:
    field = Quantity(k, "mutants", "count", of=100, interval=interval)
    subject = Subject("graders", slug, slug.capitalize(), fingerprint or slug * 16)
    return Evidence("kill-matrix", 1, subject, Measured({"any.killed": field}, "any.killed", "made up"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three graders: two whose intervals meet, one apart from both."""
    found = Store.open(tmp_path / "data")
    items = [
        shared("aaaa", 50, Interval(0.4, 0.6, "wilson")),
        shared("bbbb", 55, Interval(0.45, 0.65, "wilson")),
        shared("cccc", 90, Interval(0.82, 0.95, "wilson")),
    ]
    found.write([(one, {}, MADE) for one in items])
    return found


def done(*words: str, code: int = 0) -> str:
    found = CliRunner().invoke(cli, list(words))
    assert found.exit_code == code, found.output
    return found.output


def test_a_scoreboard_orders_and_says_whom_it_does_not_tell_apart(store: Store) -> None:
    (row,) = scoreboard(Lookup(store), "graders")
    assert [(one.subject, one.alike) for one in row.entries] == [
        ("cccc", []),
        ("bbbb", ["Aaaa"]),
        ("aaaa", ["Bbbb"]),
    ]
    assert not row.apart
    assert row.one_trust
    assert (row.entries[0].trust, row.entries[0].why) == ("exploratory", "no scorecard for kill-matrix version 1")
    said = done("scoreboard", "graders", "--data", str(store.root))
    assert "50 of 100  Aaaa  exploratory  not told apart from Bbbb" in said


def test_values_without_an_interval_make_no_row(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    field = Quantity(0.5, "reward", "score")
    for slug in ("aaaa", "bbbb"):
        reading = Measured({"x": field}, "x", "made up")
        subject = Subject("models", slug, slug, slug * 16)
        store.write([(Evidence("native-parity", 1, subject, reading), {}, MADE)])
    assert scoreboard(Lookup(store), "models") == []


def test_a_card_is_every_record_of_one_subject(data: Path) -> None:
    lookup = Lookup(Store.open(data))
    found = card(lookup, "tidy-equal")
    assert {one.id for one in found.lines} == {
        id_ for id_ in lookup.store.ids() if id_.startswith("graders/tidy-equal/")
    }
    (kill,) = [one for one in found.lines if one.id == KILL]
    assert (kill.value, kill.state, kill.trust) == ("2 of 92", "measured", "exploratory")
    printed = json.loads(done("card", "graders/tidy-equal", "--json", "--data", str(data)))
    assert (printed["read"], printed["asked"]) == (found.read, found.asked)
    assert len(printed["lines"]) == len(found.lines)


def test_a_subject_nobody_measured_is_named_with_the_nearest(data: Path) -> None:
    with pytest.raises(UsageError, match="no evidence of a subject called 'tidy-equl'") as caught:
        card(Lookup(Store.open(data)), "tidy-equl")
    assert "tidy-equal" in caught.value.remedy


def test_the_atlas_holds_every_record_in_every_form(data: Path) -> None:
    lookup = Lookup(Store.open(data))
    places = atlas(lookup)
    wanted = {
        id_ for id_ in lookup.store.ids() if id_.split("/")[0] in ("graders", "models", "runs") and "~" not in id_
    }
    assert {one.id for place in places for one in place.lines.values()} == wanted
    assert len(json.loads(FORMS["json"](lookup, places))) == len(places)
    alone = FORMS["html"](lookup, places)
    assert "<script" not in alone
    assert "href=" not in alone
    assert all(place.name in alone for place in places if "_" not in place.name)
    assert FORMS["text"](lookup, places).count("\n") == len(places)
    assert FORMS["model-index"](lookup, places).startswith("model-index:")


SPEC = """title = "A case"
claim = "It is so."
[[part]]
says = "gold answers notice little"
holds = "{condition}"
"""


def held(store: Store, tmp_path: Path, condition: str) -> Any:
    path = tmp_path / "case.toml"
    path.write_text(SPEC.format(condition=condition))
    return case(Lookup(store), read(path))


def test_a_case_is_refused_and_each_gap_is_named(store: Store, tmp_path: Path) -> None:
    found = held(store, tmp_path, "graders/aaaa/kill-matrix#any.killed < 0.6")
    assert not found.holds
    assert [gap.partition(":")[0] for gap in found.parts[0].gaps] == ["not calibrated", "not registered"]
    assert held(store, tmp_path, "graders/aaaa/kill-matrix#any.killed > 0.6").parts[0].gaps == [
        "the condition does not hold"
    ]
    assert "no evidence has the id" in held(store, tmp_path, "graders/none/kill-matrix#any.killed > 0.6").gaps[0]
    assert "has no field" in held(store, tmp_path, "graders/aaaa/kill-matrix#any.kild > 0.6").gaps[0]


def test_a_case_holds_where_its_reading_is_calibrated_and_registered(store: Store, tmp_path: Path) -> None:
    fingerprint = "dd" * 32
    scorecard = Evidence(
        "scorecard", 1, Subject("project", "kill-matrix", "Kill matrix", "ee" * 32),
        Measured({"passed": Label("yes")}, "passed", "made up"), variant="planted", varied={"family": "planted"},
        parameters={"instrument": "kill-matrix", "version": 1, "subjects": "graders"},
    )  # fmt: skip
    freeze = Evidence(
        "freeze", 1, Subject("project", "study", "A study", "ff" * 32),
        Measured({"hypotheses": Quantity(1, "hypotheses", "size")}, "hypotheses", "made up"),
        inputs=(Input("subject", "dddd", fingerprint),),
    )  # fmt: skip
    store.write([(scorecard, {}, MADE), (freeze, {}, MADE)])
    digest = store.record("project/study/freeze").digest
    reading = shared("dddd", 20, Interval(0.13, 0.29, "wilson"), fingerprint)
    store.write([(replace(reading, inputs=(Input("study", "study", digest),)), {}, MADE)])
    found = held(store, tmp_path, "graders/dddd/kill-matrix#any.killed < 0.3")
    assert found.gaps == []
    assert found.holds
    assert done("safety-case", str(tmp_path / "case.toml"), "--data", str(store.root)).startswith("A case: holds\n")
    assert held(store, tmp_path, "graders/aaaa/kill-matrix#any.killed < 0.6").holds is False
    done("safety-case", str(tmp_path / "case.toml"), "--data", str(store.root), code=1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "rests on nothing"),
        ("[[part]]\nsays = 'a'\nholds = 'b'\n", "has no title"),
        ("title = 'a'\nclaim = 'b'\n[[part]]\nsays = 'c'\n", "part 1 lacks says or holds"),
        ("title = ", "case.toml"),
    ],
)
def test_a_spec_that_says_too_little_is_an_error(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "case.toml").write_text(text)
    with pytest.raises(UsageError, match=says):
        read(tmp_path / "case.toml")
    with pytest.raises(UsageError, match="no file"):
        read(tmp_path / "none.toml")


def test_a_condition_that_is_none_is_a_slip_in_the_spec(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadReference):
        held(store, tmp_path, "graders/aaaa/kill-matrix#any.killed")


def test_views_have_pages_of_their_own(place: Callable[..., Options]) -> None:
    here = place()
    cases = here.content / "safety-cases"
    cases.mkdir()
    (cases / "one.toml").write_text(SPEC.format(condition=f"{KILL}#gold.killed < 0.1"))
    build(here)
    page = tree(here.out / "safety-cases/one/index.html")
    assert page.css_first(".finding").text().startswith("Refused:")
    assert page.css_first(".big data").text() == "2 of 92"
    assert [gap.text().partition(":")[0] for gap in page.css(".gaps li")] == ["not calibrated", "not registered"]
    assert tree(here.out / "safety-cases/index.html").css_first("tbody td:last-child").text() == "refused"
    (atlas_row, *_) = tree(here.out / "atlas/index.html").css("tbody tr")
    assert atlas_row.css_first(".marks").attributes["aria-label"] == "measured"
    assert (
        "No instrument has read two graders here" in tree(here.out / "scoreboard/index.html").css_first("main").text()
    )
