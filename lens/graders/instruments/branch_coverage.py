"""Branch coverage: which ways out of each test a corpus takes, apart from what it kills."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from lens.graders.audit import Audit
from lens.graders.campaign.files import short
from lens.graders.price import Price, Probe
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    from lens.graders.campaign.arcs import Branches
    from lens.graders.campaign.observe import Observed

DRAWS = 64
_POOL = ("labelled", "fuzz")


def _price(audit: Audit, probe: Probe) -> Price:
    from lens.graders.campaign.pricing import observing

    return observing(audit, probe)


@instrument(
    "branch-coverage",
    subjects="graders",
    title="Branch coverage",
    quantity="ways out of a test in the grader's code that each corpus takes",
    unit="branch arcs",
    needs="grader.source",
    cost="2 × rows",
    version=1,
    order=20,
    declines="where the audited call reaches no branch of the grader's own",
    source="arcs as coverage.py defines them, static and followed",
    price=_price,
)
def branch_coverage(audit: Audit) -> Result:
    """Arcs taken of those the audited call could take: constant arguments rule some out (`any-call` counts them too).

    Per corpus `{c}.taken` k of n, and beside it `{c}.pool-low` and `{c}.pool-high`, the 5 % and 95 % quantiles over
    64 draws of as many rows from the larger pool of labelled and fuzzed rows that aren't in the corpus.
    `any.taken` over all corpora. Tables name arcs by function and line; the source itself isn't kept.
    """
    from lens.graders.campaign.arcs import Branches
    from lens.graders.campaign.observe import observe

    observed = observe(audit)
    audit.heed(observed.outcomes)
    branches = Branches(observed.plan)
    n = len(branches.reachable)
    if not n:
        return Result(_no_branches(observed))
    everything = branches.taken(observed.arcs(row for order in observed.orders.values() for row in order))
    fields: dict[str, Quantity | Label | Declined] = {
        "any.taken": Quantity(len(everything), "branch arcs", "count", of=n),
        "any-call": Quantity(len(branches.all), "branch arcs", "size", note="whatever the arguments"),
    }
    for name, order in observed.orders.items():
        taken = branches.taken(observed.arcs(order))
        fields[f"{name}.taken"] = Quantity(
            len(taken), "branch arcs", "count", of=n, n=len(order), control=f"{name}.pool-low"
        )
        fields |= _pool(audit, observed, branches, name)
    scope = f"{len(observed.plan['units'])} functions the audited call reaches; a taken branch isn't a checked one"
    tables = {"arcs": _arcs(audit, observed, branches), "lines": _lines(audit, observed, branches)}
    return Result(Measured(fields, "any.taken", scope), tables)


def _no_branches(observed: Observed) -> Declined:
    functions = len(observed.plan["units"])
    return Declined(
        "not_applicable",
        f"the audited call reaches {functions} Python functions of the grader's own, and no test with two ways out",
        "name the function that scores, in a .py file: lens measure grader FILE.py:FUNCTION",
    )


def _pool(audit: Audit, observed: Observed, branches: Branches, name: str) -> dict[str, Quantity | Declined]:
    """What as many rows from elsewhere would take."""
    order = observed.orders[name]
    own = set(order)
    names = [pool for pool in _POOL if pool in observed.orders and pool != name]
    pool = sorted({row for pool in names for row in observed.orders[pool]} - own)
    if len(pool) <= len(own):
        missing = Declined(
            "no_control",
            f"{len(pool)} rows outside {name} to draw {len(own)} from: a control needs a larger pool",
            "give more labelled rows: lens measure grader SUBJECT --corpus FILE",
            needs=f"more than {len(own)} other rows",
            has=f"{len(pool)}",
        )
        return {f"{name}.pool-low": missing, f"{name}.pool-high": missing}
    by_path = {path: branches.taken(observed.paths[path]) for path in {observed.path[row] for row in pool} if path >= 0}
    random = Random(f"pool/{audit.seed}/{name}")
    counts = sorted(
        len(frozenset().union(*(by_path.get(observed.path[row], frozenset()) for row in random.sample(pool, len(own)))))
        for _ in range(DRAWS)
    )
    low, high = counts[DRAWS // 20], counts[-1 - DRAWS // 20]
    note = f"{DRAWS} draws of {len(own)} rows from {' and '.join(names)}"
    return {
        f"{name}.pool-low": Quantity(low, "branch arcs", "count", of=len(branches.reachable), note=note),
        f"{name}.pool-high": Quantity(high, "branch arcs", "count", of=len(branches.reachable), note=note),
    }


def _arcs(audit: Audit, observed: Observed, branches: Branches) -> Columns:
    """Each reachable arc, and per corpus whether it is taken; -1 as the target leaves the function."""
    arcs = sorted(branches.reachable)
    table: Columns = {
        "file": [short(audit.subject, arc[0]) for arc in arcs],
        "function": [branches.reachable[arc] for arc in arcs],
        "from": [arc[1] for arc in arcs],
        "to": [max(arc[2], -1) for arc in arcs],
    }
    for name, order in observed.orders.items():
        taken = branches.taken(observed.arcs(order))
        table[name] = [arc in taken for arc in arcs]
    return table


def _lines(audit: Audit, observed: Observed, branches: Branches) -> Columns:
    """Each statement of the reached functions, whether the audited call rules it out, and the distinct rows of each
    corpus that run it."""
    places = sorted(branches.statements)
    table: Columns = {
        "file": [short(audit.subject, file) for file, _ in places],
        "function": [branches.statements[place] for place in places],
        "line": [line for _, line in places],
        "dead": [branches.is_dead(*place) for place in places],
    }
    ran = [branches.ran(path) for path in observed.paths]
    for name, order in observed.orders.items():
        counts = Counter(place for row in set(order) if observed.path[row] >= 0 for place in ran[observed.path[row]])
        table[name] = [counts[place] for place in places]
    return table
