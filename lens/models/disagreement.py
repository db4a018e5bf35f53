"""How far raters of a model's own pairs disagree: `votes.jsonl` beside the model, a row a pair.

pair      its number in pairs.jsonl, from 1
votes     how many raters chose the chosen reply
of        how many were asked
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from lens.models.chain import folder_of
from lens.reading import Declined, Input

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection

NAME = "votes.jsonl"


class Asked(NamedTuple):
    """`share` of `of` raters chose the chosen reply."""

    share: float
    of: float


def asked(inspection: Inspection) -> Mapping[int, Asked] | Declined:
    """What raters said, by pair number; declined where nobody's votes are known."""
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
    return {
        int(row["pair"]): Asked(float(row["votes"]) / float(row["of"]), float(row["of"])) for row in rows if row["of"]
    }


def disagreement(shares: np.ndarray) -> np.ndarray:
    """From 0 (all raters agree) to 1 (they are even), by the share for one side; the same from the other side.

    >>> import numpy as np
    >>> disagreement(np.array([0.25, 0.75])).tolist()
    [0.5, 0.5]
    """
    import numpy as np

    return np.asarray(1 - np.abs(2 * shares - 1))
