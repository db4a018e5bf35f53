"""False accept and false reject on labelled real output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens.graders import price
from lens.graders.contract import contract, outcomes
from lens.graders.corpus import Row
from lens.graders.shrink import earned
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Reading, Result
from lens.stats.clusters import LEAST

if TYPE_CHECKING:
    from lens.graders.audit import Audit

_REMEDY = "lens measure grader SUBJECT --corpus labelled.jsonl, with columns response, gold and label (true or false)"
_NOT_GIVEN = Declined("not_run", "no labelled real output was given", _REMEDY)


def _price(audit: Audit, probe: price.Probe) -> price.Price | Declined:
    return price.rows("rollouts")(audit, probe) if "rollouts" in audit.corpora else _NOT_GIVEN


@instrument(
    "rollouts",
    subjects="graders",
    title="False accept and reject, real rollouts",
    quantity="labelled real responses that the grader got wrong",
    unit="responses",
    needs="grader.query gold.record",
    cost="rows of rollouts",
    version=2,
    order=80,
    declines="without labelled real output, and where no right answer earns anything",
    source="BCa over problems; where no problem differs, Wilson over problems",
    price=_price,
)
def rollouts(audit: Audit) -> Reading | Result:
    """Compare the pay of every labelled real response with its label; a call that timed out is left out.

    `false-reject` k of n right responses refused, `false-accept` k of n wrong ones paid; intervals are over
    problems, since responses to one problem aren't independent. Table: `rollouts` (row, digest, label, accepted,
    earned), the misjudged rows alone.
    """
    if "rollouts" not in audit.corpora:
        return _NOT_GIVEN
    found = contract(audit)
    if found.ceiling is None and (refused := found.refusal("a rate")) is not None:
        return refused
    corpus = audit.corpus("rollouts")
    judged = [
        (row, found.accepts(outcome), outcome)
        for row, outcome in zip(corpus.rows, outcomes(audit, "rollouts"), strict=True)
        if row.label is not None and outcome.answered
    ]
    if not judged:
        return Declined(
            "record_incomplete", f"none of the {len(corpus.rows)} responses has a label and an answer", _REMEDY
        )
    fields: dict[str, Quantity | Label | Declined] = {}
    for label, name in ((True, "false-reject"), (False, "false-accept")):
        of_label = [(row, accepted is not label) for row, accepted, _ in judged if row.label is label]
        fields[name] = _rate(of_label, "right" if label else "wrong", audit.seed)
    wrong = [(row, accepted, outcome) for row, accepted, outcome in judged if accepted is not row.label]
    table: Columns = {
        "row": [row.number for row, _, _ in wrong],
        "digest": [row.digest for row, _, _ in wrong],
        "label": [row.label for row, _, _ in wrong],
        "accepted": [accepted for _, accepted, _ in wrong],
        "earned": [earned(outcome) for _, _, outcome in wrong],
    }
    problems = len({row.cluster for row, _, _ in judged})
    scope = f"{len(judged)} labelled responses to {problems} problems, from {corpus.title}"
    return Result(Measured(fields, "false-reject", scope), {"rollouts": table})


def _rate(rows: Sequence[tuple[Row, bool]], which: str, seed: int) -> Quantity | Declined:
    from lens.stats.shares import share_of

    if not rows:
        return Declined("corpus_inadequate", f"no response is labelled {which}", _REMEDY)
    missed, clusters, unit = [wrong for _, wrong in rows], [row.cluster for row, _ in rows], f"{which} responses"
    problems = len(set(clusters))
    if problems < LEAST:  # a count says something by itself
        note = f"{problems} problems are too few for an interval"
        return Quantity(sum(missed), unit, "count", of=len(rows), n=len(rows), n_eff=problems, note=note)
    return share_of(missed, clusters, unit, seed=seed)
