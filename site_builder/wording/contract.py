"""Contract, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "contract",
    "Contract",
    what="The shape of answer it accepts, found by showing it right answers in every known format; what it returns.",
    use="Use it to know in which format the other readings were made. It doesn’t say the grader is right.",
    row=(
        "{shape}",
        "a right answer earns {ceiling}, a wrong one {floor}",
        "{returns}",
    ),
    fields={
        "abstained": "right answers got no score from {subject}",
        "raised": "right answers made {subject} raise",
        "wrong-paid": "wrong answers in that shape are paid by {subject}",
        "golds": "is how the golds are handed to {subject}",
        "shape": "is the answer shape {subject} accepts",
        "tried": "answer shapes were shown to {subject}",
        "ceiling": "is what {subject} pays a right answer",
        "floor": "is what {subject} pays a wrong answer",
        "returns": "is what {subject} returns",
        "oracle-paid": "right answers in that shape are paid by {subject}",
    },
    order=10,
)
