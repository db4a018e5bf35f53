"""What an instrument will cost: CPU seconds and calls, said before anything is spent."""

from __future__ import annotations

import resource
import time
from typing import NamedTuple


class Price(NamedTuple):
    """CPU seconds and calls of the subject."""

    seconds: float
    calls: int


def cpu_seconds() -> float:
    """CPU seconds of this process and of the children it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
