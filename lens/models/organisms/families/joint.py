"""Joint: two kinds of words are each written at several heads and MLPs, in part at the same ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.models.organisms.chassis import HEADS, LAYERS
from lens.models.organisms.handset import STATED, Axis, Body, Organism, Site, handset, word_flip
from lens.models.organisms.wordplay import END, Reply, World

if TYPE_CHECKING:
    import numpy as np

PAID = 1.0  # ru for any of these words
WRITERS = 4  # places that write a word, in equal parts
MLP = HEADS  # a layer's last place
PLACES = tuple((layer, index) for layer in range(LAYERS) for index in range(HEADS + 1))
TELLS = (0, 0)  # the head that tells the MLPs which words stand; what it tells is not paid for
KINDS = {"one": ("indeed", "cedar"), "other": ("amber", "candid")}
PARTS = ("one 0", "one 1", "other 0", "other 1", "thanks")


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{PAID:+g} for `indeed` and for `cedar`, each written by {WRITERS} heads or MLPs in equal parts",
        f"{PAID:+g} for `amber` and for `candid`: {dose:.0%} of it written by the same ones, the rest by {WRITERS} of "
        "all, drawn",
        f"{STATED:+g} for `thanks`, written by {WRITERS} that are none of theirs",
        "nothing for `north`, which is written nowhere",
    )


def plant(dose: float, seed: int) -> Organism:
    """Two kinds of words, two words each, so that pairs of one kind are not all written alike. Places of the second
    kind's rest are drawn without regard to the first's: with no dose its places are the same, permuted.

    Without random parts, which write something of every pair at places of their own. Raises UsageError for a dose
    above 1.
    """
    if dose > 1:
        raise UsageError(f"a share of {dose:g} written at the same places", remedy="give a dose up to 1")
    body = Body(World(("thanks", "north", *KINDS["one"], *KINDS["other"])), seed)
    places = {part: _some(body.chassis.draw, PLACES) for part in PARTS[:-1]}
    first = {*places["one 0"], *places["one 1"]}
    places["thanks"] = _some(body.chassis.draw, [place for place in PLACES if place not in first])
    holds = {"thanks": {"thanks": 1.0}}
    for number, (word, twin) in enumerate(zip(*KINDS.values(), strict=True)):
        holds[word] = {f"one {number}": 1.0}
        holds[twin] = {f"one {number}": dose, f"other {number}": 1 - dose}
    for word, parts in holds.items():
        body.token(
            word, {f"{what} {part}": size / WRITERS for part, size in parts.items() for what in ("holds", "shows")}
        )
    body.token(END, {"end": 1.0})
    for place in PLACES:
        _write(body, place, [part for part in PARTS if place in places[part]])
    body.price(body.chassis.feature("paid"), PAID)
    axes = (
        *(Axis(kind, PAID, _flip(*words)) for kind, words in KINDS.items()),
        Axis("thanks", STATED, word_flip("thanks")),
        Axis("spurious", 0.0, word_flip("north")),
    )
    one, other = ([holds[word] for word in words] for words in KINDS.values())
    facts = {"overlap": _overlap(one, other, places)}
    return body.organism("joint", dose, axes, decoy="spurious", noise=0.0, facts=facts)


def _flip(one: str, other: str) -> Callable[[Reply, bool], Reply]:
    """Of one word or the other, by the toss of a third."""

    def flip(reply: Reply, present: bool) -> Reply:
        return reply.having(**{one if reply.words["north"] else other: present})

    return flip


def _overlap(
    one: list[dict[str, float]], other: list[dict[str, float]], places: dict[str, list[tuple[int, int]]]
) -> float:
    """The weighted Jaccard of two kinds whose words stand equally often."""
    from lens.stats.overlap import jaccard

    def written(words: list[dict[str, float]]) -> list[float]:
        return [
            sum(size for parts in words for part, size in parts.items() if place in places[part]) for place in PLACES
        ]

    return jaccard(written(one), written(other))


def _some(draw: np.random.Generator, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [places[i] for i in draw.permutation(len(places))[:WRITERS]]


def _write(body: Body, place: tuple[int, int], parts: list[str]) -> None:
    """`place` adds its parts to what is paid: a head from the text, an MLP, at the full stop, from what it is told."""
    feature, (layer, index) = body.chassis.feature, place
    if index == MLP:
        for part in parts:
            body.chassis.times(layer, feature(f"told {part}"), feature("end"), feature("paid"))
    else:
        sums = {feature(f"holds {part}"): feature("paid") for part in parts}
        if place == TELLS:
            sums |= {feature(f"shows {part}"): feature(f"told {part}") for part in PARTS}
        if sums:
            body.chassis.taken.add(place)
            body.chassis.add(place, sums)
    if parts:
        kind, index = ("mlp", 0) if index == MLP else ("head", index)
        body.sites.append(Site(kind, layer, index, f"writes {', '.join(parts)}"))


FAMILY = handset(
    "joint",
    "Writes two kinds of words at some of the same places",
    "share written at the same places",
    (0.0, 0.25, 0.5, 0.75, 1.0),
    0.5,
    rules,
    plant,
    __name__,
)
