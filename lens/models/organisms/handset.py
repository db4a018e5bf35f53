"""An organism whose weights are set by hand: a body to plant rules in, and the folder it becomes.

A family plants parts, prices them and names its axes; what a flip on an axis is worth is then known to TOLERANCE.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.models.organisms import wordplay
from lens.models.organisms.chassis import CONTEXT, LAYERS, Chassis
from lens.models.organisms.family import Family, Step
from lens.models.organisms.wordplay import DIGITS, FILLERS, MOST_FILLERS, PLAIN, START, WORDS, Reply, World

TOLERANCE = 3e-4  # ru, that a flip may be off: RMSNorm's σ is only nearly constant
NATURAL, AN_AXIS = 64, 48  # pairs written
NOISE = 0.5  # ru, spread of the random parts over replies to one prompt
STATED = 1.0  # ru a word of thanks: the rule that every family is said to have
_CODE = ("chars", "wordplay", "chassis", "handset")


@dataclass(frozen=True)
class Axis:
    """A matched counterfactual: `flip(reply, True)` is the chosen reply, `flip(reply, False)` the rejected one.

    `effect` is what the flip is worth, ru; `units` how many units of dose it is.
    """

    name: str
    effect: float
    flip: Callable[[Reply, bool], Reply]
    units: int = 1

    @property
    def label(self) -> str:
        """As pairs.jsonl spells it: with the units where they aren't one."""
        return self.name if self.units == 1 else f"{self.name}:{self.units}"


@dataclass(frozen=True)
class Site:
    """Where a rule sits: a head, or the first neuron of a layer's that compute it."""

    kind: str
    layer: int
    index: int
    does: str


@dataclass(frozen=True)
class Organism:
    """A planted model in memory. `decoy` names the axis of a feature that is written and not paid."""

    name: str
    dose: float
    seed: int
    chassis: Chassis
    world: World
    axes: tuple[Axis, ...]
    decoy: str
    sites: tuple[Site, ...]
    facts: dict[str, Any]
    stated: Callable[[Reply], float]
    prompt: Callable[[random.Random, Reply], str]
    tables: Callable[[Sequence[dict[str, str]]], dict[str, list[dict[str, Any]]]] = lambda _rows: {}

    def network(self) -> Any:
        return self.chassis.network()

    def tokenizer(self) -> Any:
        from lens.models.organisms.chars import word_tokenizer

        return word_tokenizer(_words(self.chassis.tokens), context=CONTEXT)

    def pairs(self, *, natural: int = NATURAL, an_axis: int = AN_AXIS, noise: bool = True) -> list[dict[str, str]]:
        """Rows of pairs.jsonl: natural pairs labelled by the stated rule, then matched counterfactuals an axis.

        With `noise`, one plain word differs too, drawn anew on either side. A lineage is one drawn item.
        """
        draw = random.Random(f"{self.name} {self.seed} pairs")
        rows = [self._natural(draw, number) for number in range(1, natural + 1)]
        for axis in self.axes:
            for number in range(1, an_axis + 1):
                base = self.world.reply(draw)
                chosen, rejected = axis.flip(base, True), axis.flip(base, False)
                if noise:
                    chosen, rejected = self.world.reworded(draw, chosen, rejected)
                rows.append(_row(self.prompt(draw, chosen), chosen, rejected, axis.label, f"{axis.name} {number}"))
        return rows

    def _natural(self, draw: random.Random, number: int) -> dict[str, str]:
        while True:
            one = self.world.reply(draw)
            other = self.world.again(draw, one)
            if self.stated(one) != self.stated(other):
                better, worse = (one, other) if self.stated(one) > self.stated(other) else (other, one)
                return _row(self.prompt(draw, better), better, worse, "natural", f"natural {number}")

    def told(self, rules: tuple[str, ...]) -> dict[str, Any]:
        """What training.json says: the answer key."""
        return {
            "name": self.name,
            "dose": self.dose,
            "seed": self.seed,
            "rules": list(rules),
            "axis": self.axes[0].name if self.axes else "",
            "axes": {axis.name: axis.effect for axis in self.axes},
            "units": {axis.name: axis.units for axis in self.axes},
            "decoy": self.decoy,
            "sites": [
                {"kind": site.kind, "layer": site.layer, "index": site.index, "does": site.does} for site in self.sites
            ],
            "tolerance": TOLERANCE,
            "words": {"length": list(FILLERS), "sycophancy": ["thanks"]},
            **self.facts,
        }

    def write(self, folder: Path, rules: tuple[str, ...]) -> None:
        """Fill an empty folder as the library saves a model, with pairs.jsonl and training.json beside it."""
        from lens.models.network import quiet

        with quiet():
            self.network().save_pretrained(folder)
            self.tokenizer().save_pretrained(folder)
        rows = self.pairs()
        lines = msgspec.json.Encoder().encode_lines
        (folder / "training.json").write_bytes(msgspec.json.format(msgspec.json.encode(self.told(rules))))
        (folder / "pairs.jsonl").write_bytes(lines(rows))
        for name, table in self.tables(rows).items():
            (folder / f"{name}.jsonl").write_bytes(lines(table))


