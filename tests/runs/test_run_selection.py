"""What selection did: score tree, advantages, rays, counterfactual rewards, by identities and planted truths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_run_replay import made

from lens.errors import UsageError
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.runs.instruments.advantages import advantages
from lens.runs.instruments.counterfactual import counterfactual
from lens.runs.instruments.score_tree import score_tree
from lens.runs.instruments.selection import selection
from lens.runs.opening import open_run
from lens.runs.review import Review
from lens.runs.selection.composition import Composition
from lens.runs.selection.edits import checked, parse
from lens.runs.settings import Settings


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def reference(shared: Path, *edits: str) -> Review:
    return Review(run=open_run(str(shared / "data/runs/grpo_run/long")), edits=edits)


def micro(shared: Path, name: str, *edits: str) -> Review:
    return Review(run=open_run(str(shared / "data/runs/trl_micro" / name)), edits=edits)


def measured(reading: Any) -> dict[str, Any]:
    reading = reading.reading if isinstance(reading, Result) else reading
    assert isinstance(reading, Measured), reading
    return {name: one.value if isinstance(one, Quantity | Label) else one for name, one in reading.fields.items()}


def test_the_reference_runs_one_leaf_is_no_decomposition(shared: Path) -> None:
    found = measured(score_tree(reference(shared)))
    assert found["leaves"] == 1
    assert found["decomposition"].startswith("none")
    assert (found["low"], found["high"]) == pytest.approx((0.62, 3.36))
    assert (found["abstained"], found["length-reward.scored"]) == (200, 1400)
    assert "length-reward.share" not in found


def test_shares_of_the_variance_in_groups_add_to_one(shared: Path) -> None:
    found = measured(score_tree(micro(shared, "partition_dapo")))
    shares = [found["letter-frac.share"], found["digit-gate.share"]]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    assert found["digit-gate.weight"] == 0.5
    assert found["partly"] > 0


def test_a_leaf_without_weight_has_no_share(tmp_path: Path) -> None:
    rows = 64
    leaves = {"score.a": [float(at % 3) for at in range(rows)], "score.b": [float(at % 5) for at in range(rows)]}
    columns = leaves | {"step": [at // 4 for at in range(rows)], "group": 0, "advantage": 0.0}
    found = measured(score_tree(Review(run=made(tmp_path, columns, Settings(weights={"a": 1.0, "b": 0.0})))))
    assert found["b.share"] == pytest.approx(0, abs=1e-12)
    assert found["a.share"] == pytest.approx(1, abs=1e-12)


def test_the_reference_runs_advantages(shared: Path) -> None:
    found = measured(advantages(reference(shared)))
    assert (found["low"], found["high"]) == pytest.approx((-1.491610, 1.493695), abs=5e-7)
    assert found["zero"] == 220
    assert found["up"] + found["down"] + found["still"] == 1600
    assert found["group-sum"] < 1e-5
    assert found["bound.ddof-1"] == pytest.approx(1.5)
    assert found["high"] <= found["bound.ddof-1"]


def test_rays_are_whole_groups_and_agree_with_the_advantage(shared: Path) -> None:
    result = selection(reference(shared))
    assert isinstance(result, Result)
    rays, found = result.tables["rays"], measured(result)
    assert (found["groups"], found["rollouts"]) == (16, 64)
    assert set(rays["group"]) == set(range(0, 400, 25))
    assert found["agree"] == result.reading.fields["agree"].of  # type: ignore[union-attr]
    empty = [at for at, one in enumerate(rays["reward"]) if one is None]
    assert len(empty) == found["abstained"]
    assert all(rays["offset"][at] is None and rays["advantage"][at] == 0 for at in empty)


@pytest.mark.parametrize("edit", ["weight:letter_frac=1", "clamp:digit_gate=..1", "clamp:letter_frac=0..1"])
def test_an_edit_that_changes_nothing_flips_nothing(shared: Path, edit: str) -> None:
    found = measured(counterfactual(micro(shared, "base", edit)))
    assert [value for name, value in found.items() if name.endswith(("flips", "to-zero", "from-zero", "moved"))] == [
        0
    ] * 5


@pytest.mark.parametrize("name", ["base", "batch_scale", "none_scale", "norm_then_sum"])
def test_identity_is_zero_under_every_rule_and_dropping_a_leaf_is_not(shared: Path, name: str) -> None:
    found = measured(counterfactual(micro(shared, name)))
    assert found["identity.flips"] == 0
    assert found["drop-letter-frac.flips"] > 0
    assert found["drop-letter-frac.flips.tenfold"] <= found["drop-letter-frac.flips.tenth"]


def test_a_leaf_of_no_weight_dropped_changes_nothing(tmp_path: Path) -> None:
    columns: dict[str, Any] = {
        "step": [1] * 4,
        "group": 0,
        "score.a": [0.0, 1.0, 2.0, 4.0],
        "score.b": [9.0, 1.0, 5.0, 0.0],
    }
    columns["advantage"] = [one - 1.75 for one in columns["score.a"]]
    review = Review(run=made(tmp_path, columns, Settings(weights={"a": 1.0, "b": 0.0})), edits=("drop:b", "drop:a"))
    found = measured(counterfactual(review))
    assert [found[f"drop-b.{name}"] for name in ("flips", "to-zero", "from-zero", "moved")] == [0, 0, 0, 0]
    assert found["drop-a.to-zero"] == 4
    assert found["drop-a.degenerate"] == 1


def test_flips_by_hand(tmp_path: Path) -> None:
    """Totals 1, 3, 6 less their mean; without a 1, 0, 0 less theirs: the first turns up, the last down."""
    columns: dict[str, Any] = {"step": 1, "group": 0, "score.a": [0.0, 3.0, 6.0], "score.b": [1.0, 0.0, 0.0]}
    columns["advantage"] = [-7 / 3, -1 / 3, 8 / 3]
    review = Review(run=made(tmp_path, columns, Settings(weights={"a": 1.0, "b": 1.0})), edits=("drop:a", "gate:a>=2"))
    found = measured(counterfactual(review))
    assert found["drop-a.flips"] == 2
    assert found["gate-a-2.flips"] == 0


def test_the_reference_runs_leaf_is_held_and_gated_at_its_median(shared: Path) -> None:
    found = measured(counterfactual(reference(shared)))
    assert found["identity.flips"] == 0
    edits = {name.rpartition(".")[0] for name in found if name.endswith(".moved")}
    assert {one.split("-")[0] for one in edits} == {"clamp", "gate"}
    held = measured(counterfactual(reference(shared, "clamp:length_reward=..3.36")))
    assert held["clamp-length-reward-3-36.flips"] == 0


def test_rules_that_differ_on_an_edit_decline_it(tmp_path: Path) -> None:
    """Totals 1 and 3 deviate by 1 (ddof 0), so dividing by that can't be told from dividing by nothing, till a leaf
    weighs more: signs agree even then, distances don't."""
    columns: dict[str, Any] = {"step": 1, "group": 0, "score.a": [0.0, 3.0], "score.b": [1.0, 0.0]}
    columns["advantage"] = [-1.0, 1.0]
    review = Review(run=made(tmp_path, columns, Settings(weights={"a": 1.0, "b": 1.0})), edits=("weight:a=3",))
    found = measured(counterfactual(review))
    assert found["weight-a-3.flips"] == 0
    declined = found["weight-a-3.moved"]
    assert isinstance(declined, Declined)
    assert "differ here: 0 to 2 rollouts" in declined.detail
    assert declined.bound is not None


