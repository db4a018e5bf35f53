"""Time growth: how long a call takes, and how fast that grows with the length of what a model writes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.price import Price, Probe
from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.stats.growth import growth

if TYPE_CHECKING:
    from lens.graders.sandbox.session import Session

SIZES = (1000, 1414, 2000, 2828, 4000, 5657, 8000)  # repeats of a family's unit
REPEATS = 3
ENOUGH = 2.0  # seconds of one call after which a family isn't grown further
_POINTS = 4  # sizes that an exponent is fitted to at least
_HOPELESS = 0.25  # of calls timing out
_LONGER = 2  # times what a call of a grader that hangs is given else
ROWS = 100  # rows of each corpus timed for the quantiles
MILD = 1e-3  # CPU seconds: growth that stays under this at the largest size is named, but is nobody's problem

FAMILIES = {
    "unclosed-answer-tag": "<answer>",
    "closed-answer-tag": "<answer>1</answer>",
    "unclosed-box": "\\boxed{",
    "closed-box": "\\boxed{1}",
    "open-brace": "{",
    "open-paren": "(",
    "dollar": "$",
    "backslash": "\\frac",
    "hash-marks": "#### ",
    "digits": "7",
    "comma-digits": "1,",
    "minus": "-",
    "spaces": " ",
    "newlines": "\n",
    "words": "so ",
}

_NOT_TEXT = Declined(
    "not_applicable",
    "responses to this grader are not text that could be lengthened",
    "nothing to do; a grader of text is measured on a corpus of golds",
)


def _price(audit: Audit, probe: Probe) -> Price | Declined:
    """From each family timed once at two sizes; a family that grows is priced as far as it would be grown."""
    base = _base(audit)
    if base is None:
        return _NOT_TEXT
    rows = sum(len(audit.corpora[name].spread(audit.sized(ROWS, 2))) for name in audit.apart())
    if audit.thinned is not None:
        return _strained(audit, probe, rows)
    seconds = probe.start + rows * _repeated(probe.usual)
    with audit.session() as session:
        for unit in FAMILIES.values():
            pair = _timed(audit, session, _rows(base, unit)[:3:2], repeats=1)
            small, larger = (max(times.get("cpu", ENOUGH), 1e-7) for times in pair)
            steepness = min(max(math.log2(larger / small), 0.0), 4.0)
            for size in SIZES:
                once = small * (size / SIZES[0]) ** steepness
                seconds += _repeated(once)
                if once > ENOUGH:
                    break
    return Price(seconds, REPEATS * (len(FAMILIES) * len(SIZES) + rows))


def _strained(audit: Audit, probe: Probe, rows: int) -> Price:
    """Each family up to the time-out that leaves too few sizes for a fit, nothing repeated."""
    hangs, sizes = audit.patience, len(_sizes(audit))
    share = hangs.late / max(hangs.asked, 1)
    grown = 0.0 if _hopeless(audit) else min(sizes, (sizes - _POINTS + 1) / share) if share else sizes
    calls = rows + len(FAMILIES) * grown
    return Price(probe.start + calls * ((1 - share) * hangs.usual + share * _LONGER * hangs.each_late), round(calls))


def _hopeless(audit: Audit) -> bool:
    """Whether so many calls time out that hardly a family would have sizes enough for a fit."""
    return audit.thinned is not None and audit.patience.late > _HOPELESS * audit.patience.asked


def _repeated(once: float) -> float:
    """Seconds that timing a call takes whose length is `once`, as jobs/timing.py repeats it; repeats of a long call
    are taken to be half as long, since graders that work long keep results."""
    times = max(1, min(200, int(1e-3 / max(once, 1e-7))))
    if times > 1:
        return once + REPEATS * times * once
    return once + min((REPEATS - 1) * once / 2, max(0.0, 0.3 - once))


@instrument(
    "time-growth",
    subjects="graders",
    title="Time growth",
    quantity="exponent of the time of a call in the length of the response, and time quantiles on the corpora",
    unit="exponent",
    needs="grader.query",
    cost=f"{len(FAMILIES)} families × {len(SIZES)} sizes × {REPEATS} repeats, and {REPEATS} × {ROWS} rows a corpus",
    version=1,
    order=120,
    repeatable=False,
    declines="a family of which fewer than 4 sizes could be timed",
    source="least squares of log CPU time on log size, sizes 1,000 to 8,000 repeats",
    price=_price,
)
def time_growth(audit: Audit) -> Result:
    """Each family writes one text 1,000 to 8,000 times behind the oracle's own response to one gold.

    `{family}.exponent` with a Student-t interval; `worst.exponent` the largest among the families whose largest
    call takes a millisecond or more (all of them when none does), named by `worst.family`; `slowest` seconds of
    the longest call; `p50`, `p99` seconds by the clock over corpus rows. Exponents are of CPU time, the least of a few
    repeats, so that other work on the machine hardly enters.
    """
    base = next(
        (row for name in ("gold", *audit.corpora) if name in audit.corpora for row in audit.corpus(name).rows), None
    )
    if base is None or not isinstance(base.response, str):
        return Result(
            Declined("not_applicable", "responses to this grader are not text to be lengthened", "nothing to do")
        )
    with audit.session() as session:
        clock = _quantiles(audit, session)
        grown = {family: _grown(audit, session, base, unit) for family, unit in FAMILIES.items()}
    sizes = len(_sizes(audit))
    fields: dict[str, Quantity | Label | Declined] = {
        f"{family}.exponent": _exponent(audit, family, points, sizes) for family, points in grown.items()
    }
    last = {family: points[-1][1] for family, points in grown.items() if points}
    fields |= _worst(fields, last) | clock
    if last:
        fields["slowest"] = Quantity(max(last.values()), "seconds", "duration", note="CPU, the longest call made")
    table: Columns = {
        "family": [family for family, points in grown.items() for _ in points],
        "size": [size for points in grown.values() for size, _ in points],
        "seconds": [seconds for points in grown.values() for _, seconds in points],
    }
    scope = f"{len(FAMILIES)} ways to lengthen one response, on one machine; it can't rule out a worse one"
    return Result(Measured(fields, "worst.exponent", scope), {"times": table})


def _base(audit: Audit) -> Row | None:
    """The first gold's row, if its response is text; else None."""
    name = next((name for name in ("gold", *audit.corpora) if name in audit.corpora and audit.corpora[name].rows), "")
    row = audit.corpus(name).rows[0] if name else None
    return row if row is not None and isinstance(row.response, str) else None


