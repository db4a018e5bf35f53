"""Titles of a run's figures say what was found, and no more than its interval allows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import run_evidence as made
from msgspec.structs import replace

from lens.reading import Declined, Measured
from measure.store import Store
from site_builder import figures
from site_builder.lookup import Lookup
from site_builder.svg import drawing


def drawn(root: Path, name: str, item: made.Item, width: str = "wide") -> dict[str, Any]:
    store = Store.open(root)
    store.write([item])
    return figures.find(name).spec(Lookup(store), item[0].id, width)


@pytest.mark.parametrize(
    ("leaves", "says"),
    [
        (1, "One leaf is the whole reward: there is nothing to take apart"),
        (3, "Inside a group right answer decides most"),
    ],
)
def test_a_score_tree_of_one_leaf_takes_nothing_apart(tmp_path: Path, leaves: int, says: str) -> None:
    meta = drawn(tmp_path, "score-tree", made.score_tree(leaves))["layout"]["meta"]
    assert meta["title"] == says
    assert len(meta["table"]["rows"]) == leaves


def test_branches_are_as_wide_as_shares_and_a_declined_share_has_none(tmp_path: Path) -> None:
    spec = drawn(tmp_path, "score-tree", made.score_tree())
    bars = [trace for trace in spec["data"] if trace.get("fill") == "toself" and len(trace["x"]) == 4]
    tall = [max(one["y"]) - min(one["y"]) for one in bars]
    whole, first, second = tall
    assert first / whole == pytest.approx(0.71, abs=1e-3)
    assert second / whole == pytest.approx(0.29, abs=1e-3)
    assert [trace["line"]["dash"] for trace in spec["data"] if trace.get("line", {}).get("dash") == "dash"] != []


@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_a_tree_of_which_every_share_declined_is_drawn_without_one(tmp_path: Path, width: str) -> None:
    evidence, tables, how = made.score_tree()
    reading = evidence.reading
    assert isinstance(reading, Measured)
    why = Declined("corpus_inadequate", "4 steps with a difference have no interval", "record at least 8 such steps")
    declined = {name: why if name.endswith(".share") else field for name, field in reading.fields.items()}
    item = (replace(evidence, reading=replace(reading, fields=declined)), tables, how)
    spec = drawn(tmp_path, "score-tree", item, width)
    assert drawing(spec, prefix="p").problems == []
    assert sum("fillpattern" in trace for trace in spec["data"]) == 3
    assert spec["layout"]["meta"]["title"] == "The leaves of the reward"


@pytest.mark.parametrize(
    ("against", "says"),
    [
        (0, "Every scored rollout was pushed to the side of its group it stood on"),
        (3, "Some rollouts were pushed against the side of their group they stood on"),
    ],
)
def test_selection_says_whether_any_rollout_was_pushed_the_other_way(tmp_path: Path, against: int, says: str) -> None:
    assert drawn(tmp_path, "selection-rays", made.selection(against))["layout"]["meta"]["title"] == says


@pytest.mark.parametrize(("width", "drawn_of"), [("wide", 128), ("narrow", 64)])
def test_every_ray_ends_at_its_recorded_advantage_and_abstentions_are_rings(
    tmp_path: Path, width: str, drawn_of: int
) -> None:
    item = made.selection()
    rays = item[1]["rays"]
    spec = drawn(tmp_path, "selection-rays", item, width)
    dots = [trace for trace in spec["data"] if trace.get("mode") == "markers"]
    ends = {ref: x for trace in dots for ref, x in zip(trace["customdata"], trace["x"], strict=True)}
    assert len(ends) == drawn_of
    for ref, x in ends.items():
        row = int(ref.split("/")[-2])
        assert x == rays["advantage"][row]
    rings = {ref for trace in dots if trace["marker"]["symbol"] == "circle-open" for ref in trace["customdata"]}
    assert {rays["reward"][int(ref.split("/")[-2])] for ref in rings} == {None}
    assert len(rings) == drawn_of / made.SIZE


@pytest.mark.parametrize(
    ("turned", "says"),
    [
        (120, "Drop short reply: of the edits tried, it turns most rollouts around"),
        (0, "No edit tried would have pushed a rollout the other way"),
    ],
)
def test_a_counterfactual_names_the_edit_that_turns_most(tmp_path: Path, turned: int, says: str) -> None:
    assert drawn(tmp_path, "counterfactual", made.counterfactual(turned))["layout"]["meta"]["title"] == says
