"""Concepts it pays for, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "concepts",
    "Concepts it pays for",
    what="Directions in the stream along which the reward moves, fitted and read on other prompts.",
    use="Use it to say that the model can be moved along a direction; not that it moves along it by itself.",
    row=("{moved} directions move the reward",),
    fields={
        "moved": "concepts move the reward of {subject} more than chance",
        "{c}.slope": "ru a unit along {c}, {subject}",
        "{c}.last": "ru a unit along {c} after the last block, {subject}",
        "{c}.carried": "of the pairs’ own margin comes along {c}, {subject}",
        "{c}.flipped": "ru a unit along directions of sides in random order, {c}, {subject}",
        "{c}.random": "ru a unit along random directions, {c}, {subject}",
    },
    order=140,
)
