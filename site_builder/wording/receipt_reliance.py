"""Does it read the receipt, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "receipt-reliance",
    "Does it read the receipt",
    what="Whether the reward falls for a falsified receipt of what was done, or for a falsified narrative of it.",
    use="It needs twins matched in length. Publicly two different quantities go by this name.",
    row=("{reliance} on receipts",),
    fields={
        "reliance": "of what both falsifications cost is for the receipt, {subject}",
        "null": "of both is how far from a half it would be with arms drawn at random, {subject}",
        "receipt": "spreads is what a falsified receipt costs, {subject}",
        "narrative": "spreads is what a falsified narrative costs, {subject}",
        "unmatched": "twins differ in length by more than a tenth, {subject}",
    },
    order=420,
)
