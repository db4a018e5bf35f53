"""Preferences in a circle, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "intransitivity",
    "Preferences in a circle",
    what="How much of a comparison runs in circles, where one thing beats another and is beaten by a third.",
    use="Use it beside a judge who ranks and votes as often: few votes look circular by themselves.",
    row=("{cyclic} of the energy in circles",),
    fields={
        "cyclic": "of the energy runs in circles, {subject}",
        "verdict": "is the verdict on its comparisons, {subject}",
        "scalar": "of the energy runs in circles for a ranking, {subject}",
        "one-circle": "of the circular part lies in its leading plane, {subject}",
        "order": "of the energy is what the order is worth, {subject}",
        "votes.cyclic": "of the votes’ energy is left over by the ranking that fits them best",
        "votes.null": "of the votes’ energy would be left over for a judge who ranks",
        "votes.null95": "of the votes’ energy is left over for one in twenty judges who rank",
        "votes.verdict": "is the verdict on the votes",
    },
    order=264,
)
