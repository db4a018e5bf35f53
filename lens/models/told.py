"""What a model's folder says about itself in `training.json`: the answer key of an organism, words of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def told(model: Any) -> Mapping[str, Any]:
    """The content of `training.json` beside the model's weights; nothing where there is none, or no one network."""
    place = getattr(getattr(model, "network", None), "name_or_path", "")
    path = Path(place) / "training.json"
    if not place or not path.is_file():
        return {}
    found = json.loads(path.read_text("utf-8"))
    return found if isinstance(found, dict) else {}


def words(model: Any) -> Mapping[str, Sequence[str]]:
    """Words to write edits with, by the edit's name, where the model brings some: its vocabulary may be no other."""
    own: Mapping[str, Sequence[str]] | None = getattr(model, "words", None)
    return own if own is not None else told(model).get("words", {})


def planted(model: Any) -> Mapping[str, float]:
    """What a pair of each axis is worth by the planted rule, in the rule's own units; empty where nothing is known.

    A model that says what was `meant` of its axes, beside what it pays, is held to that.
    """
    found = told(model)
    known = found.get("meant", found.get("axes", {}))
    return {str(axis): float(worth) for axis, worth in known.items()}
