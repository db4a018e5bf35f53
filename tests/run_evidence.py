"""Made-up evidence of what a run's record holds and what selection did: a run nobody made, told in full."""

from __future__ import annotations

import random
from typing import Any

from lens.instrument import find
from lens.reading import Columns, Declined, Evidence, Interval, Label, Measured, Quantity, Subject
from lens.stats.intervals import share
from measure.store import Made

RUN = Subject("runs", "made-run", "A made-up run", "e1" * 32, "made-run")
SERIES = Subject("runs", "made-series", "A made-up run, series alone", "e3" * 32, "made-series")
MADE = Made("2026-11-29T12:00:00+00:00", command="lens measure run made-run")
GROUPS, SIZE, SHOWN = 80, 8, 16
ROLLOUTS = GROUPS * SIZE
Fields = dict[str, Quantity | Label | Declined]
Item = tuple[Evidence, dict[str, Columns], Made]
NONE = Declined(
    "record_incomplete",
    "the record holds no rollouts: only series by step were published",
    "write rollouts into the record",
    needs="rollouts",
)


def evidence(name: str, reading: Measured | Declined, subject: Subject = RUN) -> Evidence:
    found = find("runs", name)
    assert found is not None, name
    return Evidence(name, found.version, subject, reading, access=("record.record",))


def coverage() -> Item:
    fields: Fields = {
        "rollouts": Quantity(ROLLOUTS, "rollouts", "size"),
        "steps": Quantity(40, "steps", "size"),
        "groups": Quantity(GROUPS, "groups", "size"),
        "trained": share(ROLLOUTS, ROLLOUTS + 64, "rollouts"),
        "findings": Quantity(1, "findings", "size"),
        "found.torn-line": Quantity(1, "rollouts", "size"),
        "format": Label("rollouts"),
        "trainer": Label("a made-up trainer"),
    }
    return evidence("coverage", Measured(fields, "rollouts", "What two made-up files hold")), {}, MADE


def replay(accepted: int = 1) -> Item:
    fields: Fields = {
        "accepted": share(accepted, 44, "rules"),
        "rule": Label("group mean and deviation, ddof 1, eps 0.0001" if accepted else "none"),
        "residual": Quantity(2.9e-06, "advantage", "difference", n=ROLLOUTS, control="nearest.residual"),
        "nearest.residual": Quantity(0.0089, "advantage", "difference", n=ROLLOUTS),
    }
    return evidence("replay", Measured(fields, "residual", "Made-up rollouts")), {}, MADE


def score_tree(leaves: int = 3) -> Item:
    """Leaves that decide less and less; the last one's share declined where there are three."""
    names = ["right-answer", "short-reply", "format"][:leaves]
    fields: Fields = {
        "leaves": Quantity(leaves, "leaves", "size"),
        "decomposition": Label("a sum of leaves" if leaves > 1 else "none: one leaf is the whole reward"),
        "low": Quantity(-0.2, "reward", "score", n=ROLLOUTS),
        "high": Quantity(1.7, "reward", "score", n=ROLLOUTS),
        "abstained": share(40, ROLLOUTS, "rollouts"),
    }
    shares = (0.71, 0.29)
    for at, name in enumerate(names):
        fields |= {
            f"{name}.weight": Quantity(1.0 / (at + 1), "of the total", "ratio"),
            f"{name}.low": Quantity(0.0, "reward", "score"),
            f"{name}.high": Quantity(1.0, "reward", "score"),
            f"{name}.scored": share(ROLLOUTS - 40 * at, ROLLOUTS, "rollouts"),
            f"{name}.abstained": share(40 * at, ROLLOUTS, "rollouts"),
        }
        if leaves > 1:
            unit = "of the variance in groups"
            fields[f"{name}.share"] = (
                Quantity(
                    shares[at], unit, "ratio", interval=Interval(shares[at] - 0.1, shares[at] + 0.1, "blocks"), n=40
                )
                if at < len(shares)
                else Declined("assumption_violated", "it never differs inside a group", "record a run in which it does")
            )
    spread = {"low": [-0.2, 0.275, 0.75, 1.225], "high": [0.275, 0.75, 1.225, 1.7], "rollouts": [120, 310, 150, 20]}
    tables: dict[str, Columns] = {"spread": spread}  # type: ignore[dict-item]
    return evidence("score-tree", Measured(fields, "leaves", "Made-up rollouts")), tables, MADE


