"""What it means that a mutant survives, mutant by mutant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.graders.campaign import run, witness
from lens.graders.campaign.observe import LOST, Observed
from lens.graders.campaign.run import Campaign
from lens.graders.corpus import Row

if TYPE_CHECKING:
    from lens.graders.audit import Audit

CLASSES = ("blind-spot", "not-told-apart", "side-effect", "same-bytecode", "unreachable")


@dataclass(frozen=True)
class Survivor:
    """`kind` is one of CLASSES. `where` and `row` are the corpus (or `witness`) and the row that tell a blind spot from
    the original."""

    planned: dict[str, Any]
    number: int  # its place in the plan; -1 for one dropped as same bytecode
    kind: str
    where: str = ""
    row: Row | None = None


@dataclass(frozen=True)
class Triage:
    """`tried` counts the distinct inputs, fuzzed and made to measure, that no survivor not told apart differs on."""

    survivors: list[Survivor]
    tried: int


def triage(audit: Audit, done: Campaign, labelled: list[str]) -> Triage:
    """Survivors are the mutants that no labelled corpus kills, and those never run for having the same bytecode."""
    alive = [number for number in done.design.sample.drawn if not any(done.kills(number, name) for name in labelled)]
    made = _witnesses(audit, done)
    told = _told_apart(audit, done, [number for number in alive if _open(done, number)], made)
    others = [name for name in done.design.orders if name not in labelled]
    survivors = [_survivor(done, number, others, told) for number in alive]
    survivors += [Survivor(planned, -1, "same-bytecode") for planned in done.observed.plan["same_bytecode"]]
    tried = {row for name in others for row in done.design.orders[name]}
    return Triage(survivors, len(tried) + sum(outcome.answered for outcome in made.outcomes))


def _open(done: Campaign, number: int) -> bool:
    """Whether an input could tell the mutant apart, and none of the corpora does yet."""
    planned = done.mutants[number]
    told = any(met.first >= 0 for met in done.met[number].values())
    return not (planned["dead"] or planned["quiet"] or told)


def _survivor(done: Campaign, number: int, others: list[str], told: dict[int, Row]) -> Survivor:
    planned = done.mutants[number]
    if planned["dead"]:
        return Survivor(planned, number, "unreachable")
    for name in others:
        first = done.met[number][name].first
        if first >= 0:
            return Survivor(planned, number, "blind-spot", name, done.observed.rows[first])
    if number in told:
        return Survivor(planned, number, "blind-spot", "witness", told[number])
    return Survivor(planned, number, "side-effect" if planned["quiet"] else "not-told-apart")


def _witnesses(audit: Audit, done: Campaign) -> Observed:
    """The made inputs, asked of the unmutated grader."""
    observed = done.observed
    bases = [observed.rows[row] for order in done.design.orders.values() for row in order]
    count = audit.sized(min(witness.COUNT, _affordable(audit, done)), witness.LEAST)
    made = witness.rows(bases, witness.tokens(observed.plan), seed=audit.seed, count=count)
    return run.observed_again(audit, observed, made)


def _affordable(audit: Audit, done: Campaign) -> int:
    """Inputs whose campaign would take half the budget."""
    rows = sum(len(order) for order in done.design.orders.values())
    share = 0.5 * audit.budget / max(done.design.predicted, 0.001)
    return max(50, 50 * int(rows * share / 50))


def _told_apart(audit: Audit, done: Campaign, numbers: list[int], made: Observed) -> dict[int, Row]:
    """For each mutant that a made input tells apart, the first that does."""
    order = [row for row, outcome in enumerate(made.outcomes) if outcome.status not in LOST]
    if not numbers or not order:
        return {}
    plan = done.observed.plan
    mutants = [run.located(plan, done.mutants[number]) for number in numbers]
    base = run.payload(made, {"witness": order}, run.patient(audit))
    ran = run.meet(audit, base, mutants, sampled=not done.design.sample.census)
    return {
        number: made.rows[each[0].first] for number, each in zip(numbers, ran.met, strict=True) if each[0].first >= 0
    }
