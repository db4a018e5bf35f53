"""What following every row, and running mutants over rows, will cost: from a few rows followed, before the rest is.

The same caps and the same budget as `observe`, `design` and `triage` use, with two guesses: half of the rows run
through the statement a mutant changes, and two mutants of five survive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lens.graders.campaign import design, observe, witness
from lens.graders.campaign.sample import round_down
from lens.graders.price import Price, Probe

if TYPE_CHECKING:
    from lens.graders.audit import Audit

REACHED = 0.5  # of the rows run through a mutant's statement
SURVIVE = 0.4  # of the mutants
HANGING = 1.5  # time-outs a mutant of a grader that hangs
PARSING = 0.1  # CPU seconds to parse sources and name arcs
FOLLOWED = 1.5e-4  # CPU seconds of a row to send and to keep its path


def observing(audit: Audit, probe: Probe) -> Price:
    """Every row once plain and once followed; of a grader that hangs, those not asked before are asked plain first."""
    known = observe.probe(audit)
    if known.results is not None:
        return Price(PARSING, 0)
    rows = observe.distinct(audit, observe.cap(audit, known.plain + known.followed))
    waited = 0.0
    if audit.patience.late or audit.thinned is not None:
        fresh = {row.asked for corpus in audit.corpora.values() for row in corpus.rows} - probe.asked
        probe.asked.update(fresh)
        waited = len(fresh) * probe.usual if audit.patience.late else 0.0
    return Price(PARSING + waited + rows * (known.plain + known.followed + FOLLOWED), 2 * rows)


def mutating(audit: Audit) -> Price:
    """The sampled mutants, a replay of their rows, and a twentieth of them again."""
    plan = _plan(audit)
    if not plan.size:
        return Price(PARSING, 0)  # too dear: it says so and asks nothing
    calls = round(1.05 * plan.size * design.ASKED * REACHED * plan.rows)
    hung = HANGING * plan.size * audit.patience.each_late if audit.patience.hangs else 0.0
    return Price(hung + 1.05 * plan.seconds + plan.rows * observe.probe(audit).plain, calls + plan.rows)


def telling(audit: Audit) -> Price:
    """The survivors over made inputs, and these followed once."""
    plan, known = _plan(audit), observe.probe(audit)
    if not plan.size:
        return Price(PARSING, 0)
    affordable = round(0.5 * audit.budget / max(plan.seconds, 1e-3) * plan.rows)
    count = audit.sized(min(witness.COUNT, affordable), witness.LEAST)
    share = SURVIVE * count / max(plan.rows, 1)
    waited = count * audit.patience.each if audit.patience.hangs else 0.0
    seconds = PARSING + waited + count * (known.plain + known.followed + FOLLOWED) + share * plan.seconds
    return Price(seconds, 2 * count + round(share * plan.size * design.ASKED * REACHED * plan.rows))


class _Plan(NamedTuple):
    """`size` mutants over `rows` distinct rows, CPU seconds."""

    size: int
    rows: int
    seconds: float


def _plan(audit: Audit) -> _Plan:
    known = observe.probe(audit)
    mutants = len(known.plan["mutants"])
    most = observe.cap(audit, known.plain + known.followed)
    for cap in (most, *(cap for cap in design.CAPS if cap < most)):
        rows = observe.distinct(audit, cap)
        each = design.COMPILING + design.ASKED * REACHED * rows * known.plain
        size = mutants if mutants * each <= audit.budget else min(mutants, round_down(audit.budget / each))
        if size >= min(design.WANTED, mutants):
            break
    return _Plan(size, rows, size * each)
