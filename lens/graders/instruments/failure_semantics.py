"""Failure semantics: what comes back when a grader can't cope. A score of 0 looks like a wrong answer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.outcome import Outcome
from lens.graders.price import Price, Probe
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

GOLDS = 3  # golds each probe is put to
FAILED = ("timeout", "memory", "exit", "output", "placeholder")

# What a model, a dataset or a trainer can hand over that no grader's author had in mind. All text is ours.
RESPONSES: dict[str, Any] = {
    "empty": "",
    "spaces": " \n\t ",
    "null byte": "\x00",
    "half a surrogate": "\ud800",
    "right-to-left mark": "\u200f7",
    "no answer": "I do not know.",
    "open box": "\\boxed{",
    "open tag": "<answer>",
    "bare marker": "####",
    "bare label": "Answer:",
    "half a fraction": "\\boxed{\\frac{1}{}}",
    "division by nought": "\\boxed{1/0}",
    "unknown macro": "\\boxed{\\nosuchmacro{1}}",
    "5,000 digits": "#### " + "7" * 5000,
    "300 open braces": "\\boxed{" + "{" * 300,
    "nan": "#### nan",
    "infinity": "#### inf",
    "no response": None,
    "a number": 7,
    "a list": ["7"],
    "a mapping": {"answer": "7"},
}
REFERENCES: dict[str, Any] = {
    "empty gold": "",
    "no gold": None,
    "gold is a number": 7,
    "gold is a list": [],
    "gold is a mapping": {},
    "gold of 5,000 digits": "7" * 5000,
}


def _price(audit: Audit, probe: Probe) -> Price:
    count = audit.sized(GOLDS, 1) * (len(RESPONSES) + len(REFERENCES))
    return Price(probe.start + (3 if audit.thinned is None else 1) * count * probe.usual, count)


@instrument(
    "failure-semantics",
    subjects="graders",
    title="What happens when it fails",
    quantity="odd and broken inputs that come back as an exception, as no score, or as a 0",
    unit="probes",
    needs="grader.query",
    cost=f"{len(RESPONSES) + len(REFERENCES)} probes × {GOLDS} golds",
    version=1,
    order=100,
    declines="without a gold to put the probes to",
    source="exceptions inside the grader's own folder are seen by sys.settrace",
    unanswered=True,
    price=_price,
)
def failure_semantics(audit: Audit) -> Result:
    """Every odd response to a few golds, and the golds' own responses to odd references.

    `mode` the commonest way of failing and the exception classes met; `raised` k of n probes whose exception came
    out; `abstained` k of n with no number (None, NaN, no score); `zero` k of n scored 0, the same as a wrong
    answer; `paid` k of n scored above 0; `swallowed` k of n on which an exception was raised inside the grader
    and a value came back all the same; `ended` k of n that killed or hung the process; `printed` characters
    written over all probes. Whether a 0 is right is a matter of the probe: it is the exceptions that tell.
    """
    rows, kinds = _probes(audit)
    golds = len(rows) // (len(RESPONSES) + len(REFERENCES))
    if not rows:
        return Result(Declined("corpus_inadequate", "no gold to put probes to", "give a corpus of golds with --corpus"))
    outcomes, inside = _watched(audit, rows)
    rows, kinds = rows[: len(outcomes)], kinds[: len(outcomes)]
    n, unique = len(rows), len(set(kinds))
    ways = [_way(outcome) for outcome in outcomes]
    swallowed = [bool(seen) and outcome.status == "value" for outcome, seen in zip(outcomes, inside, strict=True)]
    fields: dict[str, Quantity | Label | Declined] = {
        "mode": Label(_mode(outcomes, inside)),
        **{way: _count(ways.count(way), n) for way in ("raised", "abstained", "zero", "paid", "ended")},
        "swallowed": _count(sum(swallowed), n),
        "printed": Quantity(sum(outcome.printed for outcome in outcomes), "characters", "size", n=n),
    }
    table: Columns = {
        "probe": kinds,
        "row": [row.number for row in rows],
        "way": ways,
        "type": [outcome.type for outcome in outcomes],
        "inside": [" ".join(seen) for seen in inside],
        "printed": [outcome.printed for outcome in outcomes],
    }
    scope = f"{unique} odd inputs put to {golds} golds; a sample of ways to break, not all of them"
    return Result(Measured(fields, "mode", scope), {"probes": table})


def _count(k: int, n: int) -> Quantity:
    """k of n, exact: the battery is all of its own population, so there is nothing to give an interval for."""
    return Quantity(k, "probes", "count", of=n)


def _probes(audit: Audit) -> tuple[list[Row], list[str]]:
    name = next((name for name in ("gold", *audit.corpora) if name in audit.corpora), "")
    bases = audit.corpus(name).spread(audit.sized(GOLDS, 1)) if name else ()
    rows = [Row(base.number, odd, base.gold, columns=base.columns) for base in bases for odd in RESPONSES.values()]
    rows += [
        Row(base.number, base.response, odd, columns=base.columns) for base in bases for odd in REFERENCES.values()
    ]
    return rows, [*RESPONSES] * len(bases) + [*REFERENCES] * len(bases)


def _watched(audit: Audit, rows: list[Row]) -> tuple[list[Outcome], list[list[str]]]:
    """Outcome of every row and the exceptions met inside, up to as many lost in a row as the limits have patience
    for: the rest aren't asked."""
    outcomes: list[Outcome] = []
    inside: list[list[str]] = []
    lost = 0
    payload = {"rows": [[row.response, row.gold, row.columns] for row in rows]}
    with audit.session() as session:
        for _, result in session.run("failures", payload, len(rows)):
            if isinstance(result, dict):
                outcomes.append(Outcome(*result["outcome"]))
                inside.append(result["inside"])
                lost = 0
            elif isinstance(result, Outcome):
                outcomes.append(result)
                inside.append([])
                lost += 1
                if lost >= session.limits.patience:
                    break
    audit.advance(len(rows))
    audit.heed(outcomes)
    return outcomes, inside


def _way(outcome: Outcome) -> str:
    if outcome.status == "exception":
        return "raised"
    if outcome.status in FAILED:
        return "ended"
    if outcome.score is None:
        return "abstained"
    return "paid" if outcome.score > 0 else "zero"


def _mode(outcomes: list[Outcome], inside: list[list[str]]) -> str:
    """In words: where the exceptions went."""
    out = Counter(outcome.type for outcome in outcomes if outcome.status == "exception")
    kept = Counter(
        (name, _way(outcome)) for outcome, seen in zip(outcomes, inside, strict=True)
        if outcome.status == "value" for name in seen
    )  # fmt: skip
    parts = [f"raises {', '.join(sorted(out))}"] if out else []
    ended = sorted({f"{one.status} {one.type}".rstrip() for one in outcomes if _way(one) == "ended"})
    parts += [f"does not come back: {', '.join(ended)}"] if ended else []
    for way, words in (("zero", "returns 0"), ("paid", "pays"), ("abstained", "gives no score")):
        names = sorted({name for name, went in kept if went == way})
        if names:
            parts.append(f"{words} on {', '.join(names)} of its own")
    return "; ".join(parts) or "no exception on any probe"
