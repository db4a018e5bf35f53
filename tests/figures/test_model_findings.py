"""What figures of reward models say follows from the numbers, and from their controls."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import model_evidence
import pytest

from lens.reading import Columns, Declined, Evidence, Interval, Label, Measured, Quantity
from measure.store import Store
from site_builder import figures
from site_builder.figures.rank_agreement import _ranks
from site_builder.lookup import Lookup
from site_builder.svg import drawing

SUBJECT = model_evidence.PLANTED
ID = f"models/{SUBJECT.slug}"


def made(tmp_path: Path, instrument: str, fields: dict[str, Any], tables: dict[str, Columns], figure: str) -> Any:
    """A figure of one record with these fields and tables."""
    store = Store.open(tmp_path / "data")
    evidence = Evidence(instrument, 1, SUBJECT, Measured(fields, next(iter(fields)), "invented"))
    store.write([(evidence, tables, model_evidence.MADE)])
    return figures.render(figure, Lookup(store), f"{ID}/{instrument}")


@pytest.mark.parametrize(
    ("verdicts", "title"),
    [
        ({"fill": "raises"}, "Fill raises the reward"),
        (
            {"fill": "raises", "thanks": "raises", "hedge": "lowers"},
            "Thanks and fill raise the reward; hedge lowers the reward",
        ),
        (
            {"fill": "about zero", "thanks": "not told"},
            "No property tried moves the reward by more than a tenth of its spread",
        ),
    ],
)
def test_bias_is_titled_by_its_verdicts(tmp_path: Path, verdicts: dict[str, str], title: str) -> None:
    fields: dict[str, Any] = {"flagged": Quantity(1, "axes", "count", of=3)}
    for at, (name, verdict) in enumerate(verdicts.items(), start=1):
        fields[f"{name}.effect"] = model_evidence.around(float(at), 0.2, kind="difference")
        fields[f"{name}.null"] = Quantity(0.5, "ru", "score")
        fields[f"{name}.verdict"] = Label(verdict)
    assert made(tmp_path, "bias-battery", fields, {}, "bias").title == title


@pytest.mark.parametrize(
    ("share", "control", "title"),
    [
        (0.9, (0.2, 1.0), "Halfway up, as much of the margin is readable as in an untrained model"),
        (0.9, (0.2, 0.4), "Halfway up, the larger part of the margin is already readable"),
        (0.2, (0.4, 0.6), "The larger part of the margin becomes readable only in the second half"),
    ],
)
def test_a_depth_inside_the_untrained_band_is_no_finding(
    tmp_path: Path, share: float, control: tuple[float, float], title: str
) -> None:
    (reading, tables) = model_evidence.reward_lens()
    assert isinstance(reading, Measured)
    fields = dict(reading.fields)
    fields["own.middle-share"] = model_evidence.around(share, 0.05, "share of the margin", "ratio")
    fields["untrained.own.middle-share"] = Quantity(
        0.5, "share of the margin", "ratio", interval=Interval(*control, "t-prediction"), n=8
    )
    assert made(tmp_path, "reward-lens", fields, tables, "depth-curve").title == title


def test_a_correlation_is_claimed_only_beyond_its_control(tmp_path: Path) -> None:
    reading, tables = model_evidence.faithfulness()
    assert isinstance(reading, Measured)
    drawn = made(tmp_path, "faithfulness", dict(reading.fields), tables, "rank-agreement")
    assert drawn.title == "The two orders agree no more than in untrained models, on any property"
    fields = dict(reading.fields)
    fields["thanks.excess"] = model_evidence.around(0.3, 0.2, "Spearman's rho", "difference")
    beyond = made(tmp_path, "faithfulness", fields, tables, "rank-agreement")
    assert beyond.title == "The two orders agree more than in untrained models on thanks alone"
    assert beyond.html.count(">beyond control</text>") == 2  # both drawings
    assert beyond.table_html.count('<td class="declined">') == 2  # too few pairs of fill: excess and its interval


def test_ranks_share_their_mean_where_values_are_equal() -> None:
    assert _ranks([3.0, 1.0, 3.0, -2.0]) == [3.5, 2.0, 3.5, 1.0]


def test_a_heat_map_prints_its_values_and_tells_signs_without_colour(lookup: Lookup) -> None:
    spec = figures.find("attribution-heads").spec(lookup, f"{ID}/attribution", "wide")
    (heat, _) = [trace for trace in spec["data"] if trace["type"] == "heatmap"][::-1]
    values = [value for row in heat["z"] for value in row]
    assert heat["zmax"] >= max(abs(value) for value in values)
    assert heat["zmin"] == -heat["zmax"]
    assert all(flag for row in heat["customdata"] for flag in row)
    printed = drawing(spec, prefix="p").svg
    assert printed.count("data-ev=") == len(values)
    assert "l-ink" not in printed  # no bar where the value stands
    for row in heat["customdata"]:
        row[:] = [0] * len(row)
    bars = re.findall(r'class="l-ink"[^>]*d="([^"]*)"', drawing(spec, prefix="p").svg)
    steps = heat["zmax"] / 10
    assert bars[0].count("M") == sum(value < -steps / 2 for value in values)


def test_what_is_zero_by_structure_is_hatched_and_said(lookup: Lookup) -> None:
    drawn = figures.render("patch-grid", lookup, f"{ID}/patching")
    assert drawn.title == "Halfway up, the larger part of the margin still lies at earlier tokens"
    assert drawn.html.count("-hatch)") == 4  # two modes, two drawings
    assert "zero by structure" in drawn.table_html
    assert "Hatched: zero by structure" in drawn.html


def test_a_group_of_too_few_pairs_is_a_gap(tmp_path: Path) -> None:
    reading, tables = model_evidence.crystallization()
    assert isinstance(reading, Measured)
    drawn = made(tmp_path, "crystallization", dict(reading.fields), tables, "crystallization")
    assert drawn.title == "Half of the margin stands at a depth not told apart from an untrained model’s"
    assert drawn.html.count(">too few pairs</text>") == 2
    assert isinstance(reading.fields["length-matched.own.depth"], Declined)


def test_a_depth_is_marked_only_where_the_end_is_told_from_zero(tmp_path: Path) -> None:
    reading, tables = model_evidence.reward_lens()
    assert isinstance(reading, Measured)
    flat = dict(tables["axes"])
    at = [index for index, axis in enumerate(flat["axis"]) if axis == "right"]
    for column, values in (("own", 0.001), ("own-low", -0.1), ("own-high", 0.1)):
        flat[column] = [values if index in at else value for index, value in enumerate(flat[column])]
    whole = made(tmp_path / "a", "reward-lens", dict(reading.fields), tables, "depth-axes")
    less = made(tmp_path / "b", "reward-lens", dict(reading.fields), tables | {"axes": flat}, "depth-axes")
    assert [len(one.spec["layout"]["shapes"]) for one in (whole, less)] == [5, 4]
    assert whole.title == "Natural, thanks and hedge stand first, right last"
