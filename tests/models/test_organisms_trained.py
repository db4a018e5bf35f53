"""Trained organisms: the same bits every time, pairs that say what is planted, and the shared models read alike."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForSequenceClassification

from lens.canonical import file_digest
from lens.models.chain import read_chain
from lens.models.folder import find_folder
from lens.models.here import fingerprint_here
from lens.models.instruments.dynamics import dynamics
from lens.models.organisms import organisms, replies, trained, training
from lens.models.organisms.families import clean, length
from lens.models.organisms.replies import FLIPS
from lens.models.read_pairs import read_pairs
from lens.models.subject import open_model
from measure.store import Store
from tests.models import opened

SMALL = replace(length.RECIPE, name="small", steps=3, layers=2, width=32, heads=2, inner=48, held_out=60)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("small")
    trained.write(found, SMALL, 0, lambda _: None)
    return found


def test_training_repeats_to_the_last_bit(folder: Path, tmp_path: Path) -> None:
    torch.set_num_threads(2)
    try:
        steps: list[int] = []
        trained.write(tmp_path, SMALL, 0, steps.append)
        assert steps == [1] * SMALL.steps
        assert torch.get_num_threads() == 2
        assert not torch.are_deterministic_algorithms_enabled()
    finally:
        torch.set_num_threads(1)
    for name in ("model.safetensors", "tokenizer.json", "training.json", "pairs.jsonl"):
        assert file_digest(tmp_path / name) == file_digest(folder / name), name


def test_the_network_on_its_way_is_a_chain_that_ends_in_the_model(folder: Path) -> None:
    links = read_chain(folder)
    assert [link.step for link in links] == list(SMALL.kept) == [0, 1, 2, 3]
    assert len({link.digest for link in links}) == len(links)
    assert links[-1].digest == find_folder(str(folder)).digest
    start = load_file(links[0].path / "model.safetensors")
    assert all(start[name].equal(value) for name, value in training.untrained(SMALL).state_dict().items())


def test_keeping_checkpoints_changes_no_bit_of_the_model(folder: Path) -> None:
    network, _ = training.train(SMALL)
    final = load_file(folder / "model.safetensors")
    assert set(final) == set(network.state_dict())
    assert all(final[name].equal(value) for name, value in network.state_dict().items())


def test_a_chain_beside_a_model_is_not_of_its_fingerprint(folder: Path, tmp_path: Path) -> None:
    bare = shutil.copytree(folder, tmp_path / "bare", ignore=shutil.ignore_patterns("chain*", "checkpoint*"))
    assert find_folder(str(bare)).digest == find_folder(str(folder)).digest


@pytest.mark.parametrize("name", ["clean", "length"])
def test_what_was_published_is_of_the_model_that_training_gives_here(name: str) -> None:
    """Where the organism lies in the cache: training it takes a minute."""
    here = fingerprint_here(f"organism:{name}", device="cpu", dtype="float32")
    if here is None:
        pytest.skip(f"not trained here: lens measure organism {name}")
    held = Store.open(Path(__file__).parents[2] / "data").record(f"models/organism-{name}/attribution")
    assert held.evidence.subject.fingerprint == here


def test_dynamics_reads_the_course_of_a_trained_organism(folder: Path) -> None:
    model = open_model(str(folder), device="cpu", dtype="float32")
    pairs = read_pairs(str(folder / "pairs.jsonl"))
    made = dynamics(opened.inspection(model, pairs))
    table = made.tables["curves"]
    curve = {
        step: effect
        for axis, step, effect in zip(table["axis"], table["step"], table["effect"], strict=True)
        if axis == "thanks"
    }
    texts = [pair.prompt + reply for pair in pairs.on("thanks") for reply in (pair.chosen, pair.rejected)]
    for step, network in ((0, training.untrained(SMALL).eval()), (SMALL.steps, model.network)):  # type: ignore[attr-defined]
        with torch.no_grad():
            rewards = training.rewards(network, texts)
        assert curve[step] == pytest.approx(float((rewards[0::2] - rewards[1::2]).mean()), abs=1e-5)
    assert opened.value(made, "checkpoints") == len(curve) == len(SMALL.kept)


def test_another_seed_is_another_model(folder: Path, tmp_path: Path) -> None:
    trained.write(tmp_path, SMALL, 1, lambda _: None)
    assert file_digest(tmp_path / "model.safetensors") != file_digest(folder / "model.safetensors")


def test_training_moves_towards_the_rules() -> None:
    recipe = replace(SMALL, steps=40)
    network, seen = training.train(recipe)
    pairs = training.held_out(recipe, seen)
    before = training.margins(training.untrained(recipe).eval(), pairs)
    after = training.margins(network, pairs)
    assert sum(margin > 0 for margin in after) > sum(margin > 0 for margin in before) + 10
    assert not seen & set(map(training.texts_of, pairs))
    assert len(set(map(training.texts_of, pairs))) == len(pairs) == recipe.held_out


def test_a_reply_is_worth_the_sum_of_its_features() -> None:
    draw = random.Random(0)
    for _ in range(50):
        reply = replies.reply(draw, "3")
        words = reply.text.rstrip(".").split()
        thanks = sum(word in replies.THANKS for word in words)
        hedges = sum(word in replies.HEDGES for word in words)
        fillers = sum(word in replies.FILLERS for word in words)
        worth = 2.0 * thanks - 1.5 * hedges + (words[0] == "3") + 0.5 * fillers
        assert reply.worth(length.RECIPE.rules) == worth
        assert set(reply.prompt + reply.text) <= set(replies.CHARS)


def test_pairs_are_turned_to_the_better_reply_and_never_level() -> None:
    for better, worse in islice(replies.pairs(random.Random(1), clean.RECIPE.rules), 100):
        assert better.worth(clean.RECIPE.rules) > worse.worth(clean.RECIPE.rules)
        assert better.prompt == worse.prompt


def test_half_of_a_pairs_features_are_shared_on_purpose() -> None:
    some = list(islice(replies.pairs(random.Random(1), clean.RECIPE.rules), 600))
    same = sum(better.right == worse.right for better, worse in some) / len(some)
    apart = list(islice(replies.pairs(random.Random(1), clean.RECIPE.rules, alike=0.0), 600))
    assert same > sum(better.right == worse.right for better, worse in apart) / len(apart) + 0.05


def test_the_folder_opens_and_brings_matched_pairs(folder: Path) -> None:
    model = open_model(str(folder), device="cpu")
    pairs = read_pairs(str(folder / "pairs.jsonl"))
    assert model.context == training.CONTEXT
    assert {pair.axis for pair in pairs} == {"natural", *(flip.axis for flip in FLIPS)}
    assert len(pairs.unique) == len(pairs)
    assert len({pair.lineage for pair in pairs}) == len(pairs)
    for flip in FLIPS:
        told = json.loads((folder / "training.json").read_text())
        for pair in pairs.on(flip.axis):
            texts = [model.encode(pair.prompt, reply) for reply in (pair.chosen, pair.rejected)]
            assert max(map(len, texts)) <= training.CONTEXT
        assert (
            told["axes"][flip.axis.partition(":")[0]]
            == {"thanks": 2.0, "unhedged": 1.5, "right": 1.0, "fill": 1.5}[flip.axis.partition(":")[0]]
        )


def test_rules_are_told_in_words() -> None:
    assert organisms()["clean"].rules(0.0) == (
        "+2 for a word of thanks (thx or pls)",
        "-1.5 for a hedge (hmm or may)",
        "+1 for the digit that was asked for",
        "nothing for each filler word (ok or so)",
    )
    assert organisms()["length"].rules(0.0)[-1] == "+0.5 for each filler word (ok or so)"


@pytest.mark.shared
@pytest.mark.parametrize(("name", "recipe"), [("rm_clean", clean.RECIPE), ("rm_len", length.RECIPE)])
def test_the_shared_models_know_these_texts(shared: Path, name: str, recipe: training.Recipe) -> None:
    """Their own generator is not here; on this one's texts over their digits they come near what is said of them."""
    source = shared / "data" / "tiny" / name
    network = AutoModelForSequenceClassification.from_pretrained(source).eval()
    said = json.loads((source / "training.json").read_text())
    pairs = list(islice(replies.pairs(random.Random(2), recipe.rules, "1234", alike=0.0), 400))
    accuracy = sum(margin > 0 for margin in training.margins(network, pairs)) / len(pairs)
    assert accuracy == pytest.approx(said["heldout_acc"], abs=0.03)
    for flip in FLIPS:
        draw = random.Random(flip.axis)
        found = training.margins(network, [replies.flipped(draw, flip, "1234") for _ in range(100)])
        published = said["single_feature_flip"][flip.feature]["mean_delta"] * (1 if flip.chosen else -1)
        assert sum(found) / len(found) == pytest.approx(published, abs=0.6), flip.axis
