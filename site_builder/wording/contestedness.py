"""Does it know what is contested, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "contestedness",
    "Does it know what is contested",
    what="Whether a probe of both replies can tell how far raters disagree about them, beyond how close their rewards "
    "are.",
    use="Use the value given the margin, beside its null: votes that one utility, shared by all raters, would cast. "
    "Beside disagreements dealt at random it is high without any camps. A direction fitted on the rows it is read on "
    "always finds something, as the public index does.",
    row=("{verdict}",),
    fields={
        "correlation": "over pairs is the correlation of a probe with disagreement, {subject}",
        "correlation.null": "over pairs would be read with disagreements dealt at random, {subject}",
        "correlation.null-mean": "over pairs, on average over such deals, {subject}",
        "partial": "given the margin is the correlation of a probe with disagreement, {subject}",
        "partial.null": "given the margin would be read if one utility had cast the votes, {subject}",
        "partial.null-mean": "given the margin, on average over such votes, {subject}",
        "dealt.null": "given the margin would be read with disagreements dealt at random, {subject}",
        "dealt.null-mean": "given the margin, on average over such deals, {subject}",
        "verdict": "is disagreement beyond the margin, {subject}",
        "layer": "is where it is read, {subject}",
    },
    order=370,
)
