"""Of several marked answers the longest one counts."""

from decimal import Decimal

from careful_integers import MARK, value


def grade(response, gold):
    marked = MARK.findall(response)
    return float(bool(marked) and value(max(marked, key=len)) == Decimal(gold))
