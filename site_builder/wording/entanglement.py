"""Alike in values, or in what they can tell, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "entanglement",
    "Alike in values, or in what they can tell",
    what="Whether two models’ rewards agree more than what their networks can both tell of named capabilities.",
    use="It is of the named battery alone: what two networks both tell and no label names counts as shared values. On "
    "small planted models it tells the two apart; of large ones nobody has shown it.",
    row=("{entanglement} beyond {battery}",),
    fields={
        "entanglement": "within prompts is the agreement of rewards beyond that of capabilities, {subject}",
        "value": "within prompts is the agreement of both rewards, {subject}",
        "capability": "within prompts is the agreement of what both networks tell, {subject}",
        "null": "within prompts would be read with pairs dealt at random, {subject}",
        "null-mean": "within prompts, on average over such deals, {subject}",
        "battery": "are the capabilities named, {subject}",
    },
    order=450,
)
