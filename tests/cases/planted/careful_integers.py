"""Whole numbers after four hash marks, and nothing to complain about.

The planted graders of whole numbers are this one with one defect each.
"""

import re
from decimal import Decimal

NUMBER = re.compile(r"\$?([+\u2212-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?)(?: [a-z]+)?", re.ASCII)
MARK = re.compile(r"^#### *(.*?) *$", re.MULTILINE)
UNITS = {"apples", "coins", "steps", "cm", "hours", "dollars"}


def value(text):
    """The number a text says, or None where it says anything else or more."""
    found = NUMBER.fullmatch(text.strip().strip("*").removesuffix("."))
    if not found or (" " in found[0] and found[0].split()[1] not in UNITS):
        return None
    return Decimal(found[1].replace(",", "").replace("\u2212", "-"))


def answers(response):
    return {value(text) for text in MARK.findall(response)}


def grade(response, gold):
    return float(answers(response) == {Decimal(gold)})
