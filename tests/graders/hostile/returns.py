"""Graders that return something other than a number."""

import collections
import decimal
import enum
import fractions

import numpy


class NoFloat:
    def __float__(self):
        raise ZeroDivisionError("no float")


class Number:
    def __float__(self):
        return 0.5


class Masked:
    @property
    def __class__(self):
        return float


class EndlessFloat:
    def __float__(self):
        while True:
            pass


class Grade(enum.IntEnum):
    GOOD = 2


Pair = collections.namedtuple("Pair", "score passed")


RESULTS = {
    "enum": Grade.GOOD,
    "named": Pair(1.0, True),
    "nan": float("nan"),
    "inf": float("-inf"),
    "none": None,
    "tuple": (1, "two", None),
    "numpy": numpy.float32(0.5),
    "numpy-bool": numpy.bool_(True),
    "numpy-nan": numpy.float64("nan"),
    "array": numpy.zeros(3),
    "no-float": NoFloat(),
    "number": Number(),
    "masked": Masked(),
    "endless": EndlessFloat(),
    "decimal": decimal.Decimal("0.25"),
    "fraction": fractions.Fraction(1, 4),
    "wide": 10**40,
    "huge": 10**5000,
    "long": "x" * 10**6,
    "dict": {"score": 1.0, 3: [True]},
    "class": float,
    "surrogate": "\ud800",
}
CYCLE = []
CYCLE.append(CYCLE)
RESULTS["cycle"] = CYCLE


def grade(response, gold):
    return RESULTS[response]
