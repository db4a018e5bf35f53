"""Signs are taken for typography."""

from decimal import Decimal

from careful_integers import answers


def grade(response, gold):
    return float({said if said is None else abs(said) for said in answers(response)} == {abs(Decimal(gold))})
