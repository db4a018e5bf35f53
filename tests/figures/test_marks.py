"""What marks draw, in px worked out by hand, and what they refuse."""

from __future__ import annotations

import doctest
import importlib
import re
from itertools import pairwise

import pytest

from lens.errors import UsageError
from site_builder import figures
from site_builder.figures._labels import spread
from site_builder.figures._lines import columns, pieces
from site_builder.figures._mutants import Block, blocks, killed, lattice
from site_builder.figures._sheet import Sheet, axis, hidden
from site_builder.lookup import Lookup
from site_builder.svg import NakedNumeral, Run, drawing
from site_builder.svg.boxes import Box, problems
from site_builder.svg.markup import parse, source
from site_builder.svg.scales import Scale, decades, nice, restore
from site_builder.svg.ticks import wrong

META = {"title": "a title", "desc": "a desc", "table": {}, "caption": {}, "source": {}, "units": {}}


def svg_of(sheet: Sheet, height: float = 100) -> str:
    return drawing(sheet.spec(height, META), prefix="p").svg


def test_a_dot_and_its_interval_stand_where_the_scale_says() -> None:
    sheet = Sheet(300)
    panel = sheet.panel(50, 10, 200, 40, hidden(0, 100), hidden(0, 2))
    panel.dots([25], [1], low=[20], high=[40], size=8)
    svg = svg_of(sheet)
    assert '<path class="l-ink" stroke-width="2" d="M90 30H130"/>' in svg
    assert '<path class="l-ink round" stroke-width="8" d="M100 30h0"/>' in svg


def test_a_measured_zero_is_a_tick_through_the_axis_with_a_dot_and_its_interval() -> None:
    sheet = Sheet(300)
    panel = sheet.panel(50, 10, 200, 40, hidden(0, 100), hidden(0, 2))
    panel.dots([0], [1], low=[0], high=[3])
    panel.zero(0, 1)
    svg = svg_of(sheet)
    assert "M50 23v14" in svg
    assert "M50 30h0" in svg
    assert "M50 30H56" in svg


def test_what_lies_beyond_an_axis_ends_in_an_arrow() -> None:
    sheet = Sheet(300)
    panel = sheet.panel(50, 10, 200, 40, hidden(0, 100), hidden(0, 2))
    panel.dots([150], [1])
    panel.dots([90], [1.5], low=[80], high=[120])
    svg = svg_of(sheet)
    assert svg.count('class="f-ink" d="M250 ') == 2
    assert "M250 30l-5 -4v8z" in svg
    assert "h0" in svg
    assert "M150 30h0" not in svg


def test_an_interval_that_starts_below_a_log_axis_ends_in_an_arrow_too() -> None:
    sheet = Sheet(300)
    panel = sheet.panel(50, 10, 200, 40, axis(1, 100, log=True), hidden(0, 2))
    panel.dots([10], [1], low=[0], high=[20])
    assert "M50 30l5 -4v8z" in svg_of(sheet)


def test_filled_squares_are_dashes_of_one_path_and_absent_ones_are_nothing() -> None:
    sheet = Sheet(300)
    panel = sheet.panel(30, 20, 24, 12, hidden(-0.5, 3.5), hidden(1.5, -0.5))
    panel.lattice([[1, 1, 0, 1], [0, None, None, None]])
    svg = svg_of(sheet)
    assert '<g transform="translate(30 20)">' in svg
    assert 'stroke-dasharray="5 1" d="M0.5 3h11M18.5 3h5"' in svg
    assert "M0 0h24v6h-24zM0 6h6v6h-6z" in svg


def test_text_keeps_its_citations_through_plotlys_markup() -> None:
    runs = [
        Run("5", "a/b/c#x|k", bold=True),
        Run(" of ", tone="ink3"),
        Run("374 < ", italic=True),
        Run("f_1", mono=True),
    ]
    text, cites = source(runs)
    assert cites == [["5", "a/b/c#x|k"]]
    assert text.startswith("<b>5</b><span ")
    with pytest.raises(NakedNumeral, match="'374'"):
        parse(text, cites)
    runs[2] = Run("374 < ", "a/b/c#x|of", italic=True)
    assert parse(*source(runs)) == runs


def test_a_citation_that_is_not_in_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match="'6' is cited but does not stand in"):
        parse("5 of 7", [["5", "a/b/c#x|k"], ["6", "a/b/c#x|of"]])


def test_digits_without_evidence_are_refused_wherever_they_stand() -> None:
    for draw in (
        lambda sheet: sheet.text(0, 10, "noticed 5"),
        lambda sheet: sheet.panel(40, 10, 100, 40, hidden(0, 1), axis(0, 2, ticks=[0, 1], words=["a", "1.5"])),
    ):
        sheet = Sheet(300)
        draw(sheet)
        with pytest.raises(NakedNumeral):
            svg_of(sheet)
    sheet = Sheet(300)
    with pytest.raises(NakedNumeral, match="title"):
        drawing(sheet.spec(50, META | {"title": "5 of 7"}), prefix="p")


