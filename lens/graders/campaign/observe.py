"""Every row of every corpus asked once plain and once followed line by line: what mutants are compared with.

Rows that several corpora share are asked once. Where all rows would take longer than the budget, each corpus
is cut to the first rows of its seeded order, and says how many.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from lens.errors import LensError
from lens.graders.campaign.compiled import compile_engine
from lens.graders.contract import ask, asked_before, contract
from lens.graders.corpus import Row
from lens.graders.outcome import Outcome

if TYPE_CHECKING:
    from lens.graders.audit import Audit
    from lens.graders.sandbox.session import Session
    from lens.graders.subject import GraderSubject

Arc = tuple[str, int, int]
Asked = list[Any]  # [response, gold, columns], as the worker takes it

_BATCH = 1000  # rows of one session
_WARM_UP = 16  # rows asked before the plan is made
_STRAINED = 4  # rows asked before a plan is made, or for a price, of a grader that hangs or is slow
_PROBED = 16  # rows of each corpus that the price is taken from
_CAPS = (5000, 2000, 1000, 500, 240, 120, 60, 30)
LOST = ("timeout", "exit", "memory", "output", "unasked")  # such rows aren't asked of mutants


@dataclass(frozen=True)
class Observed:
    """`rows` are distinct; `orders` name them by place, for each corpus all its rows in a seeded order. `paths` are
    the distinct sets of arcs that rows take, `path[i]` the one row i takes (-1 where its worker ended); `whole` are
    the rows whose path may be incomplete, so that any statement may have run."""

    rows: list[Row]
    outcomes: list[Outcome]
    cpu: list[float]  # seconds of each call, the processes it started included
    wall: list[float]
    orders: dict[str, list[int]]
    numbers: dict[str, dict[int, int]]  # for each corpus, the row number there of a distinct row
    path: list[int]
    paths: list[frozenset[Arc]]
    whole: frozenset[int]
    plan: dict[str, Any]
    isolation: str
    loaded: float  # CPU seconds a worker takes to start

    def arcs(self, rows: Iterable[int]) -> frozenset[Arc]:
        """Arcs that any of these rows takes."""
        return frozenset().union(*(self.paths[path] for path in {self.path[row] for row in rows} if path >= 0))

    def lines(self) -> list[dict[str, list[int]]]:
        """For each path the lines run, by file."""
        return [_lines(path) for path in self.paths]


def _lines(path: Iterable[Arc]) -> dict[str, list[int]]:
    found: dict[str, set[int]] = {}
    for file, first, last in path:
        found.setdefault(file, set()).update((abs(first), abs(last)))
    return {file: sorted(lines) for file, lines in found.items()}


@dataclass(frozen=True)
class Probed:
    """A few rows of every corpus, observed: the plan of mutants, and CPU seconds of a call, plain and followed.
    `results` holds what came of all rows, where there are few enough for one session."""

    plan: dict[str, Any]
    plain: float
    followed: float
    isolation: str
    loaded: float
    results: Results | None


def asked(row: Row) -> Asked:
    return [row.response, row.gold, row.columns]


def probe(audit: Audit) -> Probed:
    """Taken once an audit, in one session: what the campaign's design and price are computed from."""
    return audit.remember("campaign.probe", lambda: _probe(audit))


def _probe(audit: Audit) -> Probed:
    compile_engine()
    picked = _ordered(audit, None).rows
    whole = len(picked) <= _BATCH and not audit.patience.late and audit.thinned is None
    if not whole:
        picked = _few(audit)
    item = (audit.boxed(), [asked(row) for row in picked], audit.seed, _columns(audit))
    (found,) = audit.map(_observe, [item])
    count = max(len(picked), 1)
    least = audit.patience.usual if audit.thinned is not None else 0.0
    plain, followed = (max(least, sum(result[1][which] for result in found["results"]) / count) for which in (0, 1))
    audit.advance(2 * len(picked))
    results = _joined([found]) if whole else None
    return Probed(found["plan"], plain, followed, found["isolation"], found["loaded"], results)


