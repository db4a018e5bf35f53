"""A number is right when it is within a hundredth of a per cent."""

from decimal import Decimal

from careful_integers import answers


def grade(response, gold):
    said = answers(response)
    return float(len(said) == 1 and None not in said and abs(said.pop() - Decimal(gold)) <= abs(Decimal(gold)) / 10_000)
