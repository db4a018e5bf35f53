"""The front page's figures draw what their records hold, and their titles say no more."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import run_evidence
import update_evidence

from lens.reading import Quantity
from measure.store import Store
from site_builder import figures
from site_builder.figures._histogram import outline
from site_builder.lookup import Lookup
from site_builder.svg import trail


def drawn(root: Path, name: str, *items: Any, width: str = "wide", **options: Any) -> dict[str, Any]:
    store = Store.open(root)
    store.write(list(items))
    return figures.find(name).spec(Lookup(store), items[0][0].id, width, **options)


def meta(spec: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = spec["layout"]["meta"]
    return found


def test_every_score_is_in_the_outline_and_every_silence_is_a_ring(tmp_path: Path) -> None:
    item = run_evidence.score_tree(1)
    spec = drawn(tmp_path, "score-spread", item)
    (bars,) = [trace for trace in spec["data"] if trace.get("fill") == "toself"]
    corners = outline(*item[1]["spread"].values())
    assert list(zip(bars["x"], bars["y"], strict=True)) == corners
    assert {y for _, y in corners} == {0.0, 120, 310, 150, 20}
    (rings,) = [trace for trace in spec["data"] if trace.get("marker", {}).get("symbol") == "circle-open"]
    assert len(rings["x"]) == 40
    assert meta(spec)["title"] == "One leaf scored most rollouts and was silent on the rest"


def test_a_fan_ends_at_the_recorded_advantage_and_a_phone_has_every_other_group(tmp_path: Path) -> None:
    item = run_evidence.selection()
    advantage = item[1]["rays"]["advantage"]
    found = {}
    for width in ("wide", "narrow"):
        spec = drawn(tmp_path / width, "selection-fan", item, run_evidence.advantages(), width=width)
        dots = [trace for trace in spec["data"] if trace.get("mode") == "markers"]
        ends = {ref: y for trace in dots for ref, y in zip(trace["customdata"], trace["y"], strict=True)}
        assert all(advantage[int(ref.split("/")[-2])] == y for ref, y in ends.items())
        found[width] = len(ends)
    assert found == {"wide": 128, "narrow": 64}
    assert meta(spec)["title"].endswith("one without a score is pushed nowhere")


def test_the_stairs_of_the_typical_step_add_up_and_points_outside_their_band_are_ringed(tmp_path: Path) -> None:
    item = update_evidence.partition()
    spec = drawn(tmp_path, "update-staircase", item)
    bars = [trace for trace in spec["data"] if trace.get("line", {}).get("width") == 6]
    ends = [x for trace in bars for x in trace["x"] if x is not None]
    assert max(ends) == pytest.approx(1.05)  # seven that push with the update; the last takes 0.05 back
    lengths = [b - a for trace in bars for a, b in zip(trace["x"][::3], trace["x"][1::3], strict=True)]
    assert sum(lengths) == pytest.approx(1.0)
    steps = item[1]["steps"]
    outside = {
        step for step, own, low, high in zip(*(steps[name] for name in ("step", "cancellation", "permuted-low",
                                                                         "permuted-high")), strict=True)
        if own is not None and not low <= own <= high
    }  # fmt: skip
    ringed = {x for trace in spec["data"] if trace.get("marker", {}).get("symbol") == "circle-open" for x in trace["x"]}
    assert ringed == outside


def test_the_schematic_prints_no_number_and_says_so(tmp_path: Path) -> None:
    spec = drawn(tmp_path, "response-schematic", update_evidence.response())
    texts = [one["text"] for one in spec["layout"]["annotations"]]
    assert any("nothing measured" in text for text in texts)
    assert not re.search(r"\d", " ".join(texts))
    assert {trace["line"]["dash"] for trace in spec["data"]} == {"dot"}


def test_a_warning_marks_its_own_baseline_and_hatches_those_that_reach_the_change(lookup: Lookup) -> None:
    record = "runs/gone-over/alarms"
    spec = figures.find("warning").spec(lookup, record, "wide")
    sweep = lookup.table("runs/gone-over/window-sweep", "windows")
    rows = [at for at, rule in enumerate(sweep["rule"]) if rule == "reproduce-central"]
    known = [trace for trace in spec["data"] if "error_x" in trace]
    points = {ref: x for trace in known for ref, x in zip(trace["customdata"], trace["x"], strict=True)}
    assert {int(ref.split("/")[-2]): x for ref, x in points.items()} == {
        at: pytest.approx(100 * sweep["rate"][at]) for at in rows
    }
    rings = [trace for trace in known if trace["marker"]["symbol"] == "circle-open"]
    assert sum(len(trace["x"]) for trace in rings) == sum(not sweep["in-control"][at] for at in rows)
    alarm = lookup.field(record, "reproduce.central.alarm")
    assert isinstance(alarm, Quantity)
    assert any(trace.get("x") == [float(alarm.value)] * 2 for trace in spec["data"])


def test_reported_agreement_is_open_and_ours_is_filled_over_its_control(lookup: Lookup) -> None:
    ids = "models/organism-made/faithfulness,models/quiet-8b/reported~public-table"
    spec = figures.find("rank-sources").spec(lookup, ids, "narrow")
    (theirs,) = [
        one for one in spec["data"] if one.get("marker", {}).get("symbol") == "circle-open" and len(one["x"]) > 1
    ]
    assert sorted(theirs["x"]) == [-0.29, 0.15]
    (ours,) = [one for one in spec["data"] if "error_x" in one]
    assert ours["x"] == [pytest.approx(0.72)]
    assert meta(spec)["title"] == "Agreement is reported without a control; ours lies inside its own"


def points(d: str) -> list[tuple[float, float]]:
    """Where a path goes, corner by corner."""
    at, found = (0.0, 0.0), []
    for letter, rest in re.findall(r"([MmLlHhVv])([^A-Za-z]*)", d):
        numbers = [float(one) for one in re.findall(r"-?\d*\.?\d+", rest)]
        x, y = at if letter.islower() else (0.0, 0.0)
        if letter in "Hh":
            at = (x + numbers[0], at[1])
        elif letter in "Vv":
            at = (at[0], y + numbers[0])
        else:
            at = (x + numbers[0], y + numbers[1])
        found.append(at)
    return found


def test_a_long_trail_goes_where_its_points_are_without_adding_up_errors() -> None:
    wanted = [(at * 1.7653, 50 + 30 * ((at * 37) % 11) / 11) for at in range(300)]
    got = points(trail.line([(x, y) for x, y in wanted]))
    assert len(got) == 300
    assert max(abs(a - x) + abs(b - y) for (a, b), (x, y) in zip(got, wanted, strict=True)) <= 0.1 + 1e-9
    parted = trail.line([*wanted[:20], (None, None), *wanted[40:60]])
    assert parted.count("M") + parted.count("m") == 2
    assert points(parted)[-1] == pytest.approx(wanted[59], abs=0.06)


def test_a_level_trail_is_one_piece_and_turns_back_in_two() -> None:
    level = [(float(at), 5.0) for at in range(20)]
    assert trail.line(level) == "M0 5h19"
    assert trail.line([*level, (3.0, 5.0)]) == "M0 5h19h-16"
