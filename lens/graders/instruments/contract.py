"""Contract: the answer shape a grader pays, what it returns, and between which scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.graders import price
from lens.graders.contract import PROBED, Contract, contract, format_of
from lens.graders.defects import Finding, table
from lens.graders.thin import hung
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.stats.intervals import share

if TYPE_CHECKING:
    from lens.graders.audit import Audit


def _price(audit: Audit, probe: price.Probe) -> price.Price | Declined:
    if "contract" in audit.memo:
        return price.free(audit, probe)  # the corpora are rendered in it: found when the audit was opened
    return price.calls(PROBED * (len(format_of(audit).candidates) + 1))(audit, probe)


@instrument(
    "contract",
    subjects="graders",
    title="Contract",
    quantity="the answer shape that the oracle is paid in, the types returned and their range",
    unit="golds",
    needs="grader.query gold.record",
    cost="24 × answer shapes",
    version=1,
    order=10,
    declines="the shape and its scores, where the oracle earns nothing in any known shape",
    source="the oracle rendered in every shape of its answer format",
    unanswered=True,
    price=_price,
)
def contract_of(audit: Audit) -> Result:
    """Render up to 24 golds' own answers in every known shape and see what they earn.

    `shape` in words; `tried` shapes; `oracle-paid` k of n golds in that shape; `ceiling` the score they earn and
    `floor` the usual score of another gold's answer; `wrong-paid` of those; `golds` whether the grader takes golds
    as they are; `abstained` and `raised` k of n oracle answers with golds as they are.
    Tables: `shapes` (every shape tried), `defects`.
    """
    found = contract(audit)
    refused = found.refusal("the contract")
    paid = found.paid
    oracle, missed, plain = ([one for one in some if one.answered] for some in (found.oracle, found.wrong, found.plain))
    audit.heed([*found.oracle, *found.wrong])
    wrong = sum(found.accepts(one) for one in missed)
    given = [*oracle, *plain]
    fields: dict[str, Quantity | Label | Declined] = {
        "shape": Label(found.rendering.words) if refused is None else refused,
        "tried": Quantity(len(found.tried), unit="shapes", kind="size"),
        "oracle-paid": _of(audit, paid, len(oracle)),
        "returns": Label(found.returns),
        "ceiling": _score(found.ceiling, refused),
        "floor": _score(found.floor, refused),
        "wrong-paid": share(wrong, len(missed), "golds") if missed and refused is None else _alone(refused),
        "golds": Label("enclosed in dollar signs" if found.rendering.dress else "as they are"),
        "abstained": _of(audit, sum(_abstained(one) for one in plain), len(plain)),
        "raised": _of(audit, sum(one.status != "value" for one in plain), len(plain)),
    }
    if found.also:
        fields["also"] = Label("; ".join(shape.words for shape in found.also))
    findings = [
        *_shapes(found),
        Finding("gold-refused", "oracle", "identity", len(oracle) - paid if refused is None else 0, len(oracle)),
        Finding("abstains-on-valid", "oracle", "identity", sum(map(_abstained, given)), len(given)),
        Finding("raises-on-valid", "oracle", "identity", sum(one.status == "exception" for one in given), len(given)),
        Finding("wrong-answer-paid", "oracle", "crossed", wrong, len(missed)),
    ]
    scope = f"{len(found.oracle)} golds' own answers, each in {len(found.tried)} shapes"
    return Result(Measured(fields, "shape", scope), {"shapes": _table(found), "defects": table(findings)})


def _of(audit: Audit, k: int, n: int) -> Quantity | Declined:
    """k of n golds, where any call was answered."""
    return share(k, n, "golds") if n else hung(audit)


def _abstained(outcome: object) -> bool:
    return getattr(outcome, "status", "") == "value" and getattr(outcome, "score", None) is None


def _score(value: float | None, refused: Declined | None) -> Quantity | Declined:
    if refused is not None:
        return refused
    if value is None:
        return Declined(
            "below_detection", "no call of this kind returned a number", "wrap the grader so that it returns a number"
        )
    return Quantity(value, unit="score", kind="score")


def _alone(refused: Declined | None) -> Declined:
    return (
        refused
        if refused is not None
        else Declined(
            "corpus_inadequate",
            "one gold alone can't be answered with another one's answer",
            "give at least two golds: --corpus PATH",
        )
    )


def _shapes(found: Contract) -> list[Finding]:
    """Shapes in which the oracle earns nothing at all, golds taken in the way that pays best there."""
    best: dict[str, tuple[int, int, str]] = {}
    for one in found.tried:
        paid, of, _ = best.get(one.shape.name, (0, 0, ""))
        best[one.shape.name] = (max(paid, one.paid), max(of, one.of), one.shape.defect)
    if found.shape is None:
        return []
    return [
        Finding(defect, "shape", name, of if paid == 0 else 0, of, policy=True)
        for name, (paid, of, defect) in best.items()
        if defect
    ]


def _table(found: Contract) -> Columns:
    return {
        "shape": [one.shape.name for one in found.tried],
        "words": [one.shape.words for one in found.tried],
        "golds": ["in dollars" if one.shape.dress else "as they are" for one in found.tried],
        "paid": [one.paid for one in found.tried],
        "of": [one.of for one in found.tried],
        "chosen": [one.shape == found.shape for one in found.tried],
    }