def advantages() -> Item:
    fields: Fields = {"high": Quantity(2.47, "advantage", "score"), "low": Quantity(-2.47, "advantage", "score")}
    counts = {"up": 260, "down": 300, "still": 80, "zero": 80}
    fields |= {name: share(count, ROLLOUTS, "rollouts") for name, count in counts.items()}
    ends = [-2.47 + at * 4.94 / 19 for at in range(20)]
    spread: Columns = {
        "low": [*ends[:-1]],
        "high": [*ends[1:]],
        "rollouts": [4 * (9 - abs(at - 9)) for at in range(19)],
    }
    return evidence("advantages", Measured(fields, "high", "Made-up advantages")), {"spread": spread}, MADE


def selection(against: int = 0) -> Item:
    """Sixteen groups of eight, one rollout of each without a score."""
    draw = random.Random(5)
    rays: Columns = {name: [] for name in ("step", "group", "reward", "offset", "advantage")}
    for group in range(SHOWN):
        scores = [round(draw.random(), 2) for _ in range(SIZE - 1)]
        mean = sum(scores) / len(scores)
        for reward in [*scores, None]:
            offset = None if reward is None else reward - mean
            row = (group * 2, group * 5, reward, offset, 0.0 if offset is None else 2.4 * offset)
            for name, value in zip(rays, row, strict=True):
                rays[name].append(value)
    scored = GROUPS * (SIZE - 1)
    fields: Fields = {
        "groups": share(SHOWN, GROUPS, "groups"),
        "rollouts": Quantity(SHOWN * SIZE, "rollouts", "size"),
        "abstained": Quantity(SHOWN, "rollouts", "size"),
        "agree": share(scored - against, scored, "rollouts"),
    }
    return evidence("selection", Measured(fields, "groups", "Made-up groups")), {"rays": rays}, MADE


def counterfactual(turned: int = 120) -> Item:
    """Two edits, one on which the rules that fit differ in a field."""
    fields: Fields = {}
    for edit, flips in (("drop-short-reply", turned), ("drop-right-answer", turned // 3)):
        counts = {"flips": flips, "to-zero": flips // 2, "from-zero": 0, "moved": flips + 20}
        for name, count in counts.items():
            found = share(count, ROLLOUTS, "rollouts")
            fields[f"{edit}.{name}"] = found
    fields["drop-right-answer.moved"] = Declined(
        "assumption_violated", "the rules that fit differ here", "give the trainer's configuration with --config"
    )
    fields["identity.flips"] = share(0, ROLLOUTS, "rollouts")
    return evidence("counterfactual", Measured(fields, "drop-short-reply.flips", "Made-up rollouts")), {}, MADE


def series_alone() -> list[Item]:
    """A run that published series by step and no rollout."""
    fields: Fields = {name: Quantity(0, name, "size") for name in ("rollouts", "steps", "groups")}
    fields |= {"format": Label("public-series"), "trainer": Label("a made-up trainer")}
    made: list[Item] = [(evidence("coverage", Measured(fields, "rollouts", "One file"), SERIES), {}, MADE)]
    names = ("replay", "score-tree", "advantages", "selection", "counterfactual", "policy-response")
    made += [(evidence(name, NONE, SERIES), {}, MADE) for name in names]
    grams = Declined(
        "record_incomplete", "the record holds no gradients", "--model FOLDER computes them", needs="grams"
    )
    return [*made, (evidence("update-partition", grams, SERIES), {}, MADE)]


def items() -> list[Any]:
    told = [coverage(), replay(), score_tree(), advantages(), selection(), counterfactual()]
    return [*told, *series_alone()]