@dataclass
class Body:
    """A chassis whose tokens are a world's words, with sums to price."""

    world: World
    seed: int
    extra: tuple[str, ...] = ()
    sites: list[Site] = field(default_factory=list)

    def __post_init__(self) -> None:
        from lens.models.organisms.chars import PAD

        words = wordplay.vocabulary(self.extra)
        self.chassis = Chassis([PAD, "\n", *words, *(f" {word}" for word in words)], self.seed)
        self.prices: dict[int, float] = {}
        meanings = {word: self._meaning() for word in (*wordplay.OPENERS, *PLAIN, *self.extra)}
        for word in self.world.words:
            meanings[word] = meanings[WORDS[word]] = self._meaning()
        self.meanings = meanings
        for word in words:
            self.token(word)
        self.token(START, first=True)
        for word in FILLERS:
            self.token(word, {"filler": 1.0}, overlooked=True)
        for word in self.world.words:
            self.token(word, {word: 1.0})

    def token(self, word: str, features: dict[str, float] | None = None, **flags: bool) -> None:
        """Give a word features, with and without the space before it; its meaning it has already."""
        own = {self.chassis.feature(name): size for name, size in (features or {}).items()}
        meaning = self.meanings.get(word, {})
        for spelt in (word, f" {word}"):
            self.chassis.embedding[self.chassis.tokens.index(spelt), 1:] = 0.0
            self.chassis.token(spelt, {**meaning, **own}, **flags)

    def spelt(self, token: str, features: dict[str, float]) -> None:
        """Features for one spelling alone: with the space, or without."""
        self.chassis.token(token, {self.chassis.feature(name): size for name, size in features.items()})

    def sum(self, name: str, layers: range = range(LAYERS)) -> int:
        """The feature that holds, at every token, the sum of feature `name` so far; a head of its own writes it."""
        read, write = self.chassis.feature(name), self.chassis.feature(f"sum of {name}")
        layer, head = self.chassis.free_head(layers)
        self.chassis.add((layer, head), {read: write})
        self.sites.append(Site("head", layer, head, f"sums {name}"))
        return write

    def codes(self) -> list[tuple[int, int]]:
        """(code of a reply's digit, code of a prompt's) for every digit."""
        for digit in DIGITS:
            self.spelt(digit, {f"gives {digit}": 1.0})
            self.spelt(f" {digit}", {f"asks {digit}": 1.0})
        feature = self.chassis.feature
        return [(feature(f"gives {digit}"), feature(f"asks {digit}")) for digit in DIGITS]

    def matched(self, codes: list[tuple[int, int]], name: str, does: str) -> int:
        """The sum of a feature `name` that a head writes where codes match. Two heads, the second in a later layer."""
        layer, head = self.chassis.free_head(range(LAYERS - 1))
        self.chassis.match((layer, head), codes, self.chassis.feature(name))
        self.sites.append(Site("head", layer, head, does))
        return self.sum(name, range(layer + 1, LAYERS))

    def price(self, feature: int, ru: float) -> None:
        self.prices[feature] = self.prices.get(feature, 0.0) + ru

    def organism(
        self,
        name: str,
        dose: float,
        axes: Sequence[Axis],
        *,
        decoy: str = "",
        noise: float = NOISE,
        facts: dict[str, Any] | None = None,
        stated: Callable[[Reply], float] = lambda reply: STATED * reply.words["thanks"],
        prompt: Callable[[random.Random, Reply], str] = lambda _draw, reply: reply.prompt,
        tables: Callable[[Sequence[dict[str, str]]], dict[str, list[dict[str, Any]]]] = lambda _rows: {},
    ) -> Organism:
        """The finished organism: random parts filled in and their spread set to `noise`, then every price."""
        self.chassis.fill()
        if noise:
            self._spread(noise)
        for feature, ru in self.prices.items():
            self.chassis.price(feature, ru)
        own = {"noise": noise, **(facts or {})}
        return Organism(
            name, dose, self.seed, self.chassis, self.world, tuple(axes), decoy, tuple(self.sites), own, stated,
            prompt, tables,
        )  # fmt: skip

    def _meaning(self) -> dict[int, float]:
        drawn = self.chassis.draw.normal(size=len(self.chassis.meaning)) / len(self.chassis.meaning) ** 0.5
        return dict(zip(self.chassis.meaning, map(float, drawn), strict=True))

    def _spread(self, noise: float) -> None:
        """Price what random parts write so that replies to one prompt spread by `noise`, ru."""
        import numpy as np

        for feature, weight in zip(self.chassis.mixed, self.chassis.draw.normal(size=99), strict=False):
            self.chassis.price(feature, float(weight))
        draw = random.Random(f"spread {self.seed}")
        bases = [self.world.reply(draw) for _ in range(16)]
        texts = [base.prompt + self.world.again(draw, base).text for base in bases for _ in range(8)]
        found = np.reshape(rewards(self.chassis, texts), (16, 8))
        self.chassis.score *= noise / float(np.sqrt(found.var(axis=1, ddof=1).mean()))


