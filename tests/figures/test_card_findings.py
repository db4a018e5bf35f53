"""What a scorecard's figure says follows from the card: its title, its marks, and what lies beyond its axis."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import card_evidence
import pytest
from card_evidence import EXAM, FAILED, PASSED, PROVISIONAL

from lens.exam import Exam
from lens.stats.scorecard import Marked
from measure.store import Store
from site_builder import figures
from site_builder.lookup import Lookup


def made(tmp_path: Path, marks: list[Marked], exam: Exam = EXAM) -> str:
    """The title of a figure of a card with these marks."""
    store = Store.open(tmp_path / "data")
    store.write([card_evidence.item(exam, marks)])
    return figures.render("dose-curve", Lookup(store), PASSED).title


def points(lookup: Lookup, id: str, width: str = "wide") -> dict[str, tuple[float, float]]:
    """Where each cited mark of the drawing stands, by field."""
    data = figures.find("dose-curve").spec(lookup, id, width)["data"]
    return {
        ref.partition("#")[2]: (x, y)
        for trace in data
        for ref, x, y in zip(trace.get("customdata", ()), trace["x"], trace["y"], strict=False)
    }


@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_each_share_stands_at_its_dose_and_each_decoy_a_little_beside_it(lookup: Lookup, width: str) -> None:
    found, fields = points(lookup, PASSED, width), lookup.fields(PASSED)
    assert found["false-positives"] == (0.0, 0.0)
    for dose in (0.02, 0.05, 0.1, 0.3):
        tag = f"{dose:g}".replace(".", "-")
        power: Any = fields[f"power.{tag}"]
        assert found[f"power.{tag}"] == (dose, 100 * power.value / power.of)
        x, y = found[f"decoys.{tag}"]
        assert dose < x < 1.25 * dose
        assert y == 100 * fields[f"decoys.{tag}"].value / 50  # type: ignore[union-attr,operator]


def test_intervals_have_the_bounds_of_the_fields(lookup: Lookup) -> None:
    data = figures.find("dose-curve").spec(lookup, PASSED, "wide")["data"]
    trace = next(one for one in data if any("power" in ref for ref in one.get("customdata", ())))
    bars = trace["error_y"]
    for at, ref in enumerate(trace["customdata"]):
        interval: Any = lookup.fields(PASSED)[ref.partition("#")[2]]
        assert trace["y"][at] + bars["array"][at] == pytest.approx(100 * interval.interval.high)
        assert trace["y"][at] - bars["arrayminus"][at] == pytest.approx(100 * interval.interval.low)


def test_every_interval_is_drawn_and_those_that_miss_are_in_colour(lookup: Lookup) -> None:
    data = figures.find("dose-curve").spec(lookup, PASSED, "wide")["data"]
    ladders = [trace for trace in data if trace.get("mode") == "lines" and None in trace["x"]]
    drawn = [sum(x is None for x in trace["x"]) + 1 for trace in ladders]
    held: Any = lookup.fields(PASSED)["coverage"]
    assert drawn == [held.value, held.of - held.value]
    assert ladders[1]["line"]["color"] != ladders[0]["line"]["color"]


def test_what_goes_on_beyond_the_axis_ends_in_an_arrowhead_and_is_told(lookup: Lookup) -> None:
    whole, cut = (figures.render("dose-curve", lookup, id) for id in (PASSED, PROVISIONAL))
    assert "arrowhead" not in whole.html
    assert "An arrowhead goes on beyond the axis." in cut.html
    ends = [y for trace in cut.spec["data"] if trace["mode"] == "markers" for y in trace["y"] if y > 8]
    assert [y for y in ends if y < 10] == [pytest.approx(9 - 0.02)]  # and no share is that small
    assert cut.spec["layout"]["yaxis3"]["range"][1] < 1


def test_without_intervals_there_is_no_second_panel(lookup: Lookup) -> None:
    assert "yaxis3" not in figures.render("dose-curve", lookup, FAILED).spec["layout"]
    assert "yaxis3" in figures.render("dose-curve", lookup, PASSED).spec["layout"]


def test_titles(lookup: Lookup, tmp_path: Path) -> None:
    assert figures.render("dose-curve", lookup, PASSED).title == "The smallest dose planted is found"
    blind = "No dose is found nine times in ten, and the largest is not told from none by size"
    assert figures.render("dose-curve", lookup, FAILED).title == blind
    assert made(tmp_path / "a", card_evidence.marks(found=0.07)) == "Found from the third of four doses on"
    loose = [mark._replace(flagged=True) for mark in card_evidence.marks()]
    says = "The smallest dose planted is found, but what is not planted is flagged too often"
    assert made(tmp_path / "b", loose) == says
    falls = [mark._replace(flagged=mark.flagged and mark.dose < 0.3) for mark in card_evidence.marks()]
    assert made(tmp_path / "f", falls) == "The largest dose is found less often than a smaller one"
    decoyed = [mark._replace(decoy=True) for mark in card_evidence.marks()]
    assert made(tmp_path / "c", decoyed) == "The smallest dose planted is found, but so is a decoy"
    missed = card_evidence.marks(held=2)
    assert made(tmp_path / "d", missed).endswith("but its intervals miss what was planted too often")
    wide = [mark._replace(high=9.0) if mark.high is not None else mark for mark in card_evidence.marks()]
    assert made(tmp_path / "e", wide).endswith("but its intervals are wider than they say")


def test_the_tables_rows_are_the_doses(lookup: Lookup) -> None:
    table = figures.find("dose-curve").spec(lookup, PASSED, "wide")["layout"]["meta"]["table"]
    assert [row[0][0][0] for row in table["rows"]] == ["none", "0.02", "0.05", "0.1", "0.3"]
    assert table["rows"][0][1][0][0] == "0 of 60"
    assert len({len(row) for row in table["rows"]} | {len(table["columns"])}) == 1


def test_an_exam_without_decoys_draws_none(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    bare = [mark._replace(decoy=None) for mark in card_evidence.marks()]
    store.write([card_evidence.item(replace(EXAM), bare)])
    lookup = Lookup(store)
    assert not [name for name in points(lookup, PASSED) if name.startswith("decoys")]
    assert "decoy" not in figures.find("dose-curve").spec(lookup, PASSED, "wide")["layout"]["meta"]["caption"]["text"]