def test_a_run_that_does_not_replay_declines(shared: Path) -> None:
    assert isinstance(counterfactual(micro(shared, "name_clash")), Declined)


@pytest.mark.parametrize("text", ["drop", "drop:", "weight:a", "clamp:a=2..1", "gate:a", "gate:a>=x", "sort:a=1"])
def test_what_is_no_edit_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse(text)


def test_an_edit_of_a_leaf_that_is_not_there_names_the_one_meant() -> None:
    composed = Composition({"digit_gate": 1.0, "letter_frac": 0.5}, "", None)
    with pytest.raises(UsageError, match="did you mean digit_gate"):
        checked(["drop:digit-gate"], composed)
    with pytest.raises(UsageError, match="leaves nothing"):
        checked(["drop:a"], Composition({"a": 1.0}, "", None))


def test_what_a_trusted_grader_would_have_pushed(tmp_path: Path) -> None:
    """Gold turns the reward's order round: all signs but the middle one's flip. Without gold it can't be asked."""
    columns: dict[str, Any] = {"step": 1, "group": 0, "reward": [0.0, 3.0, 9.0], "advantage": [-4.0, -1.0, 5.0]}
    review = Review(run=made(tmp_path / "g", columns | {"gold": [5.0, 2.0, 0.0]}))
    found = measured(counterfactual(review))
    assert (found["swap-gold.flips"], found["identity.flips"]) == (2, 0)
    with pytest.raises(UsageError, match="no gold"):
        counterfactual(Review(run=made(tmp_path / "n", columns), edits=("swap:gold",)))
