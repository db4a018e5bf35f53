"""Specs about coins."""

from __future__ import annotations

from typing import Any

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
