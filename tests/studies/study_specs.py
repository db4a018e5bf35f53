"""Specs about coins, and published ones made small."""

from __future__ import annotations

from typing import Any

from lens.resource import resource
from lens.studies.adjudicate import Verdict, adjudicate
from lens.studies.science import sciences
from lens.studies.spec import parse, read
from measure.studies.subjects import built, by_arm, measure

HOME = "project/study-coins/coin#"


def hypothesis(name: str = "heavy", metric: str = "height.heavy", **changes: Any) -> dict[str, Any]:
    """Coins of the heavy arm are above a half, and those of the light arm aren't."""
    said = {
        "name": name,
        "says": "heavy coins lie high",
        "metric": HOME + metric,
        "comparator": "above",
        "threshold": 0.5,
        "control": f"{HOME}height.light",
        "smallest": 1.5,
        "kill": {"comparator": "below", "threshold": 0.0},
    }
    return {key: value for key, value in (said | changes).items() if value is not None}


def coins(*hypotheses: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A study of coins as its TOML would be read."""
    said = list(hypotheses or [hypothesis()])
    plain: dict[str, Any] = {
        "id": "coins",
        "title": "Coins",
        "question": "Do heavy coins lie high?",
        "prediction": "They do.",
        "refuted-by": "A mean below a half.",
        "science": "coin",
        "unit": "coin",
        "family": [one["name"] for one in said],
        "arm": [
            {"name": "light", "units": 30, "plant": {"mean": 0.0}},
            {"name": "heavy", "units": 30, "plant": {"mean": 2.0}},
        ],
        "hypothesis": said,
    }
    return plain | changes


def small(name: str, units: int) -> dict[str, Verdict]:
    """The published study of this name with so many subjects an arm, of seeds that aren't its own, adjudicated."""
    plain = read(resource(f"content/studies/{name}.toml")).plain
    spec = parse(plain | {"arm": [one | {"units": units} for one in plain["arm"]]})
    subjects = built(spec, "0" * 64)
    values = [measure(one) for one in subjects]
    return {one.name: one for one in adjudicate(spec, sciences()[spec.science], by_arm(spec, subjects, values))}
