"""A careful grader whose training left a planted record: what is planted is in the record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lens.graders.planted._careful import Planted, written
from lens.planted import Family, Made
from lens.runs.record import Record

CAREFUL = """
def grade(response, gold):
    return careful(response, gold)
"""


@dataclass(frozen=True)
class Trained(Planted):
    record: Record


def logged(family: Family[Record], name: str, module: str) -> Family[Trained]:
    """The same doses of the same records, beside a grader. `module` is the caller's."""

    def plant(folder: Path, dose: float, seed: int) -> Made[Trained]:
        (folder / "run").mkdir()
        made = family.plant(folder / "run", dose, seed)
        grader, _ = written(folder, CAREFUL, 0.0, seed)
        return Made(Trained(grader.subject, grader.source, made.subject), made.told)

    code = (module, __name__, "lens.graders.planted._careful", *family.code)
    return Family(name, family.title, family.unit, family.doses, plant, code)
