"""A rubric: criteria with weights, each scored by a model of its own, added up.

A TOML or JSON file with a list `criteria`; each has `name`, `weight` and `model`, any spec (a judge with its question,
a scalar head, ...), whose paths are read from the file's folder:

    [[criteria]]
    name = "correct"
    weight = 2.0
    model = "judge:org/model?question=correct.txt"
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from lens.errors import UsageError
from lens.models.adapters import Loading
from lens.models.combined import Combined, identity
from lens.models.model import Encoded, RewardModel
from lens.models.spec import parse, parts
from lens.names import kebab

KIND = "rubric"
ABOUT = "criteria with weights, each a model of its own: rubric:FILE.toml"
OPTIONS: tuple[str, ...] = ()
_REMEDY = 'one [[criteria]] a criterion: name = "correct", weight = 2.0, model = "SPEC"'


@dataclass(frozen=True)
class Criterion:
    name: str
    weight: float
    model: str


@dataclass(frozen=True, kw_only=True)
class Rubric(Combined):
    """`members` in the order of `criteria`."""

    criteria: tuple[Criterion, ...]
    kind: str = "rubric"

    def together(self, scores: Sequence[float]) -> float:
        return math.fsum(one.weight * score for one, score in zip(self.criteria, scores, strict=True))

    def objectives(self, texts: Sequence[Encoded]) -> dict[str, list[float]]:
        """Each criterion's own score of every text, before its weight."""
        return {
            one.name: member.rewards([text.parts[i] for text in texts])
            for i, (one, member) in enumerate(zip(self.criteria, self.members, strict=True))
        }


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:  # noqa: ARG001  # it has none
    """Raises UsageError for a file that is no rubric, naming the criterion."""
    path = Path(place)
    criteria = read(path)
    members = [how.open(_from(path.parent, one.model)) for one in criteria]
    asked = [[one.name, one.weight] for one in criteria]
    who = identity(KIND, how, members, criteria=asked) | {"slug": f"{KIND}-{kebab(path.stem)}", "title": path.name}
    return Rubric(**who, criteria=criteria)


def read(path: Path) -> tuple[Criterion, ...]:
    """The criteria of a rubric's file. Raises UsageError as `open` says."""
    try:
        text = path.read_text("utf-8")
        found: Any = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"no rubric at {path}: {error.strerror}", remedy="rubric:FILE.toml or FILE.json") from None
    except ValueError as error:
        raise UsageError(f"{path} can't be read: {error}", remedy=_REMEDY) from None
    rows = found.get("criteria") if isinstance(found, dict) else found
    if not isinstance(rows, list) or not rows:
        raise UsageError(f"{path} lists no criteria", remedy=_REMEDY)
    criteria = tuple(_criterion(path, number, row) for number, row in enumerate(rows, 1))
    names = [one.name for one in criteria]
    if len(set(names)) < len(names):
        raise UsageError(f"{path} names a criterion twice", remedy="give each its own name")
    if not any(one.weight for one in criteria):
        raise UsageError(f"{path}: every weight is 0, so every reward would be", remedy="give a criterion a weight")
    return criteria


def _criterion(path: Path, number: int, row: Any) -> Criterion:
    known: dict[str, Any] = {"name": str, "weight": (int, float), "model": str}
    fits = isinstance(row, dict) and set(row) == set(known) and all(isinstance(row[k], t) for k, t in known.items())
    if not fits or isinstance(row["weight"], bool) or not math.isfinite(row["weight"]):
        raise UsageError(f"{path}, criterion {number}: it needs a name, a finite weight and a model", remedy=_REMEDY)
    return Criterion(row["name"], float(row["weight"]), row["model"])


def _from(folder: Path, spec: str) -> str:
    """A spec whose files lie beside the rubric, with their paths as they are from here."""
    kind, place, options = parse(spec)

    def found(name: str) -> str:
        return str(folder / name) if (folder / name).exists() else name

    places = place if "[" in place else "+".join(found(part) for part in parts(place))
    asked = urlencode({name: found(value) if value else value for name, value in options.items()})
    return f"{kind}:{places}" + (f"?{asked}" if asked else "")
