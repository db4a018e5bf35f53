"""Hand-set organisms: what a flip is worth is what was planted, and it sits where it is said to."""

from __future__ import annotations

import json
import math
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
import torch
from organism_series import calibrated

from lens.models.organisms import find_family
from lens.models.organisms.chassis import HEAD
from lens.models.organisms.families import annotators, cycle, rubric
from lens.models.organisms.handset import TOLERANCE, Organism, rewards
from lens.models.organisms.wordplay import PLAIN
from lens.models.pairs import Pair
from lens.models.read_pairs import read_pairs
from lens.models.subject import open_model

FAMILIES = [name for name in calibrated() if name != "cycle"]
QUIET = ("rubric", "leaning", "torn", "kindred", "joint", "held")  # no random parts, and at dose 0 no taste
LOUD = {"unused": 2e-3}  # by the norm, a word written eight times as loud makes all that is paid smaller


def planted(name: str, dose: float, seed: int) -> Organism:
    plant = find_family(name).plant
    assert plant is not None
    return plant(dose, seed)


def margins(organism: Organism, rows: list[dict[str, str]]) -> np.ndarray:
    texts = [row["prompt"] + row[side] for row in rows for side in ("chosen", "rejected")]
    found = np.array(rewards(organism.chassis, texts))
    return found[0::2] - found[1::2]


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("seed", [0, 7])
def test_a_flip_is_worth_what_was_planted(name: str, seed: int) -> None:
    for dose in find_family(name).doses[::2]:
        organism = planted(name, dose, seed)
        rows = organism.pairs(natural=0, an_axis=12, noise=False)
        found = margins(organism, rows)
        for axis in organism.axes:
            on = [i for i, row in enumerate(rows) if row["axis"] == axis.label]
            assert np.abs(found[on] - axis.effect).max() < LOUD.get(name, TOLERANCE), axis.name
        effects = {axis.name: axis.effect for axis in organism.axes}
        assert name == "kindred" or effects[organism.decoy] == 0.0  # whose decoy is another two of them


@pytest.mark.parametrize("name", FAMILIES)
def test_noise_favours_neither_side(name: str) -> None:
    organism = planted(name, 0.0, 3)
    rows = organism.pairs(natural=0, an_axis=80)
    found = margins(organism, rows)
    on = [i for i, row in enumerate(rows) if row["axis"] == organism.axes[0].label]
    off = found[on] - organism.axes[0].effect
    assert abs(off.mean()) < 3.5 * off.std(ddof=1) / math.sqrt(len(on)) + TOLERANCE
    assert (off.std() > 0.05) == (name not in QUIET)


@pytest.mark.parametrize("name", ["spurious", "filler", "relational", "gate", "hidden"])
def test_the_rule_sits_where_it_is_said_to(name: str) -> None:
    organism = planted(name, 1.0, 2)
    rows = organism.pairs(natural=0, an_axis=6, noise=False)
    rows = [row for row in rows if row["axis"] == organism.axes[0].label]
    site = organism.sites[0]
    assert site.kind == "head"
    organism.chassis.o[site.layer, site.index] = 0.0
    assert np.abs(margins(organism, rows)).max() < TOLERANCE


def test_a_gate_is_one_product_of_an_mlp() -> None:
    organism = planted("gate", 2.0, 1)
    site = next(site for site in organism.sites if site.kind == "mlp")
    rows = [row for row in organism.pairs(natural=0, an_axis=6, noise=False) if row["axis"] == "gated"]
    organism.chassis.down[site.layer, site.index : site.index + 2] = 0.0
    assert np.abs(margins(organism, rows)).max() < TOLERANCE


def test_organisms_of_one_family_are_different_models() -> None:
    one, other = planted("spurious", 1.0, 0), planted("spurious", 1.0, 1)
    assert not np.allclose(one.chassis.embedding, other.chassis.embedding)
    assert len({planted("spurious", 1.0, seed).sites[0].layer for seed in range(8)}) > 1
    same = planted("spurious", 1.0, 0)
    assert np.array_equal(one.chassis.embedding, same.chassis.embedding)
    assert one.pairs() == same.pairs()


def test_the_dose_moves_nothing_but_its_rule() -> None:
    texts = ["> ask 3 ?\n3 river today so perhaps stone ."] * 1 + ["> name 5 ?\n2 cloud thanks perhaps paper ."]
    low, high = (rewards(planted("spurious", dose, 4).chassis, texts) for dose in (0.0, 2.0))
    assert low == pytest.approx(high, abs=TOLERANCE)


def test_replies_spread_by_random_parts() -> None:
    organism = planted("spurious", 0.0, 5)
    words = [f"> ask 3 ?\n3 {a} today {b} perhaps ." for a, b in permutations(PLAIN[:8], 2)]
    assert 0.1 < np.std(rewards(organism.chassis, words)) < 1.5


