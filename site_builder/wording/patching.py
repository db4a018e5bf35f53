"""Activation patching, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "patching",
    "Activation patching",
    what="What the margin would have been, had one place held another text’s value.",
    use="Use it for causes under this exact replacement, beside untrained copies and pairs of equal length.",
    row=(
        "at {readout-depth} of the depth the readout token carries half",
        "{noising.component.share} of the margin by {noising.component.top}",
    ),
    fields={
        "readout-depth": "of the depth is where the readout token alone carries half of the margin, {subject}",
        "untrained.readout-depth": "of the depth in re-initialised copies of {subject}",
        "length-matched.readout-depth": "of the depth on pairs whose sides are equally long, {subject}",
        "{c}.component.top": "moves the margin of {subject} most, by {c}",
        "{c}.head.top": "moves the margin of {subject} more than any other head, by {c}",
        "{c}.component.effect": "ru of the margin go with the component that moves most, by {c}, {subject}",
        "{c}.head.effect": "ru of the margin go with the head that moves most, by {c}, {subject}",
        "{c}.component.share": "of the margin goes with the component that moves most, by {c}, {subject}",
        "{c}.head.share": "of the margin goes with the head that moves most, by {c}, {subject}",
        "{c}.position.middle-share": "of the margin is at the readout token halfway up, by {c}, {subject}",
        "untrained.noising.component.share": "of the margin goes with the most moving component, untrained {subject}",
        "identity.{r}": "ru is the largest deviation from an identity, {r}, {subject}",
    },
    order=240,
)
