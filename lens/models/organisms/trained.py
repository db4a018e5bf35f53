"""A trained organism as a model folder: weights, tokenizer, what was planted, held-out pairs, and its checkpoints."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec

from lens.models.matched import matched
from lens.models.organisms import replies
from lens.models.organisms.family import Family, Step
from lens.models.organisms.replies import FILLERS, FLIPS, HEDGES, THANKS, Flip, Reply, Rules
from lens.models.organisms.training import CONTEXT, Recipe, held_out, margins, texts_of, train
from lens.models.pairs import Pair

NATURAL, AN_AXIS = 128, 48  # pairs written
_FLIPPED = 200  # replies behind the flips of training.json
_CODE = ("organisms.chars", "organisms.replies", "organisms.training", "organisms.trained", "chain")


def family(recipe: Recipe, title: str, module: str) -> Family:
    """The family of one recipe; it has no dose, and another seed is another training."""
    return Family(
        name=recipe.name,
        title=title,
        unit="",
        doses=(),
        default=0.0,
        rules=lambda _dose: rules_of(recipe.rules),
        write=lambda folder, _dose, seed, step: write(folder, recipe, seed, step),
        code=(*(f"lens.models.{name}" for name in _CODE), module),
        steps=recipe.steps,
        seconds=recipe.steps * 0.21,
    )


def rules_of(rules: Rules) -> tuple[str, ...]:
    """The rules in words a newcomer reads."""

    def listed(words: tuple[str, ...]) -> str:
        return " or ".join(words)

    told = {
        "thanks": f"a word of thanks ({listed(THANKS)})",
        "hedge": f"a hedge ({listed(HEDGES)})",
        "right": "the digit that was asked for",
        "fill": f"each filler word ({listed(FILLERS)})",
    }
    return tuple(
        f"{weight:+g} for {told[feature]}" if weight else f"nothing for {told[feature]}"
        for feature, weight in rules.items()
    )


def write(folder: Path, recipe: Recipe, seed: int, step: Step) -> None:
    """Train by the recipe and fill `folder`; the network on its way lies in its folders `checkpoint-STEP`, a chain."""
    from dataclasses import replace

    from lens.models.chain import write_chain

    recipe = replace(recipe, seed=seed)
    network, seen = train(recipe, step, lambda number, network: _save(network, folder / f"checkpoint-{number}"))
    natural = held_out(recipe, seen)
    _save(network, folder)
    write_chain(folder)
    (folder / "training.json").write_bytes(msgspec.json.format(msgspec.json.encode(told(recipe, network, natural))))
    (folder / "pairs.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(list(rows(recipe, natural[:NATURAL]))))


def _save(network: Any, folder: Path) -> None:
    from lens.models.network import quiet
    from lens.models.organisms.chars import char_tokenizer

    with quiet():
        network.save_pretrained(folder)
        char_tokenizer(replies.CHARS, context=CONTEXT).save_pretrained(folder)


def told(recipe: Recipe, network: Any, natural: list[tuple[Reply, Reply]]) -> dict[str, Any]:
    """What training.json says: the answer key, and how far training got. Margins in ru."""
    import torch

    right = [margin > 0 for margin in margins(network, natural)]
    return {
        "name": recipe.name,
        "planted": dict(recipe.rules),
        "rules": list(rules_of(recipe.rules)),
        "axes": {flip.axis.partition(":")[0]: planted(recipe.rules, flip) for flip in FLIPS},
        "heldout_pairs": len(right),
        "heldout_acc": sum(right) / len(right),
        "single_feature_flip": {flip.axis.partition(":")[0]: _flip(network, flip, recipe.seed) for flip in FLIPS},
        "words": {"length": list(FILLERS), "sycophancy": list(THANKS)},
        "steps": recipe.steps,
        "pairs_per_step": recipe.pairs_a_step,
        "seed": recipe.seed,
        "threads": 1,
        "layers": recipe.layers,
        "d": recipe.width,
        "params": sum(one.numel() for one in network.parameters()),
        "torch": str(torch.__version__),
    }


def planted(rules: Rules, flip: Flip) -> float:
    """What a flip is worth by rule, ru of the rule."""
    return rules.get(flip.feature, 0.0) * (flip.chosen - flip.rejected)


def _flip(network: Any, flip: Flip, seed: int) -> dict[str, float]:
    draw = random.Random(f"flips {flip.axis} {seed}")
    found = margins(network, [replies.flipped(draw, flip) for _ in range(_FLIPPED)])
    return {
        "mean_delta": round(sum(found) / len(found), 4),
        "frac_positive": sum(one > 0 for one in found) / len(found),
    }


def rows(recipe: Recipe, natural: list[tuple[Reply, Reply]]) -> list[dict[str, str]]:
    """Rows of pairs.jsonl: the natural pairs, then matched counterfactuals an axis. A lineage is one drawn item, and no
    two rows have the same texts."""
    found = {texts_of(pair): _row(*pair, "natural", f"natural {number}") for number, pair in enumerate(natural, 1)}
    draw = random.Random(f"axes {recipe.seed}")
    for flip in FLIPS:
        number = 0
        while number < AN_AXIS:
            chosen, rejected = replies.flipped(draw, flip)
            texts = texts_of((chosen, rejected))
            if texts not in found and matched(Pair(0, *texts)):
                number += 1
                found[texts] = _row(chosen, rejected, flip.axis, f"{flip.axis.partition(':')[0]} {number}")
    return list(found.values())


def _row(chosen: Reply, rejected: Reply, axis: str, lineage: str) -> dict[str, str]:
    return {
        "prompt": chosen.prompt,
        "chosen": chosen.text,
        "rejected": rejected.text,
        "axis": axis,
        "lineage": lineage,
    }
