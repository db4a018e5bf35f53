"""What the head reads, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "geometry",
    "What the head reads",
    what="How far the reward goes with what each concept’s own readout says, without a basis in it.",
    use="Use it inside one model. Heads of two models live in different bases: only what they say of the same"
    " pairs is compared.",
    row=("{together} by all concepts together",),
    fields={
        "together": "is the correlation of the reward with all readouts together, {subject}",
        "identity": "is the largest difference between a whitened cosine and the correlation it equals, {subject}",
        "{c}.whitened": "is the correlation of the reward with {c}, {subject}",
        "{c}.null": "is what readouts of the noise beside {c} reach, {subject}",
        "{c}.distance": "is the Pearson distance of the reward from {c}, {subject}",
        "{c}.raw": "is the cosine with {c} as the numbers stand, {subject}",
    },
    order=190,
)