def _few(audit: Audit) -> list[Row]:
    """Some rows of every corpus; of a strained audit, a few of those that were answered before."""
    rows = [row for name in audit.corpora for row in audit.corpus(name).spread(_PROBED)]
    if audit.thinned is None:
        return rows
    found = contract(audit)
    return [row for row, one in zip(found.rows, found.oracle, strict=True) if one.answered][:_STRAINED] or rows[:1]


def _columns(audit: Audit) -> list[str]:
    return sorted({name for corpus in audit.corpora.values() for row in corpus.rows for name in row.columns})


def observe(audit: Audit) -> Observed:
    """Taken once an audit; reads every corpus."""
    return audit.remember("campaign.observed", lambda: _observed(audit))


def _observed(audit: Audit) -> Observed:
    known = probe(audit)
    order = _ordered(audit, None if known.results else cap(audit, known.plain + known.followed))
    found = known.results or met(audit, order.rows)
    waited = found.cpu
    if audit.thinned is not None:
        least = audit.patience.usual if audit.patience.slows else 0.0  # mutants' calls are too many for any worker
        waited = [max(least, *pair) for pair in zip(found.cpu, found.wall, strict=True)]
    return Observed(
        order.rows, found.outcomes, waited, found.wall, order.orders, order.numbers, found.path, found.paths,
        found.whole, known.plan, known.isolation, known.loaded,
    )  # fmt: skip


def met(audit: Audit, rows: list[Row]) -> Results:
    """Every row asked plain and followed. Where any call timed out before, all are asked plain first, and those that
    time out are not followed: each would cost its time again."""
    if not audit.patience.late:
        found = run(audit, rows)
        if audit.thinned is not None:
            asked_before(audit).update(zip([row.asked for row in rows], found.outcomes, strict=True))
        return found
    known = ask(audit, rows)
    steady = [place for place, outcome in enumerate(known) if outcome.answered]
    found = run(audit, [rows[place] for place in steady])
    outcomes, path, whole = list(known), [-1] * len(rows), set(range(len(rows)))
    cpu, wall = [outcome.cpu for outcome in known], [0.0] * len(rows)
    for at, place in enumerate(steady):
        outcomes[place], path[place] = found.outcomes[at], found.path[at]
        cpu[place], wall[place] = found.cpu[at], found.wall[at]
        if at not in found.whole:
            whole.remove(place)
    return Results(outcomes, cpu, wall, path, found.paths, frozenset(whole))


@dataclass(frozen=True)
class Ordered:
    """Distinct rows, and each corpus as places among them; see Observed."""

    rows: list[Row]
    orders: dict[str, list[int]]
    numbers: dict[str, dict[int, int]]


def _ordered(audit: Audit, cap: int | None) -> Ordered:
    """The first `cap` rows of each corpus in its seeded order."""
    made = Ordered([], {}, {})
    places: dict[bytes, int] = {}
    for name in audit.corpora:
        corpus = list(audit.corpus(name).rows)
        Random(f"order/{audit.seed}/{name}").shuffle(corpus)
        order, numbers = made.orders.setdefault(name, []), made.numbers.setdefault(name, {})
        for row in corpus[:cap]:
            place = places.setdefault(msgspec.json.encode(asked(row)), len(made.rows))
            if place == len(made.rows):
                made.rows.append(row)
            order.append(place)
            numbers.setdefault(place, row.number)
    return made


def cap(audit: Audit, each: float) -> int:
    """Rows of a corpus, so that all corpora together stay within the budget."""
    sizes = [len(corpus.rows) for corpus in audit.corpora.values()]
    largest = max(sizes, default=0)
    for cap in (largest, *(cap for cap in _CAPS if cap < largest)):
        if each * sum(min(size, cap) for size in sizes) <= audit.budget:
            return cap
    return min(largest, _CAPS[-1])


def distinct(audit: Audit, most: int) -> int:
    """Distinct rows among the first `most` of each corpus."""
    return len(_ordered(audit, most).rows)


@dataclass(frozen=True)
class Results:
    """What came of each row asked, in order; see Observed."""

    outcomes: list[Outcome]
    cpu: list[float]
    wall: list[float]
    path: list[int]
    paths: list[frozenset[Arc]]
    whole: frozenset[int]


