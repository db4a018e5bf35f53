"""Of several boxes the first one counts."""

import re
from decimal import Decimal

from careful_integers import value


def grade(response, gold):
    boxes = re.findall(r"\\boxed\{([^{}]*)\}", response.replace("\\$", "$"))
    return float(bool(boxes) and value(boxes[0]) == Decimal(gold))
