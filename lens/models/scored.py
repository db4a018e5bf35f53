"""The pairs of an inspection with their scores, for the instruments that read no more than scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.models.pairs import Pair
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.inspection import Inspection


class ScoredPair(NamedTuple):
    """A unique pair and the rewards of its replies, ru."""

    pair: Pair
    chosen: float
    rejected: float

    @property
    def margin(self) -> float:
        return self.chosen - self.rejected

    @property
    def right(self) -> bool:
        """Whether the chosen reply scores more: a tie is no preference."""
        return self.chosen > self.rejected

    @property
    def longer(self) -> int:
        """Characters by which the chosen reply is longer."""
        return len(self.pair.chosen) - len(self.pair.rejected)


def scored(inspection: Inspection) -> list[ScoredPair] | Declined:
    """Every unique pair with its scores, once an inspection; or why there are none."""
    return inspection.remember("scored pairs", lambda: _scored(inspection))


def _scored(inspection: Inspection) -> list[ScoredPair] | Declined:
    if (refused := no_panel(inspection)) is not None:
        return refused
    pairs = inspection.used_pairs().unique
    found = [ScoredPair(pair, *scores) for pair, scores in zip(pairs, inspection.margins(pairs), strict=True)]
    finite = [one for one in found if math.isfinite(one.margin)]
    if len(finite) == len(found):
        return found
    if inspection.model.family == "scores":
        if finite:
            return finite
        return Declined(
            "record_incomplete",
            f"{inspection.model.title} has no score of any of these {len(pairs)} pairs",
            "name the pairs that were scored: leave --pairs out",
        )
    return Declined(
        "assumption_violated",
        f"{len(found) - len(finite)} of {len(found)} pairs get a reward that is no finite number",
        "check the weights and the dtype: lens measure model MODEL --dtype float32 --instruments parity",
    )


def no_panel(inspection: Inspection) -> Declined | None:
    """The decline of an instrument that reads one model, given several side by side."""
    members = getattr(inspection.model, "members", ())
    if not members or inspection.model.family != "scores":
        return None
    first = members[0].spec
    return Declined(
        "not_applicable", f"{len(members)} records side by side have no one score", f"lens measure model {first}"
    )


def clusters(rows: Sequence[ScoredPair]) -> list[str]:
    """The drawn unit of each row: its lineage, else its prompt."""
    return [row.pair.cluster for row in rows]


def scope(inspection: Inspection, rows: Sequence[ScoredPair]) -> str:
    """What was read, in a sentence: pairs, prompts, what was left out."""
    pairs = inspection.pairs
    said = [f"{len(rows)} pairs of {len(set(clusters(rows)))} prompts or lineages, from {pairs.name}"]
    if len(pairs.unique) < len(pairs):
        said.append(f"{len(pairs) - len(pairs.unique)} copies of a pair count once")
    if len(rows) < len(pairs.unique):
        said.append(f"{len(pairs.unique) - len(rows)} pairs that the record lacks are left out")
    said += [f"left out: {one}" for one in pairs.left_out]
    return "; ".join(said)
