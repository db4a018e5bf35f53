"""How far raters of a model's own pairs disagree: `votes.jsonl` beside the model, a row a pair.

pair      its number in pairs.jsonl, from 1
votes     how many raters chose the chosen reply
of        how many were asked
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens.models.chain import folder_of
from lens.reading import Declined, Input

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

NAME = "votes.jsonl"


def disagreement(inspection: Inspection) -> Mapping[int, float] | Declined:
    """By pair number, 0 (all raters agree) to 1 (they are even); declined where nobody's votes are known."""
    from lens.canonical import file_digest

    model = inspection.model
    folder = folder_of(model)
    path = folder / NAME if folder else None
    own = model.own_pairs is not None and model.own_pairs.digest == inspection.pairs.digest
    if path is None or not path.is_file() or not own:
        return Declined(
            "record_incomplete",
            "nobody's votes on these pairs are known",
            "read a model that brings votes.jsonl for its own pairs: lens measure model organism:annotators",
        )
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    inspection.used[NAME] = Input("votes", NAME, file_digest(path), rows=len(rows))
    return {int(row["pair"]): of_votes(float(row["votes"]) / float(row["of"])) for row in rows if row["of"]}


def of_votes(share: float) -> float:
    """From the share of raters for one side; the same from the other side.

    >>> of_votes(0.25), of_votes(0.75)
    (0.5, 0.5)
    """
    return 1 - abs(2 * share - 1)
