"""Determinism and side effects: the same question again, on another thread, and what a call leaves changed."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING

from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.outcome import Outcome
from lens.graders.price import Price, Probe
from lens.graders.thin import hung
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.stats.intervals import share

if TYPE_CHECKING:
    from lens.graders.sandbox.session import Effects

ROWS = 200
SESSIONS = 4  # three replays in workers of other seeds, one of them watched, and one on threads
_RANDOM = ("random", "numpy.random")
_FILES = ("files", "folder")


def _price(audit: Audit, probe: Probe) -> Price:
    count = SESSIONS * len(_rows(audit))
    return Price(SESSIONS * probe.start + count * probe.usual, count)


@instrument(
    "determinism",
    subjects="graders",
    title="Determinism and side effects",
    quantity="rows whose verdict differs when replayed or asked on another thread, and what calls leave changed",
    unit="rows",
    needs="grader.replicate",
    cost=f"{SESSIONS} × {ROWS} rows",
    version=1,
    order=110,
    declines="without rows",
    source="state compared before and after each call in the worker",
    price=_price,
)
def determinism(audit: Audit) -> Result:
    """Rows in three fresh workers with different hash and random seeds, and in one that calls from a new thread.

    `replay-differences`, `thread-differences` k of n rows; `consumes-random` which global generators calls
    advance (then the trainer's own sampling depends on how many answers were scored); `global-state` what else
    of the process they change; `files-written` whether they write files; `random-rows` k of n rows.
    """
    rows = _rows(audit)
    if not rows:
        return Result(Declined("corpus_inadequate", "no rows to ask again", "give a corpus with --corpus"))
    first, second = (_asked(audit, rows, seed) for seed in (0, 1))
    with audit.session(2) as session:
        third, effects = session.evaluate(rows, watch=True)
    audit.advance(len(rows))
    threaded = _asked(audit, rows, 0, thread=True)
    audit.heed(third)
    known = [all(one.status != "unasked" for one in seen) for seen in zip(first, second, third, threaded, strict=True)]
    rows, effects = list(compress(rows, known)), list(compress(effects, known))
    first, second, third, threaded = (list(compress(some, known)) for some in (first, second, third, threaded))
    if not rows:
        return Result(hung(audit))
    replayed = [len({one.verdict for one in seen}) > 1 for seen in zip(first, second, third, strict=True)]
    moved = [one.verdict != other.verdict for one, other in zip(first, threaded, strict=True)]
    n, unique = len(rows), len({row.digest for row in rows})
    random_rows = sum(any(name in _RANDOM for name in effect.changed) for effect in effects)
    fields: dict[str, Quantity | Label | Declined] = {
        "replay-differences": share(sum(replayed), n, "rows", n_eff=unique),
        "thread-differences": share(sum(moved), n, "rows", n_eff=unique, note=_why(first, threaded)),
        "consumes-random": _said(effects, _RANDOM, "no global generator advances"),
        "random-rows": share(random_rows, n, "rows", n_eff=unique),
        "global-state": _said(effects, None, "nothing else changes"),
        "files-written": _said(effects, _FILES, "no file is written"),
    }
    table: Columns = {
        "row": [row.number for row in rows],
        "digest": [row.digest for row in rows],
        "replay-differs": replayed,
        "thread-differs": moved,
        "changed": [" ".join(effect.changed) for effect in effects],
    }
    scope = f"{n} rows of {', '.join(audit.used)}; state the worker can see: generators, environment, files, module"
    return Result(Measured(fields, "replay-differences", scope), {"rows": table})


def _asked(audit: Audit, rows: list[Row], seed: int, *, thread: bool = False) -> list[Outcome]:
    with audit.session(seed) as session:
        outcomes = session.evaluate(rows, thread=thread)
    audit.advance(len(rows))
    audit.heed(outcomes)
    return outcomes


def _rows(audit: Audit) -> list[Row]:
    names = audit.apart()
    return [row for name in names for row in audit.corpus(name).spread(audit.sized(max(1, ROWS // len(names)), 2))]


def _said(effects: list[Effects], names: tuple[str, ...] | None, nothing: str) -> Label:
    """The kinds of change among `names` (None: all but generators and files) and on how many rows."""
    counts = Counter(
        name
        for effect in effects
        for name in effect.changed
        if (name in names if names else name not in _RANDOM + _FILES)
    )
    if not counts:
        return Label(nothing)
    return Label("; ".join(f"{name} on {count} of {len(effects)} rows" for name, count in sorted(counts.items())))


def _why(main: list[Outcome], threaded: list[Outcome]) -> str:
    """What the commonest difference on a thread looks like: signal-based time limits raise there."""
    kinds = Counter(
        f"{one.type or one.status} becomes {other.type or other.status}"
        for one, other in zip(main, threaded, strict=True)
        if one.verdict != other.verdict
    )
    return kinds.most_common(1)[0][0] if kinds else ""
