"""Does the order matter, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "order-control",
    "Does the order matter",
    what="Whether a score depends on what else it was asked beside.",
    use="Use it as a floor: an effect no larger than this says nothing.",
    row=("{changed} verdicts change with the order",),
    fields={
        "largest": "ru is the largest change of a score of {subject}",
        "margin.median": "ru is the median size of a margin of {subject}",
        "changed": "pairs get another verdict in the other order, {subject}",
        "moved": "pairs have a score that moves with the order, {subject}",
    },
    order=40,
)
