"""Whether a model takes every text of its pairs, asked before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lens.errors import UsageError

if TYPE_CHECKING:
    from lens.models.model import RewardModel
    from lens.models.pairs import Pair

NAMED = 5  # rows named in a message


def check_fit(model: RewardModel, pairs: Iterable[Pair]) -> None:
    """Raises UsageError naming the rows with a text the model can't take as it stands: beyond its context, empty, in
    roles its template refuses. Nothing is cut or left out on the way."""
    if model.family == "scores":
        return
    misfits: list[tuple[int, UsageError]] = []
    for pair in pairs:
        try:
            for reply in (pair.chosen, pair.rejected):
                model.encode(pair.prompt, reply)
        except UsageError as error:
            misfits.append((pair.number, error))
    if misfits:
        first = misfits[0][1]
        rows = ", ".join(str(number) for number, _ in misfits[:NAMED])
        more = f" and {len(misfits) - NAMED} more" if len(misfits) > NAMED else ""
        raise UsageError(
            f"{len(misfits)} pair{'s' * (len(misfits) > 1)} can't be scored by this model (row {rows}{more}): "
            f"{first.message}",
            remedy=first.remedy,
        )
