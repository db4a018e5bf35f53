"""Where evidence leaves its words, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "verification-score",
    "Where evidence leaves its words",
    what="How deep in the network the words of a twin that differ are still what the reward hangs on.",
    use="Compare depths between axes. At the embedding all of the margin comes back and after the last block none, by "
    "construction: one layer’s value says nothing.",
    row=(),
    fields={
        "{c}.hand-over": "is the depth at which {c} has left its words, {subject}",
        "{c}.layer": "is where {c} has left its words, {subject}",
        "{c}.elsewhere": "of the margin is the most that other positions give back, {c}, {subject}",
        "{c}.twins": "twins of {c} are of equal length for {subject}",
        "start": "is the largest deviation from all of a margin at the embedding, {subject}",
        "end": "is the largest deviation from none of it after the last block, {subject}",
    },
    order=410,
)
