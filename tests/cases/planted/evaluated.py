"""An answer that is no number is run to see what number it comes to."""

from decimal import Decimal

from careful_integers import MARK, value


def run(text):
    try:
        return Decimal(eval(text))
    except Exception:
        return None


def grade(response, gold):
    said = {value(text) if value(text) is not None else run(text) for text in MARK.findall(response)}
    return float(said == {Decimal(gold)})
