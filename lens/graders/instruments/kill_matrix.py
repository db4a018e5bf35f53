"""Kill matrix: which mutants of the grader each corpus tells from the original."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.graders.audit import Audit
from lens.graders.campaign.files import short
from lens.graders.price import Price, Probe
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    from lens.graders.campaign.run import Campaign

UNLABELLED = ("fuzz", "exploits")  # rows nobody labelled: a difference on them isn't a test that fails
_CONTROL = "constant-control.killed"
_GRID = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)


def _price(audit: Audit, probe: Probe) -> Price:
    from lens.graders.campaign.pricing import mutating

    seconds, calls = mutating(audit)
    return Price(seconds + 4 * probe.start, calls)


@instrument(
    "kill-matrix",
    subjects="graders",
    title="Kill matrix",
    quantity="mutants of the grader that each corpus tells from the original",
    unit="mutants",
    needs="grader.source",
    cost="mutants × rows that run through them, up to the first that differs",
    version=1,
    order=30,
    declines="where an unmutated replay differs; its rates, where a corpus can't see the grader",
    source="mutation analysis: DeMillo, Lipton, Sayward 1978; reachability by a followed replay",
    price=_price,
)
def kill_matrix(audit: Audit) -> Result:
    """Mutants × corpora. A mutant is killed by the first row, in the corpus's seeded order, that comes out otherwise:
    another value, another exception class, or a time-out (ten times the unmutated replay), run again alone.

    `mutants` N made, distinct in bytecode; `sampled` those run; per corpus `{c}.killed` k of n, `{c}.rows` rows used,
    `{c}.calls` calls made, and `{c}.rate`, the share of all N, which is declined on a corpus that can't see the
    grader (see corpus-adequacy) with the count as its bound. `any.killed` over the labelled corpora together.
    `constant-control.killed`: the entry point's body replaced by each constant it returns. `state-leaks`: mutants
    that came out otherwise in a fresh worker.
    """
    from lens.graders.campaign.run import campaign

    done = campaign(audit)
    audit.heed(done.observed.outcomes)
    if not done.mutants:
        return Result(_no_mutants())
    if not done.design.sample.size:
        return Result(_too_dear(audit, done))
    if done.differ:
        return Result(_unsteady(done))
    fields = _totals(audit, done)
    for corpus in done.design.orders:
        fields |= _of_corpus(audit, done, corpus)
    rows = ", ".join(f"{len(order)} rows of {name}" for name, order in done.design.orders.items())
    sample = done.design.sample
    scope = f"{sample.size} of {sample.population} mutants of what the audited call reaches, over {rows}"
    tables = {"mutants": _mutants(audit, done), "adequacy": _adequacy(done), "controls": _controls(done)}
    return Result(Measured(fields, "any.killed", scope), tables)


def labelled(done: Campaign) -> list[str]:
    """The corpora whose rows somebody labelled."""
    return [name for name in done.design.orders if name not in UNLABELLED]


def _no_mutants() -> Declined:
    return Declined(
        "not_applicable",
        "the audited call reaches no Python function of the grader's own distribution",
        "name the function that scores, in a .py file: lens measure grader FILE.py:FUNCTION",
    )


def _too_dear(audit: Audit, done: Campaign) -> Declined:
    each = done.design.each
    return Declined(
        "budget_exceeded",
        f"one mutant over {_rows(done)} rows takes about {each:.1f} CPU seconds: fewer than ten fit the budget",
        f"lens measure grader {audit.subject.spec} --budget {20 * max(1, round(each)):.0f}",
        needs="ten mutants within the budget",
        has=f"{audit.budget:g} CPU seconds",
    )


def _unsteady(done: Campaign) -> Declined:
    rows = sum(len(order) for order in done.design.orders.values())
    return Declined(
        "assumption_violated",
        f"the unmutated grader, replayed in another process, came out otherwise on {len(done.differ)} rows, "
        "so a changed outcome doesn't show a mutant",
        "read the determinism record of this grader, fix the seed or the clock it reads, and measure again",
        needs="a grader that repeats itself",
        has=f"{len(done.differ)} differences on {rows} rows",
    )


def _totals(audit: Audit, done: Campaign) -> dict[str, Quantity | Label | Declined]:
    sample, plan = done.design.sample, done.observed.plan
    timeouts = sum(any(met.status == "timeout" for met in each.values()) for each in done.met.values())
    killed = [any(met.first >= 0 for met in each.values()) for _, each in done.controls]
    names = labelled(done)
    return {
        "any.killed": _count(audit, done, lambda mutant: any(done.kills(mutant, name) for name in names)),
        "mutants": Quantity(sample.population, "mutants", "size"),
        "sampled": Quantity(sample.size, "mutants", "count", of=sample.population),
        "same-bytecode": Quantity(len(plan["same_bytecode"]), "mutants", "size", note="dropped before the count"),
        "duplicates": Quantity(plan["duplicates"], "mutants", "size", note="dropped before the count"),
        "calls": Quantity(sum(met.calls for each in done.met.values() for met in each.values()), "calls", "size"),
        "timeouts": Quantity(timeouts, "mutants", "count", of=sample.size),
        "replay-differences": Quantity(0, "rows", "count", of=_rows(done)),
        "state-leaks": Quantity(done.leaks, "mutants", "count", of=done.again),
        _CONTROL: Quantity(sum(killed), "constants", "count", of=len(killed))
        if killed
        else Declined("no_control", "no constant could stand for the entry point", "give a corpus the grader scores"),
        "isolation": Label(done.observed.isolation),
    }


def _rows(done: Campaign) -> int:
    return len({row for order in done.design.orders.values() for row in order})


def _count(audit: Audit, done: Campaign, holds: Any) -> Quantity:
    from lens.graders.campaign.estimate import interval

    sample = done.design.sample
    killed = sum(map(holds, sample.drawn))
    spread = interval(sample, holds, seed=audit.seed)
    return Quantity(killed, "mutants", "count", of=sample.size, interval=spread, n=sample.size, control=_CONTROL)


def _of_corpus(audit: Audit, done: Campaign, corpus: str) -> dict[str, Quantity | Label | Declined]:
    killed = _count(audit, done, lambda mutant: done.kills(mutant, corpus))
    order, total = done.design.orders[corpus], len(audit.corpora[corpus].rows)
    return {
        f"{corpus}.killed": killed,
        f"{corpus}.rate": _rate(audit, done, corpus, killed),
        f"{corpus}.calls": Quantity(sum(each[corpus].calls for each in done.met.values()), "calls", "size"),
        f"{corpus}.rows": Quantity(len(order), "rows", "count", of=total),
    }


def _rate(audit: Audit, done: Campaign, corpus: str, killed: Quantity) -> Quantity | Declined:
    """The share of all mutants, where the corpus can see the grader at all."""
    from lens.graders.campaign.estimate import rate
    from lens.graders.campaign.judge import why_inadequate

    why = why_inadequate(audit, done.observed, corpus)
    if why:
        return Declined(
            "corpus_inadequate",
            f"the {corpus} rows can't see the grader: {why}",
            "measure on labelled answers that are equal but not identical: lens measure grader SUBJECT --corpus FILE",
            needs="two outcome classes of 5 % of the rows each, and 5 % of rows on which raw equality differs",
            has=why,
            bound=killed,
        )
    share = rate(done.design.sample, lambda mutant: done.kills(mutant, corpus))
    return Quantity(share, "of mutants", "proportion", interval=killed.interval, n=killed.n, control=_CONTROL)


def _mutants(audit: Audit, done: Campaign) -> Columns:
    units, drawn = done.observed.plan["units"], done.design.sample.drawn
    planned = [done.mutants[number] for number in drawn]
    table: Columns = {
        "mutant": drawn,
        "operator": [one["operator"] for one in planned],
        "change": [one["what"] for one in planned],
        "file": [short(audit.subject, units[one["unit"]]["key"][0]) for one in planned],
        "function": [units[one["unit"]]["name"] for one in planned],
        "line": [one["place"][0] for one in planned],
        "column": [one["place"][1] for one in planned],
        "ended": [_ended(done, number) for number in drawn],
    }
    for corpus, numbers in done.observed.numbers.items():
        table[corpus] = [numbers.get(done.met[number][corpus].first, -1) for number in drawn]
    return table


def _ended(done: Campaign, number: int) -> str:
    """How a mutant ended its worker, where it did; empty for a changed outcome or none."""
    statuses = {met.status for met in done.met[number].values()} - {"survived", "killed"}
    return min(statuses, default="")


def _adequacy(done: Campaign) -> Columns:
    """Mutants killed by the first so many rows of each corpus, in its seeded order."""
    table: Columns = {"corpus": [], "rows": [], "killed": []}
    for corpus, order in done.design.orders.items():
        place = {row: at for at, row in reversed([*enumerate(order, 1)])}
        first = [place[each[corpus].first] for each in done.met.values() if each[corpus].first >= 0]
        for size in [*(size for size in _GRID if size < len(order)), len(order)]:
            table["corpus"].append(corpus)
            table["rows"].append(size)
            table["killed"].append(sum(at <= size for at in first))
    return table


def _controls(done: Campaign) -> Columns:
    table: Columns = {"control": [f"constant {number}" for number, _ in enumerate(done.controls, 1)]}
    table["type"] = [type(value).__name__ for value, _ in done.controls]
    for corpus, numbers in done.observed.numbers.items():
        table[corpus] = [numbers.get(each[corpus].first, -1) for _, each in done.controls]
    return table
