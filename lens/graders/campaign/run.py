"""The campaign: sampled mutants over the corpora, in sandbox sessions whose batches are fixed by the inputs.

Mutants run under another seed than the outcomes they are compared with were taken under, and the first batch
replays every row unmutated, so a grader that depends on its process shows. What ends or hangs a worker is run
again alone, row by row; a seeded twentieth of the others is run again in a fresh worker, in reverse order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from lens.graders.campaign.design import BATCH, Design, design
from lens.graders.campaign.observe import Observed, asked, distinct_plan, observe
from lens.graders.campaign.observe import met as observe_rows
from lens.graders.campaign.sample import Sample, Stratum
from lens.graders.campaign.session import UNFINISHED, Met, Payload, alone, batch
from lens.graders.corpus import Row

if TYPE_CHECKING:
    from lens.graders.audit import Audit

_MANY = 1000  # rows
_FEW, _MOST = 100, 500  # mutants of one session in a census, over many rows and over fewer
_FACTOR = 10  # times the unmutated replay's CPU time is a time-out
_SLOWEST = 2  # times the slowest call, where that is more than ten times the mean one
_LEAST = 0.5  # CPU seconds of a time-out: the kernel counts in hundredths
_PATIENCE = 5.0  # seconds without a word, whatever the mutant waits for
_AGAIN = 0.05  # of the mutants, run again in a fresh worker
_CONTROLS = 6  # constants that the entry point's body is replaced by


@dataclass(frozen=True)
class Campaign:
    """`met[mutant][corpus]`, mutants by their place in the plan; `controls` likewise, by constant. `differ` are the
    rows whose unmutated replay differed (-1: one that ended its worker); where there are any, nothing else was run.
    `leaks` counts the mutants that came out otherwise in a fresh worker, of `again`."""

    observed: Observed
    design: Design
    differ: list[int]
    met: dict[int, dict[str, Met]]
    controls: list[tuple[Any, dict[str, Met]]]
    leaks: int
    again: int

    @property
    def mutants(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.observed.plan["mutants"]
        return found

    def kills(self, mutant: int, corpus: str) -> bool:
        return self.met[mutant][corpus].first >= 0


def campaign(audit: Audit) -> Campaign:
    """Run once an audit. `plan["mutants"]` may be empty: then so is everything here."""
    return audit.remember("campaign.run", lambda: _campaign(audit))


def _campaign(audit: Audit) -> Campaign:
    observed = observe(audit)
    made = design(audit, observed)
    if not made.sample.census:
        observed = replace(observed, plan=distinct_plan(audit, observed))
        made = design(audit, observed)
    drawn = made.sample.drawn
    if not drawn:
        return Campaign(observed, made, [], {}, [], 0, 0)
    plan = observed.plan
    mutants = [located(plan, plan["mutants"][number]) for number in drawn]
    values = constants(observed) if plan["entries"] else []
    controls = [{"key": plan["entries"][-1], "returns": value} for value in values]
    base = payload(observed, made.orders, patient(audit))
    ran = meet(audit, base, [*mutants, *controls], sampled=not made.sample.census, replay=True)
    if ran.differ:
        return Campaign(observed, made, ran.differ, {}, [], 0, 0)
    leaks, again = _leaks(audit, base, mutants, ran.met[: len(drawn)])
    results = [dict(zip(made.orders, each, strict=True)) for each in ran.met]
    if made.sample.census:
        kept, same = _sorted_out(plan["mutants"], ran.codes)
        made = replace(made, sample=Sample((Stratum(tuple(kept), tuple(kept)),)))
        dropped = {"same_bytecode": [plan["mutants"][number] for number in same]}
        observed = replace(observed, plan={**plan, **dropped, "duplicates": len(drawn) - len(kept) - len(same)})
    met = {number: each for number, each in zip(drawn, results, strict=False) if number in set(made.sample.drawn)}
    controlled = list(zip(values, results[len(drawn) :], strict=True))
    return Campaign(observed, made, [], met, controlled, leaks, again)


def _sorted_out(mutants: Sequence[dict[str, Any]], codes: Sequence[Any]) -> tuple[list[int], list[int]]:
    """Of a census: the mutants that are distinct programs, and those that compile to the original. One that ended its
    worker before it told is taken for distinct."""
    seen: set[Any] = set()
    kept, same = [], []
    for number, (mutant, code) in enumerate(zip(mutants, codes, strict=False)):
        if code == "same":
            same.append(number)
        elif code != "invalid" and (code is None or (mutant["unit"], code) not in seen):
            seen.add((mutant["unit"], code))
            kept.append(number)
    return kept, same


def located(plan: dict[str, Any], mutant: dict[str, Any]) -> dict[str, Any]:
    """What the worker needs to make a planned mutant again."""
    return {"key": plan["units"][mutant["unit"]]["key"], "number": mutant["number"], "lines": mutant["lines"]}


def constants(observed: Observed) -> list[Any]:
    """The most frequent value of each distinct score, most frequent first: what a body could always return."""
    counts: dict[str, list[Any]] = {}
    for outcome in observed.outcomes:
        if outcome.status == "value" and not outcome.type.startswith(("float:", "int:")):
            counts.setdefault(repr(outcome.value), [0, outcome])[0] += 1
    best: dict[Any, list[Any]] = {}
    for count, outcome in sorted(counts.values(), key=lambda pair: (-pair[0], repr(pair[1].value))):
        score = outcome.score if outcome.score is not None else repr(outcome.value)[:40]
        best.setdefault(score, [count, outcome.value])
    return [value for _, value in list(best.values())[:_CONTROLS]]


def patient(audit: Audit) -> float:
    """Seconds that a mutant may say nothing: no more than the grader itself, if that hangs."""
    return min(_PATIENCE, audit.boxed().limits.silence)


def payload(observed: Observed, orders: dict[str, list[int]], patience: float = _PATIENCE) -> Payload:
    """What every batch shares."""
    rows = observed.rows
    times = [observed.cpu[row] for order in orders.values() for row in order] or [0.0]
    return {
        "rows": [asked(row) for row in rows],
        "expected": [msgspec.to_builtins(outcome) for outcome in observed.outcomes],
        "replay": False,
        "paths": [-1 if row in observed.whole else observed.path[row] for row in range(len(rows))],
        "lines": observed.lines(),
        "orders": list(orders.values()),
        "limits": [max(_LEAST, _FACTOR * sum(observed.cpu[row] for row in order)) for order in orders.values()],
        "cpu": max(_LEAST, _FACTOR * sum(times) / len(times), _SLOWEST * max(times)),
        "silence": max(patience, _FACTOR * max(observed.wall, default=0.0)),
    }


def observed_again(audit: Audit, known: Observed, rows: list[Row]) -> Observed:
    """Further rows, observed under the plan already made."""
    found = observe_rows(audit, rows)
    order = list(range(len(rows)))
    return replace(
        known, rows=rows, outcomes=found.outcomes, orders={"": order}, numbers={"": {row: row for row in order}},
        cpu=found.cpu, wall=found.wall, path=found.path, paths=found.paths, whole=found.whole,
    )  # fmt: skip


class Ran(NamedTuple):
    """Rows whose replay differed, and every mutant over every corpus with what it compiles to; see session.batch."""

    differ: list[int]
    met: list[list[Met]]
    codes: list[Any]


def meet(audit: Audit, base: Payload, mutants: Sequence[dict[str, Any]], *, sampled: bool, replay: bool = False) -> Ran:
    """Mutants over the corpora of `base`, in batches. Stops where any row differed."""
    size = BATCH if sampled else _FEW if len(base["rows"]) > _MANY else _MOST
    sent = [
        {**base, "mutants": list(mutants[at : at + size]), "replay": replay and at == 0}
        for at in range(0, max(len(mutants), 1), size)
    ]
    ran = Ran([], [], [])
    for result in audit.map(batch, [(audit.boxed(), audit.seed + 1, one) for one in sent]):
        if result["differ"]:
            return Ran(result["differ"], [], [])
        ran.met.extend(_by_mutant([Met(*one) for one in result["met"]], len(base["orders"])))
        ran.codes.extend(result["codes"])
        audit.advance(sum(calls for _, calls, _ in result["met"]))
    _settle(audit, base, mutants, ran.met)
    return ran


def _by_mutant(met: list[Met], corpora: int) -> list[list[Met]]:
    return [met[at : at + corpora] for at in range(0, len(met), corpora)]


def _settle(audit: Audit, base: Payload, mutants: Sequence[dict[str, Any]], found: list[list[Met]]) -> None:
    """Run again alone what hung or ended its worker, and put the results in its place."""
    unsettled = [
        (number, [corpus for corpus, met in enumerate(each) if _is_open(met)])
        for number, each in enumerate(found)
        if any(_is_open(met) for met in each)
    ]
    items = [
        (audit.boxed(), audit.seed + 1, {**base, "mutants": [mutants[number]], "replay": False}, corpora)
        for number, corpora in unsettled
    ]
    for (number, corpora), results in zip(unsettled, audit.map(alone, items), strict=True):
        for corpus, result in zip(corpora, results, strict=True):
            met = Met(*result)
            found[number][corpus] = met._replace(calls=met.calls + found[number][corpus].calls)
            audit.advance(met.calls)


def _is_open(met: Met) -> bool:
    return met.first == UNFINISHED or met.status == "timeout"


def _leaks(
    audit: Audit, base: Payload, mutants: Sequence[dict[str, Any]], met: Sequence[Sequence[Met]]
) -> tuple[int, int]:
    """Mutants that come out otherwise in a fresh worker, of how many tried."""
    steady = [number for number, each in enumerate(met) if all(one.status in ("survived", "killed") for one in each)]
    count = min(len(steady), -(-len(mutants) * _AGAIN // 1))
    chosen = sorted(Random(f"again/{audit.seed}").sample(steady, int(count)), reverse=True)
    if not chosen:
        return 0, 0
    item = (audit.boxed(), audit.seed + 2, {**base, "mutants": [mutants[number] for number in chosen]})
    (result,) = audit.map(batch, [item])
    again = _by_mutant([Met(*one) for one in result["met"]], len(base["orders"]))
    audit.advance(sum(calls for _, calls, _ in result["met"]))
    changed = sum(
        [one.first for one in each] != [one.first for one in met[number]]
        for number, each in zip(chosen, again, strict=True)
    )
    return changed, len(chosen)
