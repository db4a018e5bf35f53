"""What an instrument will cost on this subject: a short probe of the subject times the calls it will make.

Seconds are CPU seconds, the sandboxed worker's included. A price says nothing of machines busy with other work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lens.graders.contract import asked_before
from lens.graders.corpus import Row
from lens.price import Price as Price
from lens.price import cpu_seconds as cpu_seconds
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.graders.audit import Audit
    from lens.graders.sandbox.session import Session

PROBED = 24  # rows of each corpus
LEAST = 0.02  # CPU seconds of an instrument that asks nothing new
HANDLED = 2e-5  # CPU seconds of a row to judge its outcome
SHORT = 0.02  # seconds under which a measurement is made longer


@dataclass(frozen=True)
class Probe:
    """Measured on the subject. `start`: CPU seconds to start a sandboxed worker that holds the grader.
    `call[corpus]`: CPU seconds of one call there, asking and answering included.
    `asked`: questions already answered in this audit, or priced to be."""

    start: float
    call: dict[str, float]
    asked: set[bytes] = field(default_factory=set)

    @property
    def usual(self) -> float:
        """CPU seconds of a call, the corpora weighted alike."""
        return sum(self.call.values()) / len(self.call) if self.call else 0.0


Pricing = Callable[["Audit", Probe], "Price | Declined"]


def probe(audit: Audit) -> Probe:
    """Open the subject and ask it a few rows of every corpus, spread over the corpus.

    One that hangs or is slow has been asked enough: its calls are priced from what they took, in seconds by the clock.
    A call too short to measure is made many times. Shares between corpora are by the clock, their sum in CPU seconds.
    """
    if audit.thinned is not None:
        return _strained(audit)
    picked = {name: audit.corpora[name].spread(PROBED) for name in audit.apart()}
    first = next(iter(picked.values()), ())[:1]
    began = cpu_seconds()
    with audit.session() as session:
        session.evaluate(first)
    start = cpu_seconds() - began
    wall: dict[str, float] = {}
    spent, began = 0.0, cpu_seconds()
    with audit.session() as session:
        session.evaluate(first)
        for name, some in picked.items():
            seconds, wall[name] = _clocked(session, some)
            spent += seconds
    rate = max(cpu_seconds() - began - start, 0.1 * spent) / spent if spent else 1.0
    known = set(asked_before(audit))
    return Probe(start, {name: max(seconds * rate, 1e-6) for name, seconds in wall.items()}, known)


def _strained(audit: Audit) -> Probe:
    began = time.monotonic()
    with audit.session():
        start = time.monotonic() - began
    return Probe(start, dict.fromkeys(audit.apart(), audit.patience.each), set(asked_before(audit)))


def _clocked(session: Session, rows: Sequence[Row]) -> tuple[float, float]:
    """Seconds by the clock that this took, and of one call."""
    began = time.perf_counter()
    session.evaluate(rows)
    once = time.perf_counter() - began
    if once > SHORT:
        return once, once / len(rows)
    times = min(100, int(SHORT / once) + 1)
    session.evaluate(list(rows) * times)
    spent = time.perf_counter() - began
    return spent, (spent - once) / (times * len(rows))


def rows(*names: str, times: float = 1, extra: int = 0) -> Pricing:
    """Pricing of an instrument that asks every row of the named corpora (all without a name), each with `times` - 1
    companions, and `extra` rows that are in no corpus.

    A row asked before in the same audit, by contract discovery or by an instrument earlier on the card, isn't asked
    again (see lens.graders.contract.evaluate).
    """

    def price(audit: Audit, probe: Probe) -> Price:
        beside = audit.sized(extra, 24)
        seconds, count = beside * probe.usual, beside
        for name, corpus in audit.corpora.items():
            if not names or name in names:
                questions = {row.asked for row in corpus.rows}
                fresh = len(questions - probe.asked) + (times - 1) * len(questions)
                probe.asked.update(questions)
                count += round(fresh)
                seconds += fresh * (probe.call.get(name, probe.usual) + HANDLED)
        return Price(probe.start * bool(count) + LEAST + seconds, count)

    return price


def calls(count: int, *, sessions: int = 1) -> Pricing:
    """Pricing of an instrument that makes a fixed number of calls, of the usual length."""

    def price(_audit: Audit, probe: Probe) -> Price:
        return Price(sessions * probe.start + count * probe.usual, count)

    return price


def free(_audit: Audit, _probe: Probe) -> Price:
    """Pricing of an instrument that asks the grader nothing."""
    return Price(LEAST, 0)
