"""Transition, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "transition",
    "Transition",
    what="When a series went from one level to another, and how many steps that took.",
    use="It is fitted to the whole run, looking back. Use midpoint and width with their intervals.",
    row=(
        "exploits midway at step {exploits.midpoint}",
        "{exploits.width} steps wide",
        "{fitted} series fitted",
    ),
    fields={
        "fitted": "series go from one level to another, {subject}",
        "{c}.midpoint": "is the step midway through the change of {c}, {subject}",
        "{c}.width": "steps take {c} through the middle of its change, {subject}",
        "{c}.floor": "is the lower or earlier level of {c}, {subject}",
        "{c}.ceiling": "is the higher or later level of {c}, {subject}",
        "{c}.over-line": "is how much better a logistic describes {c} than a line, {subject}",
    },
    order=120,
)
