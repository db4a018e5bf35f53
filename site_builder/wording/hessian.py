"""Curvature, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "hessian",
    "Curvature",
    what="How the loss on these preferences curves in the last block and the head.",
    use="Use it beside untrained copies; alone a curvature has no scale.",
    row=(
        "largest eigenvalue {largest}",
        "{untrained.largest} in untrained copies",
    ),
    fields={
        "largest": "is the largest eigenvalue, {subject}",
        "smallest": "is the smallest eigenvalue, {subject}",
        "trace": "is the trace, {subject}",
        "negative": "of the spectrum lies below zero, {subject}",
        "untrained.largest": "is the largest eigenvalue in re-initialised copies of {subject}",
        "untrained.trace": "is the trace in re-initialised copies of {subject}",
    },
    order=340,
)
