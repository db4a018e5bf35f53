"""What an instrument will cost on this subject: a short probe of the subject times the calls it will make.

Seconds are CPU seconds, the sandboxed worker's included. A price says nothing of machines busy with other work.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lens.graders.corpus import Row
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.graders.audit import Audit

PROBED = 24  # rows of each corpus


class Price(NamedTuple):
    """CPU seconds and grader calls."""

    seconds: float
    calls: int


@dataclass(frozen=True)
class Probe:
    """Measured on the subject. `start`: CPU seconds to start a sandboxed worker that holds the grader.
    `call[corpus]`: CPU seconds of one call there, asking and answering included."""

    start: float
    call: dict[str, float]

    @property
    def usual(self) -> float:
        """CPU seconds of a call, the corpora weighted alike."""
        return sum(self.call.values()) / len(self.call) if self.call else 0.0


Pricing = Callable[["Audit", Probe], "Price | Declined"]


def probe(audit: Audit) -> Probe:
    """Open the subject and ask it a few rows of every corpus, spread over the corpus."""
    picked = {name: corpus.spread(PROBED) for name, corpus in audit.corpora.items() if corpus.rows}
    if not picked:
        return Probe(_spent(audit, []), {})
    rows = [row for some in picked.values() for row in some]
    start = _spent(audit, rows[:1])
    return Probe(start, {name: max(_spent(audit, some) - start, 1e-6) / len(some) for name, some in picked.items()})


def rows(*names: str, times: int = 1, sessions: int = 1) -> Pricing:
    """Pricing of an instrument that asks every row of the named corpora (all without a name) `times` times."""

    def price(audit: Audit, probe: Probe) -> Price:
        chosen = {name: len(corpus.rows) for name, corpus in audit.corpora.items() if not names or name in names}
        seconds = sum(count * probe.call.get(name, probe.usual) for name, count in chosen.items())
        return Price(sessions * probe.start + times * seconds, times * sum(chosen.values()))

    return price


def calls(count: int, *, sessions: int = 1) -> Pricing:
    """Pricing of an instrument that makes a fixed number of calls, of the usual length."""

    def price(_audit: Audit, probe: Probe) -> Price:
        return Price(sessions * probe.start + count * probe.usual, count)

    return price


def free(_audit: Audit, _probe: Probe) -> Price:
    """Pricing of an instrument that asks the grader nothing."""
    return Price(0.01, 0)


def _spent(audit: Audit, rows: Sequence[Row]) -> float:
    """CPU seconds of one session over `rows`: this process's and the worker's."""
    before = sum(os.times()[:4])
    with audit.session() as session:
        if rows:
            session.evaluate(rows)
    return sum(os.times()[:4]) - before