def test_colours_outside_the_palette_are_refused() -> None:
    sheet = Sheet(300)
    sheet.panel(0, 0, 100, 100, hidden(0, 1), hidden(0, 1)).add(
        mode="markers", x=[0.5], y=[0.5], marker={"color": "#ff0000", "size": 4}
    )
    with pytest.raises(ValueError, match="palette"):
        svg_of(sheet)


def test_overlaps_are_found() -> None:
    text = Box(0, 0, 50, 12, "text", "left")
    assert problems([text, Box(48, 0, 90, 12, "text", "right")], 100, 20) == ["'left' overlaps 'right'"]
    assert problems([text, Box(40, 5, 90, 7, "interval", "")], 100, 20) == ["'left' crosses an interval"]
    assert problems([text], 40, 20) == ["'left' leaves the drawing: 0..50 × 0..12"]
    assert problems([Box(0, 0, 5, 5, "text", "tiny", 11)], 40, 20) == ["'tiny' is set in 11 px"]
    assert problems([text, Box(51, 0, 90, 12, "text", "right")], 100, 20) == []


def test_scales_go_both_ways_through_the_page() -> None:
    for scale in (
        Scale("linear", (0, 100), (171, 323), (0, 50, 100), suffix=" %"),
        Scale("log", (1, 1e4), (20, 420), (1, 100, 10000), format="~s", suffix="s", all_suffixed=True),
    ):
        assert restore(scale.stored()) == scale
    log = Scale("log", (1, 1e4), (20, 420))
    assert log.at(100) == pytest.approx(220)
    assert not log.holds(0)
    assert nice(0, 6.02) == [0, 2, 4, 6, 8]
    assert nice(0, 0.7, 4)[-1] == 0.8
    assert decades(1, 9134) == [1, 10, 100, 1000]


def test_a_forged_tick_is_caught(lookup: Lookup) -> None:
    svg = figures.render("accept-reject", lookup, "graders/toy/variants").html
    scale = re.search(r"data-scale='([^']*)'", svg)
    assert scale is not None
    stored = scale[1]
    at = float(re.search(r'<g class="tick f-ink3" data-axis="x"[^>]*><text x="([\d.]+)"', svg)[1])  # type: ignore[index]
    assert wrong(stored, "x", at, "0") == ""
    assert wrong(stored, "x", at, "10") == f"the tick at {at:g} on x is 0, not '10'"
    assert wrong(stored, "x", at + 1, "0").startswith("x has no tick at")
    assert wrong(stored, "y", at, "0") == "the drawing stores no scale for y"


def test_labels_move_apart_and_stay_inside() -> None:
    assert spread([0, 1, 2, 90], 10, 0, 100) == [0, 10, 20, 90]
    placed = spread([98, 99, 40], 10, 0, 100)
    assert placed == [90, 100, 40]
    many = sorted(spread([50.0] * 6, 12, 0, 100))
    assert [b - a for a, b in pairwise(many)] == [12] * 5


def test_mutants_keep_their_place_by_operator_and_line() -> None:
    table = {
        "mutant": ["a", "b", "c", "d"],
        "operator": ["slice", "string", "string", "string"],
        "line": [9, 7, 3, 7],
        "function": ["f", "f", "f", "f"],
        "gold": [-1, 4, -1, 0],
        "fuzz": [None, -1, 2, None],
    }
    found = blocks(table)
    assert found == [Block("string", [2, 1, 3]), Block("slice", [0])]
    assert lattice(found, killed(table, "gold"), 2, 3) == (
        [[0, 1], [1, None], [None, None], [0, None], [None, None]],
        [0, 3],
    )
    assert killed(table, "fuzz") == [None, 0, 1, None]


def test_lines_are_cut_where_no_code_stands_and_dealt_evenly() -> None:
    table = {"function": ["f"] * 4 + ["g"] * 3, "line": [1, 2, 3, 20, 40, 41, 43]}
    found = pieces(table)
    assert [(p.function, p.first, p.last, p.head) for p in found] == [
        ("f", 1, 3, True),
        ("f", 20, 20, False),
        ("g", 40, 43, True),
    ]
    long = pieces({"function": ["f"] * 40, "line": list(range(1, 41))})
    dealt = columns(long, 2)
    assert [[(p.first, p.last) for p in column] for column in dealt] == [[(1, 20)], [(21, 40)]]


def test_unknown_figures_and_options_say_what_there_is(lookup: Lookup) -> None:
    with pytest.raises(UsageError, match="no figure 'kill-matrx'"):
        figures.render("kill-matrx", lookup, "graders/toy/kill-matrix")
    with pytest.raises(UsageError, match="unexpected keyword argument 'sides'"):
        figures.render("accept-reject", lookup, "graders/toy/variants", sides="accept")


@pytest.mark.parametrize("module", ["scales", "metrics", "markup", "pen", "ticks", "palette", "trail"])
def test_examples_in_docstrings_hold(module: str) -> None:
    ran = doctest.testmod(importlib.import_module(f"site_builder.svg.{module}"))
    assert ran.attempted > 0
    assert ran.failed == 0
