"""Branch coverage, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "branch-coverage",
    "Branch coverage",
    what="Which branches of the grader’s code the answers ever took.",
    use="Use it to say what never ran. A branch that ran is not thereby checked: read it beside the kill matrix.",
    row=(
        "{gold.taken} branch arcs on gold answers",
        "{labelled.taken} on labelled answers",
        "{any.taken} on any corpus",
    ),
    fields={
        "any-call": "branch arcs {subject} has, whatever it is called with",
        "{c}.taken": "branch arcs of {subject} are taken by {c}",
        "{c}.pool-low": "branch arcs of {subject}, low end of draws of the same size from a larger pool",
        "{c}.pool-high": "branch arcs of {subject}, high end of draws of the same size from a larger pool",
    },
    order=50,
)
