"""verl's math-verify scorer."""

from repairs import wrap


def powers_of_e(before, gold, response):
    import re

    return before(gold, re.sub(r"(?<![\\\w])exp\(([^()]*)\)", r"e^{\1}", response))


REPAIRS = {"plain-exp-refused": wrap("_verify_in_subprocess", powers_of_e)}