def run(audit: Audit, rows: Sequence[Row]) -> Results:
    """Ask rows plain and followed, in batches of fixed size."""
    items = [
        (audit.boxed(), [asked(row) for row in rows[first : first + _BATCH]], audit.seed, None)
        for first in range(0, len(rows), _BATCH)
    ]
    batches = []
    for found in audit.map(_observe, items):
        batches.append(found)
        audit.advance(2 * len(found["results"]))
    return _joined(batches)


def _joined(batches: Iterable[dict[str, Any]]) -> Results:
    outcomes: list[Outcome] = []
    cpu: list[float] = []
    wall: list[float] = []
    path: list[int] = []
    whole: set[int] = set()
    places: dict[str, int] = {}
    paths: list[frozenset[Arc]] = []
    for found in batches:
        for taken, arcs in found["paths"].items():
            if taken not in places:
                places[taken] = len(paths)
                paths.append(frozenset((file, first, last) for file, pairs in arcs.items() for first, last in pairs))
        for outcome, (plain, _followed), seconds, taken, unsure in found["results"]:
            if unsure:
                whole.add(len(outcomes))
            outcomes.append(Outcome(*outcome))
            path.append(places.get(taken, -1))
            cpu.append(plain)
            wall.append(seconds)
    return Results(outcomes, cpu, wall, path, paths, frozenset(whole))


def _observe(item: tuple[GraderSubject, list[Asked], int, list[str] | None]) -> dict[str, Any]:
    """One batch, in a session of its own, and, where given the columns rows bring, the plan of mutants; plain types."""
    from lens.graders.sandbox.session import Session

    subject, rows, seed, columns = item
    results: list[list[Any]] = []
    paths: dict[str, Any] = {}
    steady: list[Asked] = []
    loaded = 0.0
    longer = subject.limits.followed()
    with Session(subject, seed=seed) as session:
        for index, result in session.run("coverage", {"rows": rows}, len(rows), cpu=longer.cpu, silence=longer.silence):
            if isinstance(result, Outcome):
                results.append([msgspec.to_builtins(result), [result.cpu, result.cpu], 0.0, "", True])
            else:
                paths[result["path"]] = paths.get(result["path"]) or result["arcs"]
                results.append([result[name] for name in ("outcome", "cpu", "wall", "path", "whole")])
                steady.append(rows[index])
                loaded = result["loaded"]
        planned = {} if columns is None else _planned(session, steady, columns, distinct=False)
        isolation = "; ".join(f"{name}: {value}" for name, value in session.isolation.items())
    return {"results": results, "paths": paths, "plan": planned, "isolation": isolation, "loaded": loaded}


def _planned(session: Session, rows: list[Asked], columns: list[str], *, distinct: bool) -> dict[str, Any]:
    """See lens/graders/sandbox/jobs/plan.py."""
    subject = session.subject
    sent = {
        "call": subject.call_source,
        "name": subject.call_name,
        "rows": rows[:_WARM_UP],
        "columns": columns,
        "distinct": distinct,
    }
    ((_, found),) = session.run("plan", sent, 1)
    if isinstance(found, Outcome):
        raise LensError(f"{subject.spec} ends its worker when asked again: {found.detail}")
    plan: dict[str, Any] = found
    return plan


def distinct_plan(audit: Audit, observed: Observed) -> dict[str, Any]:
    """The plan with every mutant compiled once: those that repeat the original or each other are set aside."""
    steady = [
        asked(row) for row, outcome in zip(observed.rows, observed.outcomes, strict=True) if outcome.status not in LOST
    ]
    few = audit.sized(_WARM_UP, _STRAINED)
    (plan,) = audit.map(_compiled, [(audit.boxed(), steady[:few], audit.seed, _columns(audit))])
    found: dict[str, Any] = plan
    return found


def _compiled(item: tuple[GraderSubject, list[Asked], int, list[str]]) -> dict[str, Any]:
    from lens.graders.sandbox.session import Session

    subject, rows, seed, columns = item
    with Session(subject, seed=seed) as session:
        return _planned(session, rows, columns, distinct=True)
