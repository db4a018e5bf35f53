"""What silence costs, and being caught, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "scepticism",
    "What silence costs, and being caught",
    what="What a missing receipt costs a reply, and what a failing one costs beyond that.",
    use="Read the two apart. One number of this name is credulous in the public index and sceptical in the public "
    "study.",
    row=("{verdict}",),
    fields={
        "silence": "spreads is what a missing receipt costs, {subject}",
        "silence.null": "spreads would be read with sides turned at random, {subject}",
        "caught": "spreads is what a failing receipt costs beyond a missing one, {subject}",
        "caught.null": "spreads would be read with sides turned at random, {subject}",
        "scale": "is the spread inside twins, {subject}",
        "verdict": "is how receipts are read, {subject}",
    },
    order=430,
)
