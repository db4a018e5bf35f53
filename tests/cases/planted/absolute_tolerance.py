"""Off by one is near enough."""

from decimal import Decimal

from careful_integers import answers


def grade(response, gold):
    said = answers(response)
    return float(len(said) == 1 and None not in said and abs(said.pop() - Decimal(gold)) <= 1)
