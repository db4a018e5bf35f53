"""What it knows and doesn't use, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "knowledge-utilisation",
    "What it knows and doesn’t use",
    what="Which properties can be read off the network, and what its reward takes from where they are read.",
    use="Read the two together as a place in a plane. The public index is a difference of ranks within a battery, of "
    "which some property always shows one.",
    row=("{unused} known and unused",),
    fields={
        "unused": "properties are known and unused by {subject}",
        "scale": "is the spread of rewards inside a prompt, {subject}",
        "layer": "is where {subject} is read and moved",
        "{c}.decode": "decodings of {c} are right, {subject}",
        "{c}.null": "of decodings would be right with labels turned at random, {c}, {subject}",
        "{c}.null-mean": "of decodings, on average over such turns, {c}, {subject}",
        "{c}.mediate": "spreads is what moving to {c} adds to the reward, {subject}",
        "{c}.mediate.null": "spreads would be added by moves along turned labels, {c}, {subject}",
        "{c}.verdict": "is {c}, {subject}",
    },
    order=390,
)
