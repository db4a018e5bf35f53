"""Gradients computed with a model: three ways agree with each other and with the trainer's own formula, on runs that
tiny random policies made here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'evidence-lens[models]'")

import tiny_policies as tiny  # noqa: E402

from lens.access import Access  # noqa: E402
from lens.errors import UsageError  # noqa: E402
from lens.reading import Declined, Measured, Quantity, Result  # noqa: E402
from lens.runs.gradients.loss import normalisation, weights  # noqa: E402
from lens.runs.gradients.policy import chain  # noqa: E402
from lens.runs.gradients.products import Batch, Kl, _by_loop, products  # noqa: E402
from lens.runs.gradients.whole import norm, whole_gradient  # noqa: E402
from lens.runs.instruments.update_partition import update_partition  # noqa: E402
from lens.runs.record import Record  # noqa: E402
from lens.runs.review import Review  # noqa: E402

ADVANTAGES = [1.2, -1.0, 0.3, -0.3, 0.0, 2.0]


def batch(seed: int = 1) -> Batch:
    draw = torch.Generator().manual_seed(seed)
    prompts = [torch.randint(3, 30, (n,), generator=draw).tolist() for n in (3, 3, 5, 5, 4, 4)]
    return Batch.of(prompts, [torch.randint(2, 30, (n,), generator=draw).tolist() for n in (4, 7, 2, 6, 5, 9)])


def far(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one - other).max() / np.abs(other).max())


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("kind", ["grpo", "dapo", "dr_grpo"])
@pytest.mark.parametrize("beta", [0.0, 0.1])
def test_three_ways_agree_and_add_to_the_trainers_own_gradient(tied: bool, kind: str, beta: float) -> None:
    model, given = tiny.network(tie_word_embeddings=tied), batch()
    reference = torch.randn(given.asked.shape, generator=torch.Generator().manual_seed(2)) * 0.1 - 4
    for corrected in (False, True) if beta else (False,):
        kl = Kl(beta, reference, corrected) if beta else None
        own = weights(kind, given.lengths, 12)
        loop, vmap, ghost = (products(model, given, own, kl=kl, way=way, temperature=0.8) for way in WAYS)
        assert (loop.way, vmap.way, ghost.way) == WAYS
        for other in (vmap, ghost):
            assert far(other.gram, loop.gram) < 1e-5
            assert not beta or far(other.term, loop.term) < 1e-5
        whole = norm(whole_gradient(model, given, ADVANTAGES, kind=kind, longest=12, kl=kl, temperature=0.8))
        a = np.array(ADVANTAGES)
        for one in (loop, vmap, ghost):
            square = a @ one.gram @ a + (2 * a @ one.term[:-1] + one.term[-1] if beta else 0.0)
            assert square**0.5 == pytest.approx(whole, rel=1e-5)


WAYS = ("loop", "vmap", "ghost")


def test_the_stored_gradients_add_to_the_whole_one_number_by_number() -> None:
    model, given = tiny.network(), batch()
    each, _ = _by_loop(model, given, torch.tensor(weights("grpo", given.lengths, None)), 1.0, None)
    whole = whole_gradient(model, given, ADVANTAGES, kind="grpo", longest=None)
    factor = torch.tensor(ADVANTAGES)
    largest = max(float(one.abs().max()) for one in whole.values())
    for name, found in each.items():
        assert torch.tensordot(factor, found, dims=1) == pytest.approx(whole[name], abs=1e-5 * largest)


@pytest.mark.parametrize("kind", ["gpt2", "qwen2", "qwen3", "gemma2", "mistral"])
def test_ghost_products_hold_for_other_families(kind: str) -> None:
    """Position embeddings, scaled embeddings, biases, norms of heads, layers stored the other way round."""
    model, given = tiny.network(kind), batch()
    own = weights("dapo", given.lengths, None)
    ghost, loop = (products(model, given, own, way=way) for way in ("ghost", "loop"))
    assert ghost.way == "ghost"
    assert far(ghost.gram, loop.gram) < 1e-5


def test_a_layer_that_mixes_rollouts_falls_back_to_a_loop() -> None:
    model, given = tiny.network("mixtral", num_local_experts=4, num_experts_per_tok=2), batch()
    found = products(model, given, weights("grpo", given.lengths, None), way="ghost")
    assert found.way == "loop"
    whole = norm(whole_gradient(model, given, ADVANTAGES, kind="grpo", longest=None))
    a = np.array(ADVANTAGES)
    assert (a @ found.gram @ a) ** 0.5 == pytest.approx(whole, rel=1e-5)


def test_padding_changes_nothing() -> None:
    model, given = tiny.network(), batch()
    wide = Batch(torch.nn.functional.pad(given.ids, (0, 5)), torch.nn.functional.pad(given.asked, (0, 5)))
    own = weights("grpo", given.lengths, None)
    assert far(products(model, wide, own, way="ghost").gram, products(model, given, own, way="ghost").gram) < 1e-5


def test_normalisations_by_their_names_at_two_trainers() -> None:
    assert [normalisation(name) for name in ("grpo", "bnpo", "dapo", "dr_grpo")] == ["grpo", "dapo", "dapo", "dr_grpo"]
    assert [normalisation(name) for name in ("token-mean", "seq-mean-token-mean")] == ["dapo", "grpo"]
    assert normalisation("vespo") is normalisation(None) is None
    with pytest.raises(ValueError, match="longest"):
        weights("dr_grpo", [1], None)


def trained(folder: Path) -> tuple[Path, dict[int, list[dict[str, Any]]]]:
    """A run of two updates: checkpoint-0 and checkpoint-1, and the rollouts each sampled for steps 1 and 2."""
    steps = {}
    for number in (0, 1):
        model = tiny.network(seed=number)
        tiny.saved(model, folder / f"checkpoint-{number}")
        rows = tiny.sampled(model, tiny.PROMPTS, seed=number)
        rewards = [row["completion"].count("e") + 0.1 * row["tokens"] for row in rows]
        for row, advantage in zip(rows, tiny.advantages(rewards), strict=True):
            row["advantage"] = advantage
        steps[number + 1] = rows
    return folder, steps


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, list[dict[str, Any]]]]:
    return trained(tmp_path_factory.mktemp("policies"))


def autograd(model: Any, rows: list[dict[str, Any]], kind: str) -> float:
    """The norm of the gradient of GRPO's loss, one sequence after another, from sampled ids: nothing of ours in it."""
    words = tiny.tokenizer()
    model.requires_grad_(True)
    losses, lengths = [], [len(row["ids"]) for row in rows]
    for row in rows:
        before = words(row["prompt"])["input_ids"]
        logps = torch.log_softmax(model(input_ids=torch.tensor([before + row["ids"]])).logits[0], -1)
        taken = torch.stack([logps[len(before) - 1 + at, token] for at, token in enumerate(row["ids"])])
        losses.append(-(torch.exp(taken - taken.detach()) * row["advantage"]).sum())
    per = {
        "grpo": sum(one / n for one, n in zip(losses, lengths, strict=True)) / len(rows),
        "dapo": sum(losses) / sum(lengths),
        "dr_grpo": sum(losses) / (len(rows) * tiny.LONGEST),
    }
    per[kind].backward()
    found = float(sum((one.grad**2).sum() for one in model.parameters()) ** 0.5)
    model.zero_grad()
    model.requires_grad_(False)
    return found


