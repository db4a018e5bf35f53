"""Does it know a test, and pay for it, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "evaluation-awareness",
    "Does it know a test, and pay for it",
    what="Whether the network tells a question asked as a benchmark asks it from the same one in a chat, and whether "
    "its reward moves.",
    use="What can be decoded need not be priced: read both. Benchmark items against organic ones, as in the public "
    "index, differ in topic and length too.",
    row=("{verdict}",),
    fields={
        "effect": "spreads is what a benchmark’s wrapper adds to the reward, {subject}",
        "effect.null": "spreads would be read with wrappers turned at random, {subject}",
        "decode": "decodings of a wrapper’s kind are right, {subject}",
        "decode.null": "of decodings would be right with kinds turned at random, {subject}",
        "decode.null-mean": "of decodings, on average over such turns, {subject}",
        "scale": "is the spread of rewards inside a prompt, {subject}",
        "verdict": "is the wrapper, {subject}",
    },
    order=440,
)
