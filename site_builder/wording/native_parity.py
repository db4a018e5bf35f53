"""The library's own reward, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "native-parity",
    "The library’s own reward",
    what="Whether the reward computed here is the number the model’s own library gives, asked in every way.",
    use="Use it as the ground under every other reading: where it fails, all of them decline. It says nothing"
    " of what the model prefers.",
    row=(
        "within {residual|sci1} of the library, as a share of the reward",
        "held to {tolerance|sci1}",
    ),
    fields={
        "residual": "is the largest difference from the library’s own reward, as a share of it, {subject}",
        "tolerance": "is the largest difference allowed, as a share of the reward, {subject}",
        "batch-floor": "is what batching alone changes, as a share of the reward, {subject}",
        "holds": "says whether the reward here is the library’s own, {subject}",
        "tied": "texts have the reward of another text, {subject}",
        "native-tied": "texts have the reward of another text in the library’s precision, {subject}",
        "unknown": "tokens are no word of the tokenizer’s, {subject}",
        "left": "padded on the left in one batch, {subject}",
        "right": "padded on the right in one batch, {subject}",
        "one": "asked one text at a time, {subject}",
        "trace": "in the pass that readings are made from, {subject}",
        "pair": "both sides of a pair after their shared beginning, {subject}",
    },
    order=10,
)
