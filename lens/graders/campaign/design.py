"""Which rows and which mutants a campaign runs, from what a call costs on this subject.

All mutants over all rows where that is predicted to stay within the budget. Else corpora are cut to the first
rows of their seeded order as long as that leaves at least 200 mutants in the budget, and the mutants are sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.graders.campaign.observe import LOST, Observed
from lens.graders.campaign.sample import Sample, draw, round_down

if TYPE_CHECKING:
    from lens.graders.audit import Audit

COMPILING = 0.0003  # CPU seconds to change, compile and swap one mutant
ASKED = 0.7  # of the calls a mutant that nothing kills would take, those made
BATCH = 25  # sampled mutants of one session
WANTED = 200  # mutants, before more rows are worth having
CAPS = (1000, 500, 240, 120, 60, 30, 20)


@dataclass(frozen=True)
class Design:
    """`orders` are the rows each mutant meets, by corpus; `predicted` CPU seconds of the sample, `each` of a mutant."""

    orders: dict[str, list[int]]
    sample: Sample
    predicted: float
    each: float


def design(audit: Audit, observed: Observed) -> Design:
    """Taken from a timed, followed replay of every row."""
    mutants = observed.plan["mutants"]
    lost = {row for row, outcome in enumerate(observed.outcomes) if outcome.status in LOST}
    usable = {name: [row for row in order if row not in lost] for name, order in observed.orders.items()}
    largest = max((len(order) for order in usable.values()), default=0)
    chosen: Design | None = None
    for cap in (largest, *(cap for cap in CAPS if cap < largest)):
        orders = {name: order[:cap] for name, order in usable.items()}
        total = _predicted(observed, orders)
        each = total / max(len(mutants), 1)
        if total > audit.budget:
            each += observed.loaded / BATCH
        size = len(mutants) if total <= audit.budget else min(round_down(audit.budget / each), len(mutants))
        chosen = Design(orders, draw(mutants, size, audit.seed), each * size, each)
        if size >= min(WANTED, len(mutants)):
            break
    assert chosen is not None
    return chosen


def _predicted(observed: Observed, orders: dict[str, list[int]]) -> float:
    """CPU seconds of all mutants over these rows: those that run through its statement, up to the one that kills it."""
    asked = {row for order in orders.values() for row in order}
    spent: dict[int, float] = {}
    for row in asked:
        path = -1 if row in observed.whole else observed.path[row]
        spent[path] = spent.get(path, 0.0) + observed.cpu[row]
    lines = [{file: set(some) for file, some in path.items()} for path in observed.lines()]
    reached: dict[tuple[str, int, int], float] = {}
    total = 0.0
    for mutant in observed.plan["mutants"]:
        place = (file_of(observed.plan, mutant), *mutant["lines"])
        if place not in reached:
            reached[place] = sum(cpu for path, cpu in spent.items() if path < 0 or _through(lines[path], *place))
        total += COMPILING + ASKED * reached[place]
    return total


def file_of(plan: dict[str, Any], mutant: dict[str, Any]) -> str:
    return str(plan["units"][mutant["unit"]]["key"][0])


def _through(lines: dict[str, set[int]], file: str, first: int, last: int) -> bool:
    return not lines.get(file, set()).isdisjoint(range(first, last + 1))