def _rows(base: Row, unit: str, sizes: Sequence[int] = SIZES) -> list[Row]:
    return [Row(at, base.response + unit * size, base.gold, columns=base.columns) for at, size in enumerate(sizes)]


def _sizes(audit: Audit) -> Sequence[int]:
    return SIZES if audit.thinned is None or audit.thinned.part >= 0.1 else SIZES[::2]


def _timed(
    audit: Audit, session: Session, rows: Sequence[Row], *, repeats: int = REPEATS, growing: bool = True
) -> list[dict[str, float]]:
    """`cpu` and `wall` seconds of each row; nothing for a row that was not or could not be timed and, when
    `growing`, for those behind it. A grader known to hang is timed once a row, and goes on behind a time-out while
    enough sizes are left for a fit."""
    asked = [[row.response, row.gold, row.columns] for row in rows]
    hangs = audit.thinned is not None and audit.patience.hangs
    repeats = repeats if audit.thinned is None else 1
    limits, longer = (session.limits, _LONGER) if hangs else (session.full, 1)
    payload: dict[str, Any] = {"rows": asked, "repeats": repeats, "enough": ENOUGH if growing else 1e9}
    timed: list[dict[str, float]] = [{} for _ in rows]
    missed = len(rows) - _POINTS if hangs else 0
    for index, times in session.run(
        "timing", payload, len(rows), cpu=longer * limits.cpu, silence=longer * limits.silence
    ):
        audit.heard += bool(times)
        if isinstance(times, dict):
            timed[index] = times
            continue
        audit.late += times.status == "timeout"
        missed -= 1
        if growing and missed < 0:
            break
    audit.advance(repeats * len(rows))
    return timed


def _quantiles(audit: Audit, session: Session) -> dict[str, Quantity | Label | Declined]:
    import numpy as np

    rows = [row for name in audit.apart() for row in audit.corpus(name).spread(audit.sized(ROWS, 2))]
    seconds = [times["wall"] for times in _timed(audit, session, rows, growing=False) if times]
    if not seconds:
        refusal = Declined("void", "no call of the corpora ended in time", "give a corpus the grader can answer")
        return {"p50": refusal, "p99": refusal}
    p50, p99 = (float(value) for value in np.quantile(seconds, [0.5, 0.99]))
    return {
        "p50": Quantity(p50, "seconds", "duration", n=len(seconds)),
        "p99": Quantity(p99, "seconds", "duration", n=len(seconds)),
    }


def _grown(audit: Audit, session: Session, base: Row, unit: str) -> list[tuple[int, float]]:
    """(size, CPU seconds) of each size that could be timed, up to the first that took too long or did not end."""
    sizes = _sizes(audit)
    if _hopeless(audit):
        return []
    timed = zip(sizes, _timed(audit, session, _rows(base, unit, sizes)), strict=True)
    return [(size, max(times["cpu"], 1e-7)) for size, times in timed if times]


def _exponent(audit: Audit, family: str, points: list[tuple[int, float]], sizes: int) -> Quantity | Declined:
    if len(points) < _POINTS and audit.patience.hangs:
        return Declined(
            "assumption_violated",
            f"{len(points)} of {sizes} sizes could be timed, and {audit.patience.why} whatever their length",
            "mend what makes it hang (failure-semantics says on what), then measure again",
            needs=f"{_POINTS} sizes answered",
            has=f"{len(points)}",
        )
    if len(points) < _POINTS:
        longest = f", the last one timed {points[-1][1]:.2f} s" if points else ""
        return Declined(
            "budget_exceeded",
            f"{len(points)} of {sizes} sizes could be timed before a call took over {ENOUGH:g} s or "
            f"did not end{longest}",
            f"treat {family} as a denial of service until the grader bounds it",
        )
    fit = growth([size for size, _ in points], [seconds for _, seconds in points])
    return Quantity(fit.exponent, "exponent", "exponent", interval=fit.interval, n=len(points))


def _worst(
    fields: dict[str, Quantity | Label | Declined], last: dict[str, float]
) -> dict[str, Quantity | Label | Declined]:
    fitted = {family: field for family in FAMILIES if isinstance(field := fields[f"{family}.exponent"], Quantity)}
    refused = {family: field for family in FAMILIES if isinstance(field := fields[f"{family}.exponent"], Declined)}
    for family, field in refused.items():
        if field.reason == "budget_exceeded" or not fitted:
            note = (
                "too long to fit an exponent" if field.reason == "budget_exceeded" else "it hangs whatever the length"
            )
            return {"worst.exponent": field, "worst.family": Label(family, note)}
    heavy = {family: field for family, field in fitted.items() if last[family] >= MILD} or fitted
    family = max(heavy, key=lambda name: heavy[name].value)
    return {"worst.exponent": heavy[family], "worst.family": Label(family)}
