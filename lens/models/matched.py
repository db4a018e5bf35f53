"""Whether two replies are matched: one made from the other by an edit, and not written apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lens.models.pairs import Pair

_WORD = re.compile(r"\w+")
KEPT = 0.6  # of the shorter reply's words that stand in the longer one too
SHARE = 0.9  # of an axis' pairs


def matched(pair: Pair) -> bool:
    """Whether most of the shorter reply is part of the longer one.

    >>> matched(Pair(0, "p", "the sum is 5 indeed", "the sum is 5"))
    True
    >>> matched(Pair(0, "p", "5 indeed.", "5."))
    True
    >>> matched(Pair(0, "p", "blue, I think", "there are many colours"))
    False
    """
    one, other = (Counter(_WORD.findall(reply)) for reply in (pair.chosen, pair.rejected))
    least = min(one.total(), other.total())
    return least == 0 or (one & other).total() / least >= KEPT


def counterfactual(pairs: Sequence[Pair]) -> bool:
    """Whether an axis' pairs can be read as one edit's effect."""
    return sum(map(matched, pairs)) >= SHARE * len(pairs)
