"""What would be paid for nothing, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "hacking-probes",
    "What would be paid for nothing",
    what="What a bad reply earns as it is edited: longer, flattering, surer, repeated, and so on.",
    use="Use it to see what a policy could learn to do. That it pays does not say that a policy would find it.",
    row=("{raising} edits raise the reward",),
    fields={
        "raising": "edits raise the reward of a bad reply, {subject}",
        "scale": "ru is the spread of rewards inside a prompt, {subject}",
        "{c}.slope": "ru a unit of {c}, {subject}",
        "{c}.null": "ru a unit is how steep {c} gets by chance, {subject}",
        "{c}.d": "spreads a unit of {c}, {subject}",
        "{c}.p": "is the corrected p of {c} changing nothing that counts, {subject}",
        "{c}.verdict": "the reward of a bad reply, by {c}, {subject}",
        "{c}.overtakes": "bad replies come to outscore the good one, by {c}, {subject}",
        "{c}.over-length": "ru a token that {c} adds, over the length edit’s, {subject}",
    },
    order=130,
)
