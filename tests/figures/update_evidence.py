"""Made-up evidence of what a run's updates did, with the fields and tables the instruments write: runs nobody made."""

from __future__ import annotations

import math
import random
from typing import Any

from lens.reading import Columns, Declined, Evidence, Interval, Label, Measured, Quantity, Subject
from measure.store import Made

RUN = Subject("runs", "made-run", "A made-up run", "e1" * 32, "made-run")
BARE = Subject("runs", "bare-run", "A made-up run that recorded little", "e2" * 32, "bare-run")
MADE = Made("2026-11-29T12:00:00+00:00")
STEPS = 40
Fields = dict[str, Quantity | Label | Declined]
Item = tuple[Evidence, dict[str, Columns], Made]


def around(value: float, half: float, unit: str, kind: Any = "proportion", **more: Any) -> Quantity:
    return Quantity(
        value, unit, kind, interval=Interval(value - half, value + half, "moving-block-bootstrap"), n=STEPS, **more
    )


def partition(excess: float = 0.0) -> Item:
    """Forty steps, three of which reuse their rollouts; `excess` is what they cancel beyond right angles."""
    draw = random.Random(3)
    rows: list[dict[str, Any]] = []
    for step in range(1, STEPS + 1):
        orthogonal = 0.58 + 0.03 * draw.random()
        lengths, cancelled = 1.4 + 0.3 * math.sin(step / 5), orthogonal + excess + 0.04 * (draw.random() - 0.5)
        row: dict[str, Any] = {
            "step": step, "rollouts": 8, "state": "read", "norm": lengths * (1 - cancelled), "lengths": lengths,
            "cancellation": cancelled, "orthogonal": orthogonal, "percentile": draw.random(),
            "permuted-low": orthogonal - 0.05, "permuted-median": orthogonal, "permuted-high": orthogonal + 0.05,
            "largest-share": 0.4, "against": 1, "term-share": None, "error": 1e-7,
        }  # fmt: skip
        if step in (11, 12, 13):
            row |= dict.fromkeys(list(row)[3:]) | {"state": "reused"}
        rows.append(row)
    lengths_unit = "of the gradients' lengths"
    fields: Fields = {
        "cancellation.median": around(0.59 + excess, 0.01, lengths_unit, control="orthogonal.median"),
        "orthogonal.median": around(0.59, 0.01, lengths_unit),
        "excess.median": around(excess, 0.01, lengths_unit, "difference"),
        "beyond-permuted": Quantity(2, "steps", "count", of=37),
        "read": Quantity(37, "steps", "count", of=STEPS),
    }
    scope = "37 of 40 steps whose gradients were given in the record"
    reading = Measured(fields, "cancellation.median", scope)
    return Evidence("update-partition", 1, RUN, reading), {"steps": _table(rows), "rollouts": _rollouts(rows)}, MADE


def _rollouts(steps: list[dict[str, Any]]) -> Columns:
    """Eight rollouts a step that was read: seven push with the update, the last against it."""
    shares = (0.34, 0.25, 0.17, 0.12, 0.08, 0.06, 0.03, -0.05)
    rows = [
        {"step": one["step"], "row": at, "advantage": 1.0 - at / 4, "norm": one["lengths"] / 8, "share": share}
        for one in steps
        if one["state"] == "read"
        for at, share in enumerate(shares)
    ]
    return _table(rows)


def norms(threshold: float | None = 0.3, *, over: bool = True) -> Item:
    """Norms around 0.4 with one step of none; clipped at `threshold` where they are `over` it."""
    logged = [0.0 if step == 20 else (0.4 if over else 0.1) + 0.1 * math.sin(step / 4) * over for step in range(STEPS)]
    applied = [min(value, threshold) if threshold else None for value in logged]
    clipped = sum(value > (threshold or math.inf) for value in logged)
    rows = [
        {"step": at, "pre-clip": norm, "applied": left, "factor": 1.0, "state": "signal" if norm else "no-signal"}
        for at, (norm, left) in enumerate(zip(logged, applied, strict=True))
    ]
    fields: Fields = {
        "pre-clip.median": around(0.4, 0.02, "gradient norm", "score"),
        "no-signal": Quantity(1, "steps", "count", of=STEPS),
    }
    if threshold:
        fields["threshold"] = Quantity(threshold, "gradient norm", "score")
        fields["clipped"] = Quantity(clipped, "steps", "count", of=STEPS)
    reading = Measured(fields, "pre-clip.median", "Norms that a made-up trainer logged")
    return Evidence("gradient-norm", 1, RUN, reading), {"steps": _table(rows)}, MADE


def response(subject: Subject = RUN) -> Item:
    """A run scored before and after an update, or one that recorded no log-probabilities at all."""
    bare = subject is BARE
    unit = "advantage-weighted nats a response"
    absent = Declined("record_incomplete", "it wasn't recorded", "record it")
    values = {"kl": None, "entropy": 0.0, "momentum": 0.031, "curvature": -0.012, "clip": -0.21, "sampling": 0.02}
    fields: Fields = {}
    if bare:
        fields["kl.last"] = absent
        fields["floor-over-predicted"] = Quantity(1.5e6, "times", "ratio")
        fields["closure"] = Declined("below_detection", "noise alone closes it", "score more rollouts")
    else:
        fields["kl.last"] = around(0.9, 0.1, "nats a response", "score")
        fields["kl.first"] = around(0.2, 0.1, "nats a response", "score")
        fields["movement"] = around(0.11, 0.05, unit, "difference")
        fields["predicted"] = around(0.30, 0.06, unit, "difference")
        fields["closure"] = Label("closed")
    for name in ("staleness", "kl", "entropy", "momentum", "batch", "curvature", "clip", "sampling", "basis"):
        value = 0.0 if name in ("staleness", "entropy", "basis") else None if bare else values.get(name, 0.0)
        note = "exactly zero: nothing of it was there" if value == 0.0 else "computed"
        fields[f"term.{name}"] = absent if value is None else Quantity(value, unit, "difference", note=note)
    tables = {} if bare else {"kl": _kl()}
    tables["terms"] = {"term": ["kl"], "state": ["absent"], "value": [None], "why": ["it wasn't"], "remedy": ["do"]}
    headline = "floor-over-predicted" if bare else "movement"
    return Evidence("policy-response", 1, subject, Measured(fields, headline, "made up")), tables, MADE


def _kl() -> Columns:
    rows = [
        {
            "step": step, "responses": 32, "prompts": 16, "k1": 0.02 * step, "low": 0.02 * step - 0.05,
            "high": 0.02 * step + 0.05, "k2": 0.0, "k3": 0.0, "per-token": 0.002 * step,
        }
        for step in range(STEPS)
    ]  # fmt: skip
    return _table(rows)


def _table(rows: list[dict[str, Any]]) -> Columns:
    return {name: [row[name] for row in rows] for name in rows[0]}


def items() -> list[Item]:
    return [partition(), norms(), response(), response(BARE)]
