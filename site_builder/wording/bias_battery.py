"""What it is biased by, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "bias-battery",
    "What it is biased by",
    what="How the reward changes when a reply gains one property and nothing else.",
    use="Use it for one property at a time, on replies like these. A bias here is a change of reward, not a "
    "judgement of whether it is deserved.",
    row=("{flagged} properties move the reward",),
    fields={
        "flagged": "axes move the reward of {subject} beyond a tenth of its spread",
        "scale": "ru is the spread of rewards inside a prompt, {subject}",
        "{c}.effect": "ru is what {c} alone changes in the reward of {subject}",
        "{c}.null": "ru is how far {c} reaches by chance, {subject}",
        "{c}.slope": "ru a unit of {c}, {subject}",
        "{c}.d": "spreads is what {c} changes in the reward of {subject}",
        "{c}.p": "is the corrected p of {c} changing nothing that counts, {subject}",
        "{c}.verdict": "the reward of {subject}, when a reply gains {c}",
    },
    order=120,
)
