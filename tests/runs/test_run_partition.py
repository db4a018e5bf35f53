"""The update partition: every identity of the Gram matrices, planted cancellation, and the published micro-runs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from gram_records import ON_POLICY, gram, micro, opened

from lens.reading import Declined, Measured, Quantity, Result
from lens.runs.instruments.update_partition import update_partition
from lens.runs.record import Record
from lens.runs.review import Review
from lens.runs.update import partition
from lens.runs.writer import Writer

MICRO = "data/runs/trl_micro"


def gradients(seed: int = 0, n: int = 8, d: int = 50) -> tuple[np.ndarray, np.ndarray]:
    """Advantages [n] that are 0 on average in two groups, and gradients s [n, d] to make inner products of."""
    rng = np.random.default_rng(seed)
    advantage = rng.normal(size=(2, n // 2))
    return (advantage - advantage.mean(axis=1, keepdims=True)).ravel(), rng.normal(size=(n, d))


def made(folder: Path, steps: list[dict[str, object]], **changed: object) -> Record:
    """A record of steps of 8 rollouts in two groups; each step: advantage, s (gradients), term, norm."""
    import msgspec

    folder.mkdir(exist_ok=True)
    writer = Writer(folder, folder)
    for step, one in enumerate(steps, start=1):
        advantage = np.asarray(one["advantage"])
        first = writer.rows
        leaf = one.get("leaf", [1.0] * len(advantage))
        columns = {"step": step, "group": [at // 4 for at in range(len(advantage))], "advantage": advantage.tolist()}
        writer.rollouts(folder / f"{step}.jsonl", columns | {"score.x": leaf})
        s = np.asarray(one["s"])
        rows = one.get("rows", range(first, first + len(advantage)))
        gram(writer, step, rows, advantage, s @ s.T, term=one.get("term", ()), norm=one.get("norm"))  # type: ignore[arg-type]
    writer.settings = msgspec.structs.replace(ON_POLICY, **changed)
    return opened(writer)


def read(record: Record, **options: object) -> Result:
    found = update_partition(Review(run=record, **options))  # type: ignore[arg-type]
    assert isinstance(found, Result), found
    assert isinstance(found.reading, Measured)
    return found


def value(result: Result, name: str, default: float | None = None) -> float:
    assert isinstance(result.reading, Measured)
    if default is not None and name not in result.reading.fields:
        return default
    field = result.reading.fields[name]
    assert isinstance(field, Quantity), field
    return field.value


def test_the_norm_lengths_and_projections_are_those_of_the_vectors() -> None:
    advantage, s = gradients()
    g = advantage[:, None] * s
    total = g.sum(axis=0)
    split = partition.split(advantage, s @ s.T)
    assert split is not None
    assert split.total == pytest.approx(np.linalg.norm(total), rel=1e-12)
    assert split.norms == pytest.approx(np.linalg.norm(g, axis=1), rel=1e-12)
    assert split.projections == pytest.approx(g @ total / (total @ total), rel=1e-9)
    assert split.projections.sum() == pytest.approx(1.0, abs=1e-12)


def test_cancellation_of_orthogonal_equal_and_opposite_gradients() -> None:
    ones = np.ones(4)
    orthogonal = partition.split(ones, np.eye(4))
    assert orthogonal is not None
    assert orthogonal.cancellation == pytest.approx(orthogonal.orthogonal) == pytest.approx(0.5)
    same = partition.split(ones, np.ones((4, 4)))
    assert same is not None
    assert same.cancellation == pytest.approx(0.0)
    opposite = partition.split(np.array([1.0, -1.0]), np.ones((2, 2)))
    assert opposite is not None
    assert opposite.cancellation == 1.0
    assert np.isnan(opposite.projections).all()
    assert partition.split(np.zeros(3), np.eye(3)) is None


def test_a_counterfactual_cosine_is_that_of_the_two_gradients() -> None:
    advantage, s = gradients()
    other, _ = gradients(seed=5)
    one, two = advantage @ s, other @ s
    expected = one @ two / np.linalg.norm(one) / np.linalg.norm(two)
    assert partition.cosine(advantage, other, s @ s.T) == pytest.approx(expected, rel=1e-12)
    assert partition.cosine(advantage, advantage, s @ s.T) == pytest.approx(1.0)
    assert partition.cosine(advantage, 3 * advantage, s @ s.T) == pytest.approx(1.0)
    assert np.isnan(partition.cosine(advantage, np.zeros(8), s @ s.T))


def test_a_term_that_is_not_linear_in_the_advantage_is_one_row_more() -> None:
    advantage, s = gradients()
    t = np.random.default_rng(9).normal(size=s.shape[1])
    whole = partition.extended(s @ s.T, np.append(s @ t, t @ t))
    split = partition.split(np.append(advantage, 1.0), whole)
    assert split is not None
    total = advantage @ s + t
    assert split.total == pytest.approx(np.linalg.norm(total), rel=1e-12)
    assert split.projections[-1] == pytest.approx(t @ total / (total @ total), rel=1e-9)


def test_permutations_stay_within_their_group_and_leave_unscored_rollouts_alone() -> None:
    factors, rng = np.array([3.0, -1.0, 0.0, 5.0, 7.0]), np.random.default_rng(0)
    marks = np.diag([1.0, 1.0, 1e6, 100.0, 100.0])  # norms tell which factor went where
    drawn = partition.permuted(factors, marks, np.array([0, 0, -1, 1, 1]), rng, 200)
    possible = {
        round(1 - np.sqrt(np.dot(f * f, np.diag(marks))) / (np.abs(f) @ np.sqrt(np.diag(marks))), 9)
        for f in (np.array([a, b, 0.0, c, d]) for a, b in ((3, -1), (-1, 3)) for c, d in ((5, 7), (7, 5)))
    }
    assert {round(one, 9) for one in drawn} == possible


def test_published_cancellation_beside_its_references(shared: Path, tmp_path: Path) -> None:
    result = read(micro(shared / MICRO / "partition_dapo", tmp_path))
    found = [value(result, f"cancellation.{which}") for which in ("min", "median", "max")]
    assert found == pytest.approx([0.491, 0.589, 0.706], abs=5e-4)
    assert value(result, "orthogonal.median") == pytest.approx(0.586, abs=5e-4)
    assert value(result, "read") == value(result, "checked") == 120
    assert value(result, "full-gradient.error") < 1e-5
    assert isinstance(result.reading, Measured)
    excess, percentile = (result.reading.fields[name] for name in ("excess.median", "percentile.median"))
    for field, chance in ((excess, 0.0), (percentile, 0.5)):
        assert isinstance(field, Quantity)
        assert field.interval is not None
        assert field.interval.low < chance < field.interval.high
    assert result.reading.fields["cancellation.median"].control == "orthogonal.median"  # type: ignore[union-attr]
    assert isinstance(result.reading.fields["momentum-carry"], Declined)


@pytest.mark.parametrize("name", ["partition_dapo", "partition_grpo_loss", "partition_gspo", "partition_clip"])
def test_what_the_published_files_hold_obeys_the_identities(shared: Path, name: str) -> None:
    """`gram` is of A_i s_i, `score_gram` of s_i; `signed_projection` is in units of the norm, not a share."""
    for text in (shared / MICRO / name / "update_partition.jsonl").read_text().splitlines():
        line = json.loads(text)
        advantage, products = np.array(line["advantages"]), np.array(line["score_gram"])
        weighted = np.array(line["gram"])
        assert np.outer(advantage, advantage) * products == pytest.approx(weighted, abs=1e-6 * np.abs(weighted).max())
        split = partition.split(advantage, products)
        assert split is not None
        assert split.total == pytest.approx(line["sum_norm"], rel=1e-5)
        assert split.total == pytest.approx(line["full_norm"], rel=1e-5)
        assert split.norms == pytest.approx(line["norms"], rel=1e-5)
        assert split.cancellation == pytest.approx(line["cancellation"], abs=1e-5)
        assert split.projections * split.total == pytest.approx(line["signed_projection"], abs=2e-6)


def test_half_precision_is_held_to_a_hundredth_and_not_to_a_hundred_thousandth(shared: Path, tmp_path: Path) -> None:
    run = shared / MICRO / "partition_dapo_bf16"
    result = read(micro(run, tmp_path / "as-told"))
    assert value(result, "read") == 12
    assert 1e-5 < value(result, "full-gradient.error") < 1e-2
    strict = read(micro(run, tmp_path / "as-full", precision="float32"))
    assert value(strict, "read") + value(strict, "state.not-the-whole") == 12
    assert value(strict, "state.not-the-whole") > 6


def test_reused_rollouts_are_declined_step_by_step(shared: Path, tmp_path: Path) -> None:
    result = read(micro(shared / MICRO / "partition_reuse4", tmp_path))
    states = dict(zip(result.tables["steps"]["step"], result.tables["steps"]["state"], strict=True))
    assert [step for step, state in states.items() if state == "read"] == [1, 5, 9]
    assert value(result, "state.reused") == 9


def test_clipping_the_gradient_changes_no_share(shared: Path, tmp_path: Path) -> None:
    """max_grad_norm scales every g alike; at step 1 the two runs hold the same rollouts and the same policy."""
    one, two = (
        read(micro(shared / MICRO / name, tmp_path / name)).tables["steps"]["cancellation"][0]
        for name in ("partition_dapo", "partition_clip")
    )
    assert one == two


def test_a_planted_cancellation_is_found_beyond_its_permutations(tmp_path: Path) -> None:
    """Gradients along the sign of the advantage cancel less than dealt-out advantages; against it, more."""
    rng = np.random.default_rng(3)
    steps = []
    for _ in range(40):
        advantage = np.array([1.0, 1.0, -1.0, -1.0, 1.0, -1.0, 1.0, -1.0] * 2)
        s = rng.normal(size=(16, 400)) / 20
        s[:, 0] += 2 * advantage
        steps.append({"advantage": advantage, "s": s, "norm": float(np.linalg.norm(advantage @ s))})
    result = read(made(tmp_path, steps))
    assert value(result, "excess.median") < -0.3
    assert value(result, "percentile.median") < 0.05
    assert value(result, "beyond-permuted") == 40


def test_without_signal_a_step_is_counted_and_has_no_cancellation(tmp_path: Path) -> None:
    advantage, s = gradients()
    result = read(made(tmp_path, [{"advantage": advantage, "s": s}, {"advantage": np.zeros(8), "s": s}]))
    assert (value(result, "read"), value(result, "state.no-signal")) == (1, 1)
    assert result.tables["steps"]["cancellation"][1] is None


@pytest.mark.parametrize(
    ("step", "changed", "state"),
    [
        ({"norm": 99.0}, {}, "add to is not the gradient"),
        ({}, {"iterations": None}, "nothing says"),
        ({"rows": [-1] * 8}, {}, "could not be found"),
        ({"leaf": [None] * 8}, {}, "could not be found"),
    ],
)
def test_what_cannot_be_parted_declines_with_a_remedy(
    tmp_path: Path, step: dict[str, object], changed: dict[str, object], state: str
) -> None:
    advantage, s = gradients()
    found = update_partition(Review(run=made(tmp_path, [{"advantage": advantage, "s": s} | step], **changed)))
    assert isinstance(found, Declined)
    assert state in found.detail


def test_a_checked_gradient_stands_in_for_unknown_settings(tmp_path: Path) -> None:
    advantage, s = gradients()
    norm = float(np.linalg.norm(advantage @ s))
    result = read(made(tmp_path, [{"advantage": advantage, "s": s, "norm": norm}], iterations=None))
    assert value(result, "read") == 1


def test_a_kl_term_without_its_row_declines_and_with_it_has_its_share(tmp_path: Path) -> None:
    advantage, s = gradients()
    t = np.random.default_rng(1).normal(size=s.shape[1])
    total = advantage @ s + t
    bare = update_partition(Review(run=made(tmp_path / "bare", [{"advantage": advantage, "s": s}], beta=0.1)))
    assert isinstance(bare, Declined)
    assert "KL" in bare.detail
    one = {"advantage": advantage, "s": s, "term": [*(s @ t), t @ t], "norm": float(np.linalg.norm(total))}
    result = read(made(tmp_path / "row", [one], beta=0.1))
    assert value(result, "term-share.median") == pytest.approx(t @ total / (total @ total), rel=1e-9)
    shares = sum(result.tables["rollouts"]["share"]) + value(result, "term-share.median")
    assert shares == pytest.approx(1.0, abs=1e-9)


def grpo(rewards: np.ndarray) -> np.ndarray:
    groups = rewards.reshape(-1, 4)
    spread = groups.std(axis=1, ddof=1, keepdims=True) + 1e-4
    return ((groups - groups.mean(axis=1, keepdims=True)) / spread).ravel()


def test_an_edits_cosine_is_that_of_the_two_gradients(tmp_path: Path) -> None:
    """Two leaves; each step's gradient under the first alone, from the vectors themselves."""
    import msgspec

    rng = np.random.default_rng(4)
    writer, expected = Writer(tmp_path, tmp_path), []
    for step in range(1, 4):
        one, two = rng.normal(size=8), np.zeros(8) if step == 2 else rng.integers(0, 2, 8).astype(float)
        one = np.full(8, 0.5) if step == 3 else one
        advantage, changed = grpo(one + 0.5 * two), grpo(one)
        first, s = writer.rows, rng.normal(size=(8, 60))
        columns = {"step": step, "group": [at // 4 for at in range(8)], "advantage": advantage.tolist()}
        writer.rollouts(tmp_path / f"{step}", columns | {"score.one": one.tolist(), "score.two": two.tolist()})
        gram(writer, step, range(first, first + 8), advantage, s @ s.T)
        g, h = advantage @ s, changed @ s
        expected.append(g @ h / np.linalg.norm(g) / np.linalg.norm(h) if h.any() else None)
    writer.settings = msgspec.structs.replace(ON_POLICY, weights={"one": 1.0, "two": 0.5}, algorithm="grpo")
    result = read(opened(writer), edits=("drop:two", "weight:two=0.5"))
    assert expected[1] == pytest.approx(1.0)  # at the second step the dropped leaf was 0
    assert value(result, "drop-two.cosine.min") == pytest.approx(expected[0], rel=1e-9)
    assert (value(result, "drop-two.no-signal"), expected[2]) == (1, None)
    assert value(result, "weight-two-0-5.cosine.min") == pytest.approx(1.0)
    assert value(result, "identity.cosine.min") == pytest.approx(1.0)


def test_published_cosines_of_each_leaf_dropped(shared: Path, tmp_path: Path) -> None:
    result = read(micro(shared / MICRO / "partition_dapo", tmp_path))
    assert value(result, "identity.cosine.min") == pytest.approx(1.0, abs=1e-9)
    assert value(result, "drop-letter-frac.cosine.median") > value(result, "drop-digit-gate.cosine.median") > 0
    assert value(result, "drop-letter-frac.no-signal") > 0 == value(result, "state.no-signal", 0)


def test_advantages_that_no_rule_replays_have_no_cosines(tmp_path: Path) -> None:
    advantage, s = gradients()
    result = read(made(tmp_path, [{"advantage": advantage, "s": s, "leaf": [0.0, 1.0, 4.0, 9.0] * 2}]))
    assert isinstance(result.reading, Measured)
    declined = result.reading.fields["counterfactual.cosine"]
    assert isinstance(declined, Declined)
    assert "no rule reproduces" in declined.detail


def test_steps_read_alike_whatever_range_they_are_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [dict(zip(("advantage", "s"), gradients(seed), strict=True)) for seed in range(6)]
    whole = read(made(tmp_path / "whole", steps))
    monkeypatch.setattr("lens.runs.record.RANGE_ROWS", 16)
    parts = made(tmp_path / "parts", steps)
    assert len(parts.ranges) == 3
    assert read(parts) == whole


def test_a_record_alone_is_read_without_torch(tmp_path: Path) -> None:
    import subprocess
    import sys

    advantage, s = gradients()
    made(tmp_path, [{"advantage": advantage, "s": s}])
    script = f"""
import sys
from pathlib import Path
from lens.instrument import find
from lens.runs.record import open_folder
from lens.runs.review import Review
for name in ("update-partition", "gradient-norm", "policy-response"):
    find("runs", name).run(Review(run=open_folder(Path({str(tmp_path)!r}), "made", "made")))
print([name for name in ("torch", "transformers") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_gradients_it_says_what_would_give_them(tmp_path: Path) -> None:
    writer = Writer(tmp_path, tmp_path)
    writer.rollouts(tmp_path / "r", {"step": 1, "group": "a", "advantage": [1.0, -1.0]})
    found = update_partition(Review(run=opened(writer)))
    assert isinstance(found, Declined)
    assert found.remedy
