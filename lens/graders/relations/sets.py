"""Several values in one answer: a set has no order, a point has one, and a part is not the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, pairs, relation

_LIST = re.compile(r"-?[\w.\\{}]+(, ?-?[\w.\\{}]+)+")

set_order = pairs(
    "set-order",
    title="the solutions in another order",
    direction="invariant",
    defect="set-order-refused",
    on="latex",
    pairs=[
        ("2,5,8", "8,2,5"),
        ("1,4", "4,1"),
        ("-3,3", "3,-3"),
        ("-6,0,7", "0,7,-6"),
        ("2,9", "9,2"),
        ("5,10,15,20", "20,5,15,10"),
        ("-2, 11", "11, -2"),
        ("6,12,24", "12,24,6"),
    ],
)


@relation(
    "part-of-list",
    title="one of several values left out",
    direction="must-change",
    defect="part-of-list-paid",
    on="latex",
)
def part_of_list(case: Case) -> Iterator[str]:
    if _LIST.fullmatch(case.answer):
        yield case.answer.rsplit(",", 1)[0]


@relation(
    "point-order",
    title="the coordinates of a point in another order",
    direction="must-change",
    defect="point-order-paid",
    on="latex",
)
def point_order(case: Case) -> Iterator[str]:
    match = re.fullmatch(
        r"(?P<open>\(|\\left\() ?(?P<a>[^,()]+?), ?(?P<b>[^,()]+?) ?(?P<close>\)|\\right\))", case.answer
    )
    if match and match["a"] != match["b"]:
        yield f"{match['open']}{match['b']}, {match['a']}{match['close']}"
