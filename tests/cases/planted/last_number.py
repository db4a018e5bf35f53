"""The last number anywhere in the response is the answer."""

import re
from decimal import Decimal


def grade(response, gold):
    numbers = re.findall(r"[+-]?\d[\d,]*(?:\.\d+)?", response.replace("\u2212", "-"), re.ASCII)
    return float(bool(numbers) and Decimal(numbers[-1].replace(",", "")) == Decimal(gold))
