"""Replies as a policy drew them, prompt by prompt: what moments inside a prompt are taken over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.models.axes import axis_of
from lens.models.draws import draws
from lens.models.pairs import Pair
from lens.models.scored import ScoredPair, scored
from lens.reading import Declined
from lens.stats.clusters import LEAST

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection

NATURAL = ("", "natural")


@dataclass(frozen=True)
class Drawn:
    """n replies of prompts with two or more; `policy` names what they were drawn by, as far as that is known.

    `prompts` and `clusters` say which prompt each reply is to, and which drawn unit that is of.
    """

    policy: str
    replies: tuple[str, ...]
    prompts: tuple[str, ...]
    clusters: tuple[str, ...]
    rewards: np.ndarray  # [n], ru

    def __len__(self) -> int:
        return len(self.replies)

    @property
    def units(self) -> int:
        """Clusters."""
        return len(set(self.clusters))

    @property
    def scope(self) -> str:
        return f"{len(self)} replies to {len(set(self.prompts))} prompts: {self.policy}"


def drawn(inspection: Inspection) -> Drawn | Declined:
    """Replies an organism's own world draws; of any other model those of the pairs that were drawn and not edited, each
    once a prompt, and every pair's where all were edited.

    Pairs were chosen to differ, so what differs inside a prompt is read too high of them; `policy` says which it is.
    Declined without scores, and under 8 prompts that have two replies.
    """
    return inspection.remember("drawn replies", lambda: _anew(inspection) or _drawn(inspection))


def _anew(inspection: Inspection) -> Drawn | None:
    import numpy as np

    found = draws(inspection)
    if found is None:
        return None
    kept = list(dict.fromkeys(found))
    return Drawn(
        "drawn anew from the organism's own world, every feature independent of the others",
        tuple(one.reply for one in kept),
        tuple(one.unit for one in kept),
        tuple(one.unit for one in kept),
        np.array(inspection.rewards([(one.prompt, one.reply) for one in kept]), float),
    )


def natural(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that are no matched counterfactuals; all of them where none is natural."""
    found = [pair for pair in pairs if not pair.axis or axis_of(pair) in NATURAL]
    return found or list(pairs)


def _drawn(inspection: Inspection) -> Drawn | Declined:
    import numpy as np

    rows = scored(inspection)
    if isinstance(rows, Declined):
        return rows
    kept = {pair.number for pair in natural([row.pair for row in rows])}
    found = _replies([row for row in rows if row.pair.number in kept])
    several = {prompt: some for prompt, some in found.items() if len(some) > 1}
    clusters = len({cluster for cluster, _ in several})
    if clusters < LEAST:
        return Declined(
            "corpus_inadequate",
            f"{clusters} prompts or lineages have two replies, where an interval needs {LEAST}",
            f"give pairs of at least {LEAST} prompts",
        )
    flat = [(key, reply, reward) for key, some in several.items() for reply, reward in some.items()]
    edited = all(pair.axis and axis_of(pair) not in NATURAL for pair in inspection.pairs.unique)
    return Drawn(
        f"{'edited' if edited else 'the'} replies of the pairs {inspection.pairs.name}, chosen in pairs to differ",
        tuple(reply for _, reply, _ in flat),
        tuple(repr(key) for key, _, _ in flat),
        tuple(cluster for (cluster, _), _, _ in flat),
        np.array([reward for _, _, reward in flat], float),
    )


def _replies(rows: Sequence[ScoredPair]) -> dict[tuple[str, str], dict[str, float]]:
    """Rewards by (cluster, prompt) and reply."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        some = found.setdefault((row.pair.cluster, repr(row.pair.prompt)), {})
        some.setdefault(row.pair.chosen, row.chosen)
        some.setdefault(row.pair.rejected, row.rejected)
    return found
