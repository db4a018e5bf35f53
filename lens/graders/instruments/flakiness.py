"""Flakiness: how often a grader contradicts itself, and how much of a score is the answer's own."""

from __future__ import annotations

from itertools import compress
from typing import cast

from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.outcome import Outcome
from lens.graders.price import Price, Probe
from lens.graders.thin import hung
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.stats.components import components
from lens.stats.intervals import share

ROWS = 60
REPEATS = 2  # times each session asks every row, the second time in reverse order
GROUP = 8


def _price(audit: Audit, probe: Probe) -> Price:
    count = len(_rows(audit)) * REPEATS * audit.replicates
    return Price(audit.replicates * probe.start + count * probe.usual, count)


@instrument(
    "flakiness",
    subjects="graders",
    title="Flakiness",
    quantity="answers that get different verdicts when asked again, and the share of a score that is the answer's own",
    unit="answers",
    needs="grader.replicate",
    cost=f"{ROWS} rows × {REPEATS} repeats × replicates",
    version=1,
    order=140,
    declines="variance parts where scores are not numbers or do not vary between answers",
    source="crossed design rows × sessions with repeats; generalizability as in Cronbach et al. 1972",
    price=_price,
)
def flakiness(audit: Audit) -> Result:
    """Rows asked twice in each of several fresh workers, the second time in reverse order.

    `flips` k of n rows with more than one verdict; `variance.*` squared score units (negative estimates as 0);
    `generalizability` share of a single call's variance that is the row's; `effective-group` rollouts of a
    group of 8 that carry as much about their answers as 8 noise-free scores: 8 × generalizability.
    """
    rows = _rows(audit)
    if not rows:
        return Result(Declined("corpus_inadequate", "no rows to ask again", "give a corpus with --corpus"))
    asked = [_asked(audit, rows, seed) for seed in range(audit.replicates)]  # session, repeat, row
    known = [all(repeat[at].status != "unasked" for session in asked for repeat in session) for at in range(len(rows))]
    rows = list(compress(rows, known))
    asked = [[list(compress(repeat, known)) for repeat in session] for session in asked]
    if not rows:
        return Result(hung(audit))
    verdicts = [[repeat[at].verdict for session in asked for repeat in session] for at in range(len(rows))]
    flipped = [len(set(seen)) > 1 for seen in verdicts]
    fields: dict[str, Quantity | Label | Declined] = {
        "flips": share(sum(flipped), len(rows), "answers", n_eff=len({row.digest for row in rows})),
        "replays": Quantity(REPEATS * audit.replicates, "calls an answer", "size"),
        **_variances(asked),
    }
    scope = f"{len(rows)} rows of {', '.join(audit.used)}, {REPEATS} calls in each of {audit.replicates} fresh workers"
    tables: dict[str, Columns] = {
        "rows": {
            "row": [row.number for row in rows],
            "digest": [row.digest for row in rows],
            "verdicts": [len(set(seen)) for seen in verdicts],
        }
    }
    return Result(Measured(fields, "flips", scope), tables)


def _rows(audit: Audit) -> list[Row]:
    names = audit.apart()
    return [row for name in names for row in audit.corpus(name).spread(audit.sized(max(2, ROWS // len(names)), 1))]


def _asked(audit: Audit, rows: list[Row], seed: int) -> list[list[Outcome]]:
    """One fresh worker: every row in order, then every row in reverse order."""
    with audit.session(seed) as session:
        forth, back = session.evaluate(rows), session.evaluate(rows[::-1])
    audit.advance(2 * len(rows))
    audit.heed([*forth, *back])
    return [forth, back[::-1]]


def _variances(asked: list[list[list[Outcome]]]) -> dict[str, Quantity | Label | Declined]:
    count = len(asked[0][0])
    scores = [[[repeat[at].score for repeat in session] for session in asked] for at in range(count)]
    scored = [row for row in scores if all(score is not None for cell in row for score in cell)]
    names = ("variance.row", "variance.session", "variance.interaction", "variance.residual")
    if len(scored) < 2 or len(asked) < 2:
        refusal: Quantity | Label | Declined = Declined(
            "assumption_violated",
            f"{len(scored)} of {count} rows got a number every time: variance parts need at least 2",
            "audit a grader that returns numbers",
        )
        return dict.fromkeys((*names, "generalizability", "effective-group"), refusal)
    parts = components(cast("list[list[list[float]]]", scored))
    fields: dict[str, Quantity | Label | Declined] = {
        name: Quantity(value, "squared score", "score", n=len(scored)) for name, value in zip(names, parts, strict=True)
    }
    if parts.row == 0:
        refusal = Declined(
            "corpus_inadequate",
            "no variance between answers: the rows can't show what share of it the grader adds",
            "give a corpus on which the grader pays some answers and not others",
        )
        return fields | dict.fromkeys(("generalizability", "effective-group"), refusal)
    share_of_row = parts.generalizability
    fields["generalizability"] = Quantity(share_of_row, "share of variance", "proportion", n=len(scored))
    fields["effective-group"] = Quantity(
        GROUP * share_of_row, "rollouts", "score", n=len(scored), note=f"of a group of {GROUP}"
    )
    return fields