def read(record: Record, model: Path, **more: Any) -> Result | Declined:
    access = Access.parse("record.record policy.backward")
    return update_partition(Review(run=record, access=access, model=str(model), **more))


def fields(result: Result | Declined) -> dict[str, Any]:
    assert isinstance(result, Result), result
    assert isinstance(result.reading, Measured)
    return result.reading.fields


@pytest.mark.parametrize("kind", ["grpo", "dapo", "dr_grpo"])
def test_a_run_made_by_a_tiny_policy_has_the_gradients_that_autograd_gives(
    made: tuple[Path, Any], tmp_path: Path, kind: str
) -> None:
    folder, steps = made
    result = read(tiny.run(tmp_path / "run", steps, loss=kind), folder)
    found = fields(result)
    assert (found["read"].value, found["read"].of) == (2, 2)
    assert found["full-gradient.error"].value < 1e-5
    assert found["parity"].value < 1e-5
    assert isinstance(result, Result)
    expected = [autograd(tiny.network(seed=number), steps[number + 1], kind) for number in (0, 1)]
    assert result.tables["steps"]["norm"] == pytest.approx(expected, rel=1e-5)
    for step in (1, 2):
        shares = [
            s for at, s in zip(*(result.tables["rollouts"][n] for n in ("step", "share")), strict=True) if at == step
        ]
        assert sum(shares) == pytest.approx(1.0, abs=1e-6)


