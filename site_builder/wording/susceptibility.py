"""What it would breed, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "susceptibility",
    "What it would breed",
    what="How fast a policy tilted towards the reward would come to have more of each feature of its replies.",
    use="Compare the standardised values. They are the first step alone, taken prompt by prompt: the public index "
    "pools prompts, which can turn the sign.",
    row=("most for {largest}", "{told} features told"),
    fields={
        "largest": "is what a tilted policy would have more or less of first, {subject}",
        "null": "spreads would be the fastest change with rewards permuted inside prompts, {subject}",
        "null-mean": "spreads, on average over such permutations, {subject}",
        "told": "features change beyond what permuted rewards give, {subject}",
        "effective": "of the draws carry a tilt of one spread of the reward, {subject}",
        "{c}.standardised": "spreads of {c} are gained for each spread of reward, {subject}",
        "{c}.slope": "is paid for a spread of {c}, the other features held, {subject}",
    },
    order=310,
)
