"""Divergence-aware patching where a known share of the margin stands at the one place whose streams diverge."""

from __future__ import annotations

from lens.models.exams import Read, Size
from lens.models.exams._twice import TwiceExam
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the interval of the share lies above that of its own control, as many
    places at random. The decoy is a word that diverges as much and is paid nothing, beside the same quiet words."""
    found = read.quantity("share.0-5")
    interval = found.interval if found else None
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=beyond(read),
        truth=read.told["loud_share"],
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=beyond(read, "decoy."),
    )


def beyond(read: Read, of: str = "") -> bool:
    """Whether diverging places move more of the margin than places at random."""
    share, random = (read.quantity(f"{of}{name}.0-5") for name in ("share", "random"))
    if share is None or random is None or share.interval is None or random.interval is None:
        return False
    return share.interval.low > random.interval.high


EXAM = TwiceExam(
    "divergence-patching",
    "apart",
    "share.0-5",
    mark,
    controls=0,
    axis="apart",
    decoy_axis="idle",
    size=Size("share.*", "share of the margin"),
)