def test_the_folder_scores_as_the_weights_in_memory(spurious_folder: Path) -> None:
    organism = planted("spurious", 1.0, 1)
    model = open_model(str(spurious_folder), device="cpu")
    pairs = read_pairs(str(spurious_folder / "pairs.jsonl"))
    some: list[Pair] = list(pairs)[:20]
    encoded = [model.encode(pair.prompt, pair.chosen) for pair in some]
    expected = rewards(organism.chassis, [f"{pair.prompt}{pair.chosen}" for pair in some])
    assert model.rewards(encoded) == pytest.approx(expected, abs=1e-4)
    assert model.native(encoded, "left") == pytest.approx(expected, abs=1e-4)
    told = json.loads((spurious_folder / "training.json").read_text())
    assert told["axis"] == "spurious"
    assert told["axes"] == {"spurious": 1.0, "thanks": 1.0, "filler": 0.0}
    assert told["decoy"] == "filler"


def test_attribution_finds_the_planted_head(spurious_folder: Path) -> None:
    """The planted head's part of the margin is the rule itself; with the others' it adds up."""
    organism = planted("spurious", 1.0, 1)
    site = organism.sites[0]
    model = open_model(str(spurious_folder), device="cpu")
    rows = [row for row in organism.pairs(natural=0, an_axis=4, noise=False) if row["axis"] == "spurious"]
    network = model.network
    block = network.model.layers[site.layer].self_attn
    seen: list[torch.Tensor] = []
    hook = block.o_proj.register_forward_pre_hook(lambda _module, given: seen.append(given[0][0, -1]))
    try:
        for row in rows:
            parts = []
            for side in ("chosen", "rejected"):
                seen.clear()
                ids = torch.tensor([model.encode(row["prompt"], row[side]).ids])
                with torch.no_grad():
                    network(input_ids=ids)
                part = slice(site.index * HEAD, (site.index + 1) * HEAD)
                written = block.o_proj.weight[:, part] @ seen[0][part]
                parts.append(float(network.score.weight[0] @ written) / 128.0)
            assert parts[0] - parts[1] == pytest.approx(1.0, abs=1e-3)
    finally:
        hook.remove()


def test_annotators_vote_by_their_shares() -> None:
    dose = 0.3
    organism = planted("annotators", dose, 2)
    rows = organism.pairs(noise=False)
    votes = organism.tables(rows)["votes"]
    assert [vote["pair"] for vote in votes] == list(range(1, len(rows) + 1))
    contested = [i for i, row in enumerate(rows) if row["axis"] == "contested"]
    like, dislike = 1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1))
    assert votes[contested[0]]["share"] == pytest.approx(0.7 * like + 0.3 * dislike)
    found = sum(votes[i]["votes"] for i in contested) / (annotators.RATERS * len(contested))
    expected = 0.7 * like + 0.3 * dislike
    assert found == pytest.approx(expected, abs=4 * math.sqrt(0.25 / annotators.RATERS / len(contested)))


def test_a_rubrics_tacit_share_is_the_dose() -> None:
    """Exact over the even draw of words: rewards of every combination, weighted alike."""
    dose = 0.35
    organism = planted("rubric", dose, 4)
    tastes = np.array([*organism.facts["tastes"].values()])
    tacit = rubric.WRITTEN * tastes.var()
    explicit = sum(worth**2 / 4 for worth in rubric.PREDICATES.values())
    assert tastes.mean() == pytest.approx(0.0, abs=1e-12)
    assert tacit / (tacit + explicit) == pytest.approx(dose)
    texts = [f"> ask 3 ?\n3 {word} plain vivid calm perhaps river stone ." for word in PLAIN]
    found = np.array(rewards(organism.chassis, texts))
    assert found - found.mean() == pytest.approx(tastes - tastes.mean(), abs=TOLERANCE)


@pytest.mark.parametrize("dose", [0.0, 0.3])
def test_a_circle_is_skew_and_has_its_share(dose: float) -> None:
    organism = planted("cycle", dose, 3)
    duels = organism.tables([])["duels"]
    found = rewards(organism.chassis, [duel["prompt"] + duel["response"] for duel in duels])
    assert found == pytest.approx([duel["reward"] for duel in duels], abs=TOLERANCE)
    flow = {(duel["rival"], duel["style"]): value for duel, value in zip(duels, found, strict=True)}
    for (i, j), value in flow.items():
        assert value == pytest.approx(-flow[j, i], abs=2 * TOLERANCE)
    # on a complete graph the gradient part of the Hodge split is the difference of mean outflows
    out = {i: -sum(flow[i, j] for j in cycle.STYLES if j != i) / len(cycle.STYLES) for i in cycle.STYLES}
    around = sum((value - (out[j] - out[i])) ** 2 for (i, j), value in flow.items())
    assert around / sum(value**2 for value in flow.values()) == pytest.approx(dose, abs=1e-3)


def test_without_a_rival_a_circle_is_its_worths() -> None:
    organism = planted("cycle", 0.3, 3)
    found = rewards(organism.chassis, [f"> ask 3 ?\n3 {style} ." for style in cycle.STYLES])
    assert found == pytest.approx([organism.facts["worths"][style] for style in cycle.STYLES], abs=TOLERANCE)
    row = organism.pairs(natural=3)[0]
    assert f" {cycle.BAR}\n" in row["prompt"]
