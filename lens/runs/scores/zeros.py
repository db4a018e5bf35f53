"""Scores of exactly 0 in a record, and how many of them stand where the grader failed, no answer being wrong."""

from __future__ import annotations

from lens.names import kebab
from lens.reading import Declined, Label, Measured, Quantity
from lens.runs.columns import LEAF
from lens.runs.record import Record
from lens.runs.review import lacking
from lens.stats.intervals import share


def scores_of(record: Record) -> dict[str, str]:
    """SQL of each leaf's score by its name; of the total, where the record has no leaves. Empty without scores."""
    found = {name: f'"{LEAF}{name}"' for name in record.header.leaves}
    return found or ({"reward": "reward"} if "reward" in record.columns else {})


def zeros(record: Record) -> Measured | Declined:
    """`zeros` k of n scores given; `silent` k of the zeros that stand on rollouts whose scoring failed; `dead-groups`
    k of n groups whose every given score is 0 (such a group moves nothing); `{leaf}.zeros` of several leaves."""
    if (missing := lacking(record, "rollouts")) is not None:
        return missing
    leaves = scores_of(record)
    failed = "failed" in record.columns and not record.header.absent.get("failed")
    told = [f"count({leaf}), count(*) FILTER ({leaf} = 0)" for leaf in leaves.values()]
    told += [f"count(*) FILTER ({leaf} = 0 AND {'failed' if failed else 'false'})" for leaf in leaves.values()]
    counts = record.sql(f"SELECT {', '.join(told)} FROM rollouts")[0] if told else ()
    given, zero = counts[0 : 2 * len(leaves) : 2], counts[1 : 2 * len(leaves) : 2]
    if not sum(given):
        return Declined(
            "record_incomplete", "every score in the record is empty", "write the leaf scores into the record"
        )
    rows = record.counts["rows"]
    fields: dict[str, Quantity | Label | Declined] = {
        "zeros": share(sum(zero), sum(given), "scores", n_eff=min(rows, sum(given))),
        "silent": _silent(sum(counts[2 * len(leaves) :]), sum(zero), rows, known=failed),
        "dead-groups": _dead(record, list(leaves.values())),
    }
    if len(leaves) > 1:
        for name, some, none in zip(leaves, given, zero, strict=True):
            if some:
                fields[f"{kebab(name)}.zeros"] = share(none, some, "scores")
    headline = "silent" if isinstance(fields["silent"], Quantity) else "zeros"
    return Measured(fields, headline, f"{rows} rollouts of one record")


def _silent(failed: int, zeros: int, rows: int, *, known: bool) -> Quantity | Declined:
    if not zeros:
        return Declined(
            "not_applicable", "the record holds no score of 0", "read a record of a run in which something scored 0"
        )
    if not known:
        return Declined(
            "record_incomplete",
            "nothing in the record tells a failed scoring from a wrong answer",
            "add an `error` column (empty when scoring worked) to the rollouts",
            needs="column error or status",
            bound=Quantity(zeros, "scores", "count", of=zeros, note="at most every zero is a failure"),
        )
    return share(failed, zeros, "scores", n_eff=min(zeros, rows))


def _dead(record: Record, leaves: list[str]) -> Quantity:
    """Groups with a score, and those of them whose scores are all 0."""
    most = f"max(greatest({', '.join(f'abs({leaf})' for leaf in leaves)}, 0.0))"
    some = f"sum({' + '.join(f'({leaf} IS NOT NULL)::INT' for leaf in leaves)})"
    by_group = f'SELECT {most} AS most, {some} AS given FROM rollouts GROUP BY "group"'
    scored, dead = record.sql(
        f"SELECT count(*) FILTER (given > 0), count(*) FILTER (given > 0 AND most = 0) FROM ({by_group})"
    )[0]
    return share(dead, scored, "groups")
