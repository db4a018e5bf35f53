"""Which organisms grade an instrument: doses, and a seed of its own for each organism (trust conventions, B)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lens.models.organisms import find_family, organisms, spec_of
from lens.models.organisms.handset import Organism

AT_0, A_DOSE = 60, 35  # organisms; with four positive doses 200, as many as coverage is judged on
_APART = 1000  # seeds between one dose and the next: no two organisms of a series share a design


@dataclass(frozen=True)
class Member:
    """One organism of a series."""

    family: str
    dose: float
    seed: int

    @property
    def spec(self) -> str:
        return spec_of(find_family(self.family), self.dose, self.seed)

    def plant(self) -> Organism:
        """In memory, weights set."""
        made = find_family(self.family).plant
        assert made is not None
        return made(self.dose, self.seed)


def calibrated() -> tuple[str, ...]:
    """Families whose weights are set by hand: cheap enough for a whole series."""
    return tuple(name for name, family in organisms().items() if family.plant is not None)


def series(family: str, *, at_0: int = AT_0, a_dose: int = A_DOSE) -> Iterator[Member]:
    """The organisms of a family's series, dose 0 first. Raises UsageError for an unknown family.

    >>> members = list(series("gate"))
    >>> len(members), members[0].spec, members[-1].spec
    (200, 'organism:gate?dose=0', 'organism:gate?dose=2&seed=4034')
    """
    for place, dose in enumerate(find_family(family).doses):
        for number in range(at_0 if dose == 0 else a_dose):
            yield Member(family, dose, place * _APART + number)


def repeated() -> Member:
    """The one organism that is measured again wherever the whole series would take too long."""
    return Member("spurious", find_family("spurious").default, 3 * _APART)
