"""Comparisons: of a model that is asked about a reply given its rival, and of votes recorded in pairs.

A model that compares brings `duels.jsonl` in its folder, a row an ordered pair: `rival` and `style` name the two,
`prompt` holds the rival, `response` is the reply scored.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.models.pairs import Pair

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection


class Duels(NamedTuple):
    """`rewards[i, j]`, ru, of item j given its rival i; NaN on the diagonal."""

    items: list[str]
    rewards: np.ndarray


class Votes(NamedTuple):
    """One prompt's votes: `wins[i, j]` times reply j was preferred to reply i."""

    prompt: str
    items: list[str]
    wins: np.ndarray


def duels(inspection: Inspection) -> Duels | None:
    """What the model says of every duel it brings; None where it brings none, or not every ordered pair."""
    import numpy as np

    rows = brought(inspection.model)
    items = list(dict.fromkeys(name for row in rows for name in (row["rival"], row["style"])))
    if not rows:
        return None
    found = inspection.rewards([(row["prompt"], row["response"]) for row in rows])
    rewards = np.full((len(items), len(items)), np.nan)
    for row, reward in zip(rows, found, strict=True):
        rewards[items.index(row["rival"]), items.index(row["style"])] = reward
    return Duels(items, rewards)


def votes(pairs: Sequence[Pair]) -> list[Votes]:
    """The votes of every prompt whose replies are compared in a closed round; each row of the file is one vote."""
    import numpy as np

    by_prompt: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_prompt.setdefault(repr(pair.prompt), []).append(pair)
    found = []
    for prompt, some in by_prompt.items():
        items = list(dict.fromkeys(reply for pair in some for reply in (pair.rejected, pair.chosen)))
        edges = {frozenset((pair.chosen, pair.rejected)) for pair in some}
        if len(edges) <= len(items) - _parts(items, edges):
            continue
        wins = np.zeros((len(items), len(items)))
        for pair in some:
            wins[items.index(pair.rejected), items.index(pair.chosen)] += 1
        found.append(Votes(prompt, items, wins))
    return found


def _parts(items: Sequence[str], edges: set[frozenset[str]]) -> int:
    """How many connected parts: with as many edges as items less this, there is no round."""
    part = {item: item for item in items}

    def root(item: str) -> str:
        while part[item] != item:
            item = part[item]
        return item

    for edge in edges:
        one, *other = edge
        for each in other:
            part[root(one)] = root(each)
    return len({root(item) for item in items})


def brought(model: Any) -> list[dict[str, str]]:
    """The rows of the duels that a model brings; none where it doesn't bring every ordered pair of three items."""
    place = getattr(getattr(model, "network", None), "name_or_path", "")
    path = Path(place) / "duels.jsonl"
    if not place or not path.is_file():
        return []
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    items = {name for row in rows for name in (row["rival"], row["style"])}
    return rows if len(items) >= 3 and len(rows) == len(items) * (len(items) - 1) else []
