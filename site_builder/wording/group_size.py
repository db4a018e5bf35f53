"""Group size, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "group-size",
    "Group size",
    what="How many rollouts a group really compares: scored, unlike in text, carrying the advantage.",
    use="Use it to see what a group’s advantage rests on. It says nothing of whether the scores are right.",
    row=("{effective|d1} of {size|d1} rollouts carry a group’s advantage", "{distinct|d1} unlike in text"),
    fields={
        "size": "rollouts a group, {subject}",
        "scored": "of a group’s rollouts have a score, {subject}",
        "distinct": "of a group’s rollouts are unlike in text, {subject}",
        "effective": "rollouts would carry as much advantage, were it spread evenly, {subject}",
    },
    order=145,
)
