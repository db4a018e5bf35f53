"""Survivors: what it means that no labelled row tells a mutant from the grader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.graders.audit import Audit
from lens.graders.campaign.files import short
from lens.graders.price import Price, Probe
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    from lens.graders.campaign.run import Campaign
    from lens.graders.campaign.triage import Survivor, Triage


def _price(audit: Audit, probe: Probe) -> Price:
    from lens.graders.campaign.pricing import telling

    seconds, calls = telling(audit)
    return Price(seconds + 3 * probe.start, calls)


@instrument(
    "survivors",
    subjects="graders",
    title="Surviving mutants",
    quantity="mutants that no labelled row tells from the grader, by what that means",
    unit="survivors",
    needs="grader.source",
    cost="survivors × made inputs",
    version=1,
    order=35,
    declines="with the kill matrix",
    source="triage in the order of certainty; inputs spliced from rows and from the grader's own constants",
    price=_price,
)
def survivors(audit: Audit) -> Result:
    """Each survivor in one class: `unreachable` (a constant argument of the audited call rules its statement out),
    `side-effect` (it can only change what is printed, logged or said in an error), `same-bytecode` (dropped before
    the count), `blind-spot` (some input tells it apart, no labelled row does: a finding), `not-told-apart` by any of
    `tried` inputs. `{c}.blind-spot`: of the mutants corpus c doesn't kill, those that any row or input tells apart.

    The table names the input that tells a blind spot apart by corpus, row number and digest; its text only with
    --disclose, since it can be a recipe.
    """
    from lens.graders.campaign.run import campaign
    from lens.graders.campaign.triage import CLASSES, triage
    from lens.graders.instruments.kill_matrix import labelled

    done = campaign(audit)
    if not done.met:
        return Result(_declined())
    found = triage(audit, done, labelled(done))
    kinds = [one.kind for one in found.survivors]
    fields: dict[str, Quantity | Label | Declined] = {
        kind: Quantity(kinds.count(kind), "survivors", "count", of=len(kinds)) for kind in CLASSES
    }
    fields["tried"] = Quantity(found.tried, "inputs", "size")
    fields |= {f"{corpus}.blind-spot": _blind(done, found, corpus) for corpus in done.design.orders}
    scope = (
        f"{len(kinds)} of {done.design.sample.size} mutants run, and those dropped for their bytecode; "
        f"not told apart means by {found.tried} inputs, not by any"
    )
    return Result(Measured(fields, "blind-spot", scope), {"survivors": _table(audit, done, found.survivors)})


def _declined() -> Declined:
    return Declined(
        "assumption_violated",
        "the kill matrix declined, so there are no survivors to speak of",
        "see the kill-matrix record of this grader for what it needs",
    )


def _blind(done: Campaign, found: Triage, corpus: str) -> Quantity:
    """Of the mutants this corpus doesn't kill, those known to differ."""
    told = {one.number for one in found.survivors if one.kind == "blind-spot"}
    missed = [number for number in done.met if not done.kills(number, corpus)]
    known = [n for n in missed if n in told or any(met.first >= 0 for met in done.met[n].values())]
    return Quantity(len(known), "survivors", "count", of=len(missed))


def _table(audit: Audit, done: Campaign, survivors: list[Survivor]) -> Columns:
    units = done.observed.plan["units"]
    table: Columns = {
        "mutant": [one.number for one in survivors],
        "class": [one.kind for one in survivors],
        "operator": [one.planned["operator"] for one in survivors],
        "change": [one.planned["what"] for one in survivors],
        "file": [short(audit.subject, units[one.planned["unit"]]["key"][0]) for one in survivors],
        "function": [units[one.planned["unit"]]["name"] for one in survivors],
        "line": [one.planned["place"][0] for one in survivors],
        "column": [one.planned["place"][1] for one in survivors],
        "witness": [one.where for one in survivors],
        "row": [_number(done, one) for one in survivors],
        "digest": [one.row.digest if one.row else "" for one in survivors],
    }
    if audit.disclose:
        table["response"] = [_text(one.row.response) if one.row else "" for one in survivors]
        table["gold"] = [_text(one.row.gold) if one.row else "" for one in survivors]
    return table


def _number(done: Campaign, one: Survivor) -> int:
    if one.row is None:
        return -1
    if one.where == "witness":
        return one.row.number
    return done.observed.numbers[one.where][done.met[one.number][one.where].first]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)
