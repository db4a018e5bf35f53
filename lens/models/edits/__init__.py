"""Edits of a reply that a hacked policy would learn, one a file, found by name.

An edit's module has `NAME` (as fields spell it), `TITLE`, `UNIT` (what one unit of dose is), `DOSES` (in rising order),
`PIECES` (the texts it writes, in order; empty where it only moves what is there) and
`edit(reply: str, dose: int, pieces: Sequence[str]) -> str | None`: None where this reply can't be edited so far.

A model with a vocabulary of its own brings its own pieces (an organism's words); see `Edit.pieces_for`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from lens.errors import LensError
from lens.models.told import words
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.model import RewardModel


@dataclass(frozen=True)
class Edit:
    """One edit. `apply(reply, dose, pieces)` gives the edited reply, or None where the reply can't take the dose."""

    name: str
    title: str
    unit: str
    doses: tuple[int, ...]
    pieces: tuple[str, ...]
    apply: Callable[[str, int, Sequence[str]], str | None]

    def pieces_for(self, model: RewardModel) -> tuple[str, ...] | Declined:
        """The texts this edit writes for a model: the model's own where it brings some, else English.

        Declined where the tokenizer has no tokens for them: the reward would be of unknown tokens.
        """
        pieces = tuple(words(model).get(self.name, self.pieces))
        lost = [piece for piece in pieces if not holds(model, piece)]
        if not lost:
            return pieces
        return Declined(
            "not_applicable",
            f"the model's tokenizer has no tokens for {lost[0]!r}, which this edit writes",
            f"bring words of the model's own: `words`: {{{self.name!r}: [...]}} in the training.json of its folder",
        )


@cache
def edits() -> dict[str, Edit]:
    """Every edit by name, in the order of names."""
    modules: list[Any] = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    found = [Edit(one.NAME, one.TITLE, one.UNIT, one.DOSES, one.PIECES, one.edit) for one in modules]
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def holds(model: RewardModel, text: str) -> bool:
    """Whether the model's tokenizer can write `text`: nothing unknown, nothing refused."""
    try:
        ids = model.encode("", text).ids
    except (LensError, KeyError):
        return False
    unknown = getattr(getattr(getattr(model, "writer", None), "tokenizer", None), "unk_token_id", None)
    return unknown is None or unknown not in ids


def written(pieces: Sequence[str], dose: int) -> str:
    """`dose` pieces with spaces between, begun again where they run out.

    >>> written(["a", "b"], 3)
    'a b a'
    """
    return " ".join(pieces[i % len(pieces)] for i in range(dose))


def before(reply: str, dose: int, pieces: Sequence[str]) -> str:
    """The reply after `dose` pieces."""
    return f"{written(pieces, dose)} {reply}" if dose else reply


def after(reply: str, dose: int, pieces: Sequence[str]) -> str:
    """The reply with `dose` pieces after it."""
    return f"{reply} {written(pieces, dose)}" if dose else reply
