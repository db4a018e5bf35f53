"""The `functools` caches around the grader's own functions: what one call left there isn't the next one's."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import _lru_cache_wrapper
from typing import Any


class Caches:
    """Found once; `clear` empties them all."""

    def __init__(self, in_scope: Callable[[str], bool]) -> None:
        self._caches = [one for one in gc.get_objects() if _is_cache(one, in_scope)]

    def clear(self) -> None:
        for cache in self._caches:
            cache.cache_clear()


def _is_cache(thing: Any, in_scope: Callable[[str], bool]) -> bool:
    if type(thing) is not _lru_cache_wrapper:
        return False
    return in_scope(getattr(getattr(thing.__wrapped__, "__code__", None), "co_filename", ""))
