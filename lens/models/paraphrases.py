"""Other wordings of a reply that say the same, and who certifies that they do.

An organism's come from sets of words that its rule holds alike. Any other model is read on pairs whose author says
that both replies are one: an axis `paraphrase` (or `markdown`: the same words, plain and marked up).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.models.axes import axis_of
from lens.models.concept import spread
from lens.models.drawn import natural
from lens.models.told import told, words
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.inspection import Inspection
    from lens.models.pairs import Pair

AXES = ("paraphrase", "markdown")
WORDINGS = 4  # of a reply, its own among them


@dataclass(frozen=True)
class Item:
    """One reply in several wordings, its own first; `pair` and `side` say where it is from (−1: no side of a pair)."""

    prompt: object
    texts: tuple[str, ...]
    cluster: str
    pair: int
    side: int


@dataclass(frozen=True)
class Paraphrases:
    """`nested` where every pair brings both of its replies, so that replies to one prompt can be told apart."""

    items: tuple[Item, ...]
    certified: str
    nested: bool


def paraphrases(inspection: Inspection) -> Paraphrases | Declined:
    """Of the pairs' paraphrases, else of an organism's replies; declined where nobody certifies any."""
    pairs = inspection.used_pairs()
    given = [pair for pair in pairs.unique if axis_of(pair) in AXES]
    if given:
        return Paraphrases(tuple(_given(given)), f"by the author of the pairs {pairs.name}", False)
    alike = interchangeable(inspection)
    if not alike:
        return Declined(
            "corpus_inadequate",
            "nobody says of two of these replies that they mean the same",
            "give pairs with the axis `paraphrase`: either reply a wording of the other, the lineage one for all of it",
        )
    items = []
    for pair in spread(natural(pairs.unique), inspection.sample):
        for side, reply in enumerate((pair.chosen, pair.rejected)):
            texts = reworded(reply, alike, seed=f"{pair.digest} {side}")
            items.append(Item(pair.prompt, texts, pair.cluster, pair.number, side))
    return Paraphrases(tuple(items), "by the planted rule, which holds these words alike", True)


def interchangeable(inspection: Inspection) -> list[tuple[str, ...]]:
    """Sets of words that the stated rule of an organism holds alike; none for any other model."""
    from lens.models.organisms import replies, wordplay

    if not inspection.model.spec.startswith("organism:"):
        return []
    if "tolerance" in told(inspection.model):  # set by hand
        return [wordplay.PLAIN, *(tuple(some) for some in words(inspection.model).values() if len(some) > 1)]
    return [replies.THANKS, replies.HEDGES, replies.FILLERS]


def reworded(reply: str, alike: Sequence[Sequence[str]], *, seed: str, count: int = WORDINGS) -> tuple[str, ...]:
    """The reply, and it again with every word of a set drawn anew from that set.

    >>> reworded("3 ok thx.", [("ok", "so")], seed="", count=2)[1] in ("3 ok thx.", "3 so thx.")
    True
    """
    draw = random.Random(f"wordings {seed}")
    sets = {word: tuple(some) for some in alike for word in some}

    def anew(token: str) -> str:
        word = token.rstrip(".")
        return draw.choice(sets[word]) + token[len(word) :] if word in sets else token

    made = [" ".join(anew(token) for token in reply.split(" ")) for _ in range(count - 1)]
    return (reply, *made)


def _given(pairs: Sequence[Pair]) -> list[Item]:
    """One item a lineage and side-by-side text: wordings that stand in one pair are of one reply."""
    found: dict[tuple[str, str], list[str]] = {}
    first: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        key = (
            pair.cluster,
            next((reply for reply in (pair.chosen, pair.rejected) if (pair.cluster, reply) in found), ""),
        )
        key = key if key[1] else (pair.cluster, pair.chosen)
        first.setdefault(key, pair)
        some = found.setdefault(key, [])
        some += [reply for reply in (pair.chosen, pair.rejected) if reply not in some]
    return [Item(first[key].prompt, tuple(some), key[0], first[key].number, -1) for key, some in found.items()]
