"""Best of n, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "best-of-n",
    "Best of n",
    what="What picking the best of several samples by the reward would bring, before any training.",
    use="Read it as what selection alone can reach. Where samples tie, the usual figure for its cost is too high; the "
    "one that counts ties stands beside it.",
    row=("{tied} groups hold samples that tie",),
    fields={
        "tied": "groups hold samples that tie, {subject}",
        "left-out": "groups are smaller than the others and left out, {subject}",
        "group-size": "samples stand in a group, {subject}",
        "{r}.reward": "is the expected reward of the best of so many samples, {subject}",
        "{r}.gold": "is what the trusted grader says of the best of so many samples, {subject}",
        "{r}.kl": "nats lie between picking the best of so many samples and the policy, {subject}",
        "{r}.bound": "nats would lie there if no two samples tied, {subject}",
        "{r}.least-kl": "nats are the least that any policy needs for that reward, {subject}",
    },
    order=130,
)
