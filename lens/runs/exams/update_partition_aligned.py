"""Update partition on gradients that add up: do they cancel less than unrelated ones?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from lens.exam import Read, read_from
from lens.runs.exams import FEW, Exam
from lens.stats.scorecard import Marked

FIELD = "excess.median"


@dataclass(frozen=True)
class Twice(Exam):
    """Reads the decoy, a record of its own, as well: its fields stand behind `decoy.`."""

    def read(self, dose: float, seed: int) -> Read:
        from lens.runs.review import Review

        with TemporaryDirectory() as folder:
            made = self.planted.plant(Path(folder), dose, seed)
            own, other = (
                read_from(self.found.run(Review(record, **self.given)), {"dose": dose})
                for record in (made.subject, made.told["decoy"])
            )
        return own.beside(other.fields)


def mark(read: Read) -> Marked:
    """The instrument gives what cancels over what unrelated gradients cancel, and no verdict: an interval below 0
    counts as found. The score is by how much less they cancel."""
    excess = read.quantity(FIELD)
    return Marked(
        dose=read.told["dose"],
        score=-float(excess.value) if excess else 0.0,
        flagged=_adds(read, FIELD),
        decoy=_adds(read, f"decoy.{FIELD}"),
    )


def _adds(read: Read, name: str) -> bool:
    excess = read.quantity(name)
    return excess is not None and excess.interval is not None and excess.interval.high < 0


EXAM = Twice("update-partition", "aligned", FIELD, mark, a_dose=FEW, given={"permutations": 20})
