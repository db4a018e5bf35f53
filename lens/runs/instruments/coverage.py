"""Coverage: what of the run the record holds, and what reading it brought to light."""

from __future__ import annotations

from lens.instrument import instrument
from lens.names import kebab
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.runs.price import pass_over
from lens.runs.record import Record
from lens.runs.review import Review


@instrument(
    "coverage",
    subjects="runs",
    title="Coverage",
    quantity="rollouts, groups and steps the record holds, of those the run trained on, and what its files get wrong",
    unit="rollouts",
    needs="record.record",
    cost="one pass over the rollouts",
    version=3,
    order=10,
    declines="`trained` where nothing says how many rollouts the run trained on",
    source="the trainer's own files, counted",
    price=pass_over,
)
def coverage(review: Review) -> Result:
    """`rollouts`, `steps`, `groups`; `trained` k of n rollouts trained on that the record holds; `unique` k of n
    contents; `files`; `findings` how many; `{code}` rows that one kind of finding touches. Table `findings`."""
    record = review.record()
    counts, header = record.counts, record.header
    fields: dict[str, Quantity | Label | Declined] = {
        "rollouts": Quantity(counts["rows"], "rollouts", "size"),
        "steps": Quantity(counts["steps"], "steps", "size"),
        "groups": Quantity(counts["groups"], "groups", "size"),
        "files": Quantity(len(header.files), "files", "size"),
        "format": Label(header.adapter),
        "trainer": Label(header.trainer),
        "trained": _trained(record),
        "unique": _unique(record),
        "findings": Quantity(len(header.findings), "remarks", "size"),
    }
    for code in dict.fromkeys(one.code for one in header.findings):
        rows = sum(one.rows for one in header.findings if one.code == code)
        fields[f"found.{kebab(code)}"] = Quantity(rows, "rollouts", "size")
    table = {
        name: [getattr(one, name) for one in header.findings] for name in ("code", "detail", "file", "line", "rows")
    }
    scope = (
        f"What {len(header.files)} files of {header.trainer} hold; what the trainer never wrote down can't be counted."
    )
    return Result(Measured(fields, "rollouts", scope), {"findings": table} if header.findings else {})


def _trained(record: Record) -> Quantity | Declined:
    header, rows = record.header, record.counts["rows"]
    if header.trained is None:
        return Declined(
            "record_incomplete",
            "nothing in the record says how many rollouts the run trained on",
            "give the trainer's configuration with --config",
            needs="steps, batch size and rollouts a step",
        )
    return Quantity(min(rows, header.trained), "rollouts", "count", of=header.trained)


def _unique(record: Record) -> Quantity | Declined:
    if "content" not in record.columns:
        return Declined(
            "record_incomplete",
            "no text was recorded, so equal rollouts can't be told",
            "record prompts and completions",
            needs="prompt and completion",
        )
    rows = record.counts["rows"]
    (unique,) = record.sql("SELECT count(DISTINCT content) FROM rollouts")[0]
    return Quantity(unique, "rollouts", "count", of=rows)
