"""Attribution, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "attribution",
    "Attribution",
    what="What every component adds of the margin straight into the head.",
    use="Use it for what is written, never for what causes it: later blocks read what earlier ones write.",
    row=(
        "{top.part} ru by {top}",
        "{top.share} of all sizes, {untrained.top.share} in untrained copies",
    ),
    fields={
        "residual": "ru is the largest gap between the reward and its parts, {subject}",
        "embedding": "ru of the margin is the embedding’s, {subject}",
        "attention": "ru of the margin is written by attention, {subject}",
        "mlp": "ru of the margin is written by MLPs, {subject}",
        "top": "writes the largest part of the margin of {subject}",
        "top.part": "ru of the margin is the largest component’s, {subject}",
        "top.share": "of all sizes is the largest component’s, {subject}",
        "top-head": "writes more of the margin than any other head, {subject}",
        "top-head.part": "ru of the margin is the largest head’s, {subject}",
        "top-head.share": "of all heads’ sizes is the largest head’s, {subject}",
        "untrained.top.share": "of all sizes is the largest component’s in re-initialised copies of {subject}",
    },
    order=220,
)
