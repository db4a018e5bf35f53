"""Curl mass and rationalisability: whether preferences run in circles. A program gives scores, not preferences."""

from __future__ import annotations

from lens.graders.audit import Audit
from lens.graders.price import Price, Probe
from lens.instrument import instrument
from lens.reading import Declined


def _never(_audit: Audit, _probe: Probe) -> Price | Declined:
    return _NOT_FOR_PROGRAMS


@instrument(
    "curl-mass",
    subjects="graders",
    title="Circular preferences",
    quantity="share of preference that no single score can explain",
    unit="share",
    needs="",
    cost="none",
    version=1,
    order=180,
    declines="always on a program: scores order answers without circles; it is not counted against one",
    source="Hodge decomposition of pairwise comparisons: Jiang, Lim, Yao and Ye 2011",
    price=_never,
)
def curl_mass(_audit: Audit) -> Declined:
    """A function from one answer to one number can't prefer in circles: nothing to measure."""
    return _NOT_FOR_PROGRAMS


_NOT_FOR_PROGRAMS = Declined(
    "not_applicable",
    "a program scores one answer at a time, and numbers can't prefer in circles",
    "nothing to do: measured on judges that compare two answers",
)
