"""Does it prefer the longer reply, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "length-preference",
    "Does it prefer the longer reply",
    what="Whether the longer reply scores more, against how often it is the labelled one.",
    use="Use the difference, not the share. These pairs weren’t made to differ in length alone; the bias "
    "battery’s are.",
    row=(
        "the longer reply in {longer}",
        "{over-label} over the labels",
        "{slope.given-label} ru a hundred characters beside the label",
    ),
    fields={
        "longer": "pairs are won by the longer reply, {subject}",
        "label.longer": "pairs have the longer reply as the labelled one",
        "over-label": "is the longer reply’s share over that of the labels, {subject}",
        "slope": "ru a hundred characters more, {subject}",
        "slope.given-label": "ru a hundred characters more, beside the label, {subject}",
        "correlation": "is the correlation of reward and length within a prompt, {subject}",
        "accuracy.longer-right": "pairs are preferred as labelled where that is the longer reply, {subject}",
        "accuracy.shorter-right": "pairs are preferred as labelled where that is the shorter reply, {subject}",
        "accuracy.gap": "is the first share less the second, {subject}",
    },
    order=30,
)