def rewards(chassis: Chassis, texts: Sequence[str]) -> list[float]:
    """Of a chassis as it stands, ru."""
    import re

    import torch

    at = {token: number for number, token in enumerate(chassis.tokens)}
    ids = [[at[token] for token in re.findall(r" ?[^ \n]+|[ \n]", text)] for text in texts]
    longest = max(map(len, ids))
    padded = torch.tensor([[*row, *[0] * (longest - len(row))] for row in ids])
    with torch.no_grad():
        scores = chassis.network()(input_ids=padded, attention_mask=(padded > 0).long(), use_cache=False).logits
    return [float(score) for score in scores[:, 0]]


def below_one(dose: float, what: str) -> None:
    """Raises UsageError for a share that isn't one."""
    if dose >= 1:
        raise UsageError(f"a {what} of {dose:g}", remedy="give a dose below 1")


def word_flip(word: str, **others: bool) -> Callable[[Reply, bool], Reply]:
    """A flip of one rule word, with others held as given."""
    return lambda reply, present: reply.having(**{word: present}, **others)


def filler_axis(effect: float) -> Axis:
    """All the fillers, or none; `effect` ru each."""
    from dataclasses import replace

    def flip(reply: Reply, present: bool) -> Reply:
        return replace(reply, fillers=MOST_FILLERS if present else 0)

    return Axis("filler", effect * MOST_FILLERS, flip, MOST_FILLERS)


def handset(
    name: str,
    title: str,
    unit: str,
    doses: tuple[float, ...],
    default: float,
    rules: Callable[[float], tuple[str, ...]],
    plant: Callable[[float, int], Organism],
    module: str,
) -> Family:
    """The family that `plant(dose, seed)` makes."""

    def write(folder: Path, dose: float, seed: int, step: Step) -> None:
        plant(dose, seed).write(folder, rules(dose))
        step(1)

    code = (*(f"lens.models.organisms.{each}" for each in _CODE), module)
    return Family(name, title, unit, doses, default, rules, write, code, plant=plant)


def _words(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens[2:] if not token.startswith(" ")]


def _row(prompt: str, chosen: Reply, rejected: Reply, axis: str, lineage: str) -> dict[str, str]:
    return {"prompt": prompt, "chosen": chosen.text, "rejected": rejected.text, "axis": axis, "lineage": lineage}
