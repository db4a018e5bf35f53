"""What erasing a concept takes away, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "erasure",
    "What erasing a concept takes away",
    what="Whether any fresh probe can still read a concept once it is erased, and what margin is left.",
    use="Use the verdict: a concept that leaks was not erased, and what is left then says nothing of it.",
    row=("{erased} concepts erased",),
    fields={
        "erased": "concepts can be read by neither fresh probe any more, {subject}",
        "{c}.linear": "fresh rows are read right by a linear probe after erasing {c}, {subject}",
        "{c}.mlp": "fresh rows are read right by a probe with a hidden layer after erasing {c}, {subject}",
        "{c}.before.linear": "fresh rows are read right by a linear probe before, {c}, {subject}",
        "{c}.before.mlp": "fresh rows are read right by a probe with a hidden layer before, {c}, {subject}",
        "{c}.chance": "of rows are read right by chance, {c}, {subject}",
        "{c}.verdict": "is how erasing {c} ended, {subject}",
        "{c}.left": "of the margin is left after erasing {c}, {subject}",
        "{c}.left.control": "of the margin is left after erasing random labels, {c}, {subject}",
    },
    order=150,
)
