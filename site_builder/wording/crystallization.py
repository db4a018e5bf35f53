"""Crystallization depth, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "crystallization",
    "Crystallization depth",
    what="The depth after which a pair’s margin stays at least half of what it ends at.",
    use="Use it beside its untrained copies. An index made of the raw stream is another quantity.",
    row=(
        "at {own.depth} of the depth",
        "{untrained.own.depth} in untrained copies",
    ),
    fields={
        "{c}.depth": "of the depth is where half of the margin stands for good, {c} norm, {subject}",
        "{c}.first-crossing": "of the depth is where half of the margin stands first, {c} norm, {subject}",
        "{c}.overshoot": "pairs fall back under half after crossing it, {c} norm, {subject}",
        "untrained.{c}.depth": "of the depth in re-initialised copies of {subject}, {c} norm",
        "length-matched.{c}.depth": "of the depth on pairs whose sides are equally long, {c} norm, {subject}",
        "left-out": "pairs have no margin to form, {subject}",
    },
    order=210,
)