def test_the_norm_that_was_logged_must_be_the_one_computed(made: tuple[Path, Any], tmp_path: Path) -> None:
    folder, steps = made
    logged = autograd(tiny.network(seed=0), steps[1], "dapo")
    right = tiny.run(tmp_path / "right", {1: steps[1]}, series={1: {"grad_norm": logged}})
    assert fields(read(right, folder))["logged-norm.error"].value < 1e-5
    wrong = tiny.run(tmp_path / "wrong", {1: steps[1]}, series={1: {"grad_norm": 1.1 * logged}})
    declined = read(wrong, folder)
    assert isinstance(declined, Declined)
    assert "logged" in declined.detail


def test_a_model_that_did_not_sample_them_is_told_by_their_log_probabilities(
    made: tuple[Path, Any], tmp_path: Path
) -> None:
    folder, steps = made
    declined = read(tiny.run(tmp_path / "run", {1: steps[2], 2: steps[1]}), folder)
    assert isinstance(declined, Declined)
    assert "other log-probabilities" in declined.detail


@pytest.mark.parametrize(
    ("change", "drop", "settings", "told"),
    [
        ({"tokens": 3}, (), {}, "tokens that were sampled"),
        ({"completion": "ab\ufffd"}, ("tokens", "logp_old"), {}, "tokens that were sampled"),
        ({"advantage": None}, (), {}, "isn't finite"),
        ({}, (), {"batch_size": 16}, "lacks some of its rollouts"),
        ({}, (), {"loss": "cispo"}, "the loss is cispo"),
        ({}, (), {"loss": None}, "doesn't say which loss"),
        ({}, (), {"entropy": 0.01}, "entropy bonus"),
        ({}, (), {"beta": 0.1}, "its reference wasn't given"),
        ({}, ("advantage",), {}, "no advantage"),
        ({}, ("logp_old",), {"iterations": None}, "nothing says"),
        ({}, (), {"iterations": 2}, ""),
    ],
)
def test_what_could_not_be_right_declines(
    made: tuple[Path, Any], tmp_path: Path, change: dict[str, Any], drop: tuple[str, ...], settings: dict[str, Any],
    told: str,
) -> None:  # fmt: skip
    folder, steps = made
    rows = [steps[1][0] | change, *steps[1][1:]]
    result = read(tiny.run(tmp_path / "run", {1: rows}, drop=drop, **settings), folder)
    if told:
        assert isinstance(result, Declined)
        assert told in result.detail
        assert result.remedy
    else:  # the first update of a generation is on its policy, whatever the later ones are
        assert fields(result)["read"].value == 1


def test_a_kl_term_is_one_row_more(made: tuple[Path, Any], tmp_path: Path) -> None:
    folder, steps = made
    record = tiny.run(tmp_path / "run", {2: steps[2]}, beta=0.2)
    found = fields(read(record, folder, reference=str(folder / "checkpoint-0")))
    assert found["read"].value == 1
    assert found["full-gradient.error"].value < 1e-5
    assert isinstance(found["term-share.median"], Quantity)


def test_which_policy_sampled_which_step(made: tuple[Path, Any], tmp_path: Path) -> None:
    folder, steps = made
    from_one = tiny.run(tmp_path / "one", steps)
    assert {step: path.name for step, path in chain(str(folder), from_one).items()} == {
        1: "checkpoint-0", 2: "checkpoint-1",
    }  # fmt: skip
    from_zero = tiny.run(tmp_path / "zero", {0: steps[1], 1: steps[2]})
    assert sorted(chain(str(folder), from_zero)) == [0, 1]
    assert list(chain(str(folder / "checkpoint-1"), from_one)) == [2]
    plain = tiny.saved(tiny.network(), tmp_path / "start")
    assert list(chain(str(plain), from_one)) == [1]
    with pytest.raises(UsageError, match="holds no model"):
        chain(str(tmp_path / "nothing"), from_one)
    other = read(tiny.run(tmp_path / "later", {7: steps[1]}), folder)
    assert isinstance(other, Declined)
    assert "sampled a step" in other.detail


def test_other_weights_are_another_reading(made: tuple[Path, Any], tmp_path: Path) -> None:
    folder, steps = made
    record = tiny.run(tmp_path / "run", steps)
    digests = {Review(run=record, model=str(folder / name)).policies for name in ("checkpoint-0", "checkpoint-1", "")}
    assert len(digests) == 3
