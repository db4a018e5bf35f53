"""Kinds of reward model, one a file. A kind is named by the word before the colon of a spec; without one it is a
Hugging Face folder or id with a scalar head (`scalar`).

A kind's module has `KIND` (that word), `ABOUT` (one line for lists), `OPTIONS` (the names of what may follow the ?)
and `open(place: str, options: dict[str, str], how: Loading) -> RewardModel`. `READS` lists the classes of its own
that a folder's config.json may name, so that such a folder needs no word before it. `RECORDED` is true of a kind that
computes nothing and so needs neither torch nor transformers.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from lens.models.model import RewardModel


@dataclass(frozen=True)
class Loading:
    """How a model is opened: device and dtype as asked, whether its own code may run, and how to open a part of it."""

    spec: str
    device: str
    dtype: str
    trust_remote_code: bool
    open: Callable[[str], RewardModel]  # opens another spec the same way


class Kind(Protocol):
    KIND: str
    ABOUT: str
    OPTIONS: tuple[str, ...]

    def open(self, place: str, options: dict[str, str], how: Loading) -> RewardModel: ...


@cache
def kinds() -> dict[str, Kind]:
    """Every kind of reward model by its word."""
    found: list[Any] = [
        importlib.import_module(f"{__name__}.{info.name}")
        for info in pkgutil.iter_modules(__path__)
        if not info.name.startswith("_")
    ]
    return {module.KIND: module for module in found}


def reader_of(config: Mapping[str, Any]) -> Kind | None:
    """The kind that reads the class a folder's config names, where it isn't the library's."""
    named = config.get("architectures") or ()
    return next((kind for kind in kinds().values() if set(getattr(kind, "READS", ())) & set(named)), None)
