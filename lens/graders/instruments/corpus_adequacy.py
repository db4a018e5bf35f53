"""Corpus adequacy: whether a corpus can tell the grader from a constant and from bare text equality."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lens.graders import price
from lens.graders.adequacy import Adequacy, adequacy, answered
from lens.graders.contract import contract, outcomes
from lens.graders.outcome import Outcome
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Reading, Result
from lens.stats.intervals import share

if TYPE_CHECKING:
    from lens.graders.audit import Audit


@instrument(
    "corpus-adequacy",
    subjects="graders",
    title="Corpus adequacy",
    quantity="how far each corpus tells the grader from a constant and from raw equality of the answer text",
    unit="rows",
    needs="grader.query gold.record",
    cost="rows of every corpus",
    version=1,
    order=20,
    declines="without corpora",
    source="null graders: each constant outcome, and raw text equality in the answer slot",
    price=price.rows(),
)
def corpus_adequacy(audit: Audit) -> Reading | Result:
    """Replay every corpus and compare the grader's outcomes with null graders'; rows that timed out are left out.

    For corpus c: `{c}.outcomes` classes of outcome; `{c}.identical`, `{c}.normalised` k of n rows with an answer
    text; `{c}.equality-differs` k of n of those; `{c}.best-constant-differs` k of n rows; `{c}.adequate` in words.
    Tables: `corpora`, and `outcomes` (corpus, outcome, rows; time-outs too).
    """
    if not audit.corpora:
        return Declined("not_run", "no corpus was given", "lens measure grader SUBJECT --corpus PATH")
    found = contract(audit)
    asked = {name: outcomes(audit, name) for name in sorted(audit.corpora) if audit.corpora[name].rows}
    judged = {
        name: adequacy(*answered(audit.corpora[name], given), found.ceiling, normalise=found.format.normalise)
        for name, given in asked.items()
    }
    fields: dict[str, Quantity | Label | Declined] = {
        "adequate": Quantity(sum(one.adequate for one in judged.values()), unit="corpora", kind="count", of=len(judged))
    }
    for name, one in judged.items():
        fields |= _fields(name, one)
    scope = f"{sum(one.rows for one in judged.values())} rows of {len(judged)} corpora"
    return Result(
        Measured(fields, "adequate", scope), {"corpora": _table(judged), "outcomes": _outcomes(judged, asked)}
    )


def _fields(name: str, one: Adequacy) -> dict[str, Quantity | Label | Declined]:
    fields: dict[str, Quantity | Label | Declined] = {
        f"{name}.outcomes": Quantity(len(one.outcomes), unit="outcome classes", kind="size"),
        f"{name}.best-constant-differs": share(one.constant_differs, one.rows, "rows"),
        f"{name}.adequate": Label("adequate" if one.adequate else "inadequate", note=one.why),
    }
    if one.slots:
        fields |= {
            f"{name}.identical": share(one.identical, one.slots, "rows"),
            f"{name}.normalised": share(one.normalised, one.slots, "rows"),
            f"{name}.equality-differs": share(one.equality_differs, one.slots, "rows"),
        }
    return fields


def _table(judged: dict[str, Adequacy]) -> Columns:
    return {
        "corpus": list(judged),
        "rows": [one.rows for one in judged.values()],
        "slots": [one.slots for one in judged.values()],
        "identical": [one.identical for one in judged.values()],
        "normalised": [one.normalised for one in judged.values()],
        "equality_differs": [one.equality_differs for one in judged.values()],
        "constant_differs": [one.constant_differs for one in judged.values()],
        "adequate": [one.adequate for one in judged.values()],
        "why": [one.why for one in judged.values()],
    }


def _outcomes(judged: dict[str, Adequacy], asked: dict[str, list[Outcome]]) -> Columns:
    rows = [(name, outcome, count) for name, one in judged.items() for outcome, count in one.outcomes]
    rows += [
        (name, status, count)
        for name, given in asked.items()
        for status, count in sorted(Counter(one.status for one in given if not one.answered).items())
    ]
    return {
        "corpus": [name for name, _, _ in rows],
        "outcome": [outcome for _, outcome, _ in rows],
        "rows": [count for _, _, count in rows],
    }
