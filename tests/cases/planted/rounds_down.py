"""What stands behind the decimal point is cut off."""

from decimal import Decimal

from careful_integers import answers


def grade(response, gold):
    return float({said if said is None else int(said) for said in answers(response)} == {Decimal(gold)})
