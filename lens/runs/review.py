"""What an instrument for runs is given: the record, the access granted, and a place to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from lens.access import Access
from lens.noted import Noted, Noting
from lens.reading import Declined
from lens.runs.header import Gap
from lens.runs.record import KINDS, Range, Record, open_folder

R = TypeVar("R")
GAPS = {
    "grams": Gap("no gradient of a single rollout was recorded", "lens measure run SUBJECT --model FOLDER"),
    "series": Gap("nothing was logged by step", "name the columns of what was with --map, or log the next run"),
}
"""What no column of rollouts can mend, where the format's reader says no more of it."""


class Task(msgspec.Struct, frozen=True):
    """One range of steps for one job, in plain types: it may run in another process or on another machine."""

    folder: str
    fingerprint: str
    job: str  # module:function
    first: int
    last: int
    rows: int
    options: dict[str, Any]


@dataclass
class Review(Noting):
    """One review in progress; `advance` counts rollouts read.

    `edits` are counterfactual rewards as `lens.runs.selection.edits` reads them; `model` is the policy's folder and
    `reference` that of the policy its KL term is taken from, where given.
    """

    run: Record
    access: Access = field(default_factory=lambda: Access.parse("record.record"))
    seed: Noted[int] = Noted(0)
    draws: Noted[int] = Noted(400)  # bootstrap redraws
    surrogates: Noted[int] = Noted(300)  # series an alarm is tried on that hold no change
    permutations: Noted[int] = Noted(1000)  # of advantages within groups
    baseline: Noted[int] = Noted(60)  # steps that an alarm takes for normal
    onset: Noted[int | None] = Noted(None)  # step at which what it warns of began, where somebody knows
    edits: Noted[tuple[str, ...]] = Noted(())
    model: str = ""
    reference: str = ""

    @cached_property
    def policies(self) -> str:
        """One digest of the model folders given: other weights are another reading."""
        from lens.runs.gradients.policy import chain, digest_of

        folders = [*chain(self.model, self.run).values()] if self.model else []
        return digest_of([*folders, *([Path(self.reference)] if self.reference else [])])

    def note_policies(self) -> None:
        """Note the models as a parameter of the reading now being made."""
        self.noted["policies"] = self.policies

    def record(self) -> Record:
        """The run's record, noted as an input of the reading now being made."""
        self.used["record"] = self.run.as_input()
        return self.run

    def over_steps(self, job: Callable[..., R], spans: Sequence[Range] | None = None, /, **options: Any) -> list[R]:
        """`[job(database, range, **options) for range in record.ranges]`, or in `spans`, through the engine.

        `job` is a module-level function with a plain-typed result; its `database` shows that range's rows alone.
        Ranges are fixed by the record, so results and their order are the same wherever it runs.
        """
        msgspec.msgpack.encode(options)  # raises TypeError for what would not reach another machine as it is
        record = self.record()
        name = f"{job.__module__}:{job.__qualname__}"
        spans = record.ranges if spans is None else spans
        tasks = [Task(str(record.folder.resolve()), record.header.fingerprint, name, *span, options) for span in spans]
        found: list[R] = []
        for span, result in zip(spans, self.map(run, tasks), strict=True):
            self.advance(span.rows)
            found.append(result)
        return found


def run(task: Task) -> Any:
    """The job of one task, on its range's rows."""
    import importlib

    module, _, function = task.job.partition(":")
    span = Range(task.first, task.last, task.rows)
    record = open_folder(Path(task.folder), "", "")
    with record.database(span) as database:
        return getattr(importlib.import_module(module), function)(database, span, **task.options)


def lacking(record: Record, *columns: str) -> Declined | None:
    """The decline of an instrument that needs rollout columns (or `rollouts`, `texts`, `series`, `grams`) it lacks.

    Columns that some of the files lack decline too: a row without one is not a row with nothing in it.
    """
    for name in columns:
        there = record.has(name) if name in KINDS else name in record.columns
        if not there or name in record.header.gaps:
            gap = record.header.gaps.get(name) or record.header.gaps.get("rollouts") or GAPS.get(name)
            what = f"the record holds no {name}"
            return Declined(
                "record_incomplete",
                f"{what}: {gap.detail}" if gap else what,
                gap.remedy if gap else f"write {name} into the record, or name its column with --map",
                needs=name,
                has=", ".join(record.columns) or "no rollouts",
            )
        if missing := record.header.absent.get(name):
            return Declined(
                "record_incomplete",
                f"{missing} of {record.counts['rows']} rollouts are from files without {name}",
                "give only the files that have it, or write it everywhere",
                needs=name,
            )
    return None
