"""How its largest rewards thin out, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "tail",
    "How its largest rewards thin out",
    what="Whether the largest rewards thin out like a power, like an exponential, or end.",
    use="Use the verdict where the thresholds agree. A head after a norm has a bound, so heavy means heavy up to it; "
    "bounded is read of normal rewards too. The public shape is of moments and can’t exceed a half.",
    row=("{verdict}",),
    fields={
        "verdict": "is the tail of rewards, {subject}",
        "replies": "replies to a prompt are read of {subject}",
        "bound": "is the farthest a reward can be from its constant, {subject}",
        "{c}.shape": "is the shape of the tail above the {c} threshold, {subject}",
        "{c}.exceedances": "residuals lie above the {c} threshold, {subject}",
        "{c}.verdict": "is the tail above the {c} threshold, {subject}",
        "{c}.null": "is the size of shape that exponential excesses read, {c} threshold, {subject}",
        "{c}.null-mean": "is its mean over exponential excesses, {c} threshold, {subject}",
        "{c}.gaussian": "is the shape that normal rewards would read there, {c} threshold, {subject}",
        "{c}.index": "is the tail index above the {c} threshold, {subject}",
    },
    order=320,
)
