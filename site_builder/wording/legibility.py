"""Can it be written down, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "legibility",
    "Can it be written down",
    what="How well a few yes-or-no predicates of a library tell how the reward orders replies to a prompt.",
    use="It is of this library of predicates. The public index chooses and reads on the same rows, and rises with "
    "every predicate added.",
    row=("{needed} predicates", "{tacit} tacit"),
    fields={
        "fidelity": "inside prompts is the correlation with what predicates say, {subject}",
        "needed": "predicates are needed, {subject}",
        "tacit": "of the variance inside prompts is told by no predicate, {subject}",
        "tacit.null": "of the variance is the least that permuted rewards would leave, {subject}",
        "tacit.null-mean": "of the variance would be, with rewards permuted inside prompts, {subject}",
        "null": "inside prompts would be read with rewards permuted, {subject}",
        "null-mean": "inside prompts, on average over such permutations, {subject}",
    },
    order=360,
)
