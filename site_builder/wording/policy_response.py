"""Policy response, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "policy-response",
    "How the policy moved",
    what="How far the policy moved from its reference and in an update, and what of it could have been seen at all.",
    use="Use a KL with its estimator and unit named. An effect foretold below the detection floor was neither shown "
    "nor refuted.",
    row=(
        "{kl.last} nats a response from the reference",
        "floor {floor-over-predicted|s2} times the effect foretold",
        "{budget.absent} terms absent",
    ),
    fields={
        "kl.first": "nats a response lie between {subject} and its reference at first (k one)",
        "kl.first.k2": "nats a response lie between {subject} and its reference at first (k two)",
        "kl.first.k3": "nats a response lie between {subject} and its reference at first (k three)",
        "kl.first.per-token": "nats a token lie between {subject} and its reference at first (k one)",
        "kl.last": "nats a response lie between {subject} and its reference at last (k one)",
        "kl.last.k2": "nats a response lie between {subject} and its reference at last (k two)",
        "kl.last.k3": "nats a response lie between {subject} and its reference at last (k three)",
        "kl.last.per-token": "nats a token lie between {subject} and its reference at last (k one)",
        "kl.last.k3.per-token": "nats a token lie between {subject} and its reference at last (k three)",
        "kl.logged.last": "is the last KL that {subject}’s trainer logged",
        "kl.step": "nats a response lie between the policies before and after an update of {subject} (k one)",
        "kl.step.k2": "nats a response lie between the policies before and after an update of {subject} (k two)",
        "kl.step.k3": "nats a response lie between the policies before and after an update of {subject} (k three)",
        "kl.step.k3.per-token": "nats a token lie between the policies before and after an update of {subject}",
        "predicted.step": "of reward’s spread a plain gradient step would gain, median step of {subject}",
        "floor.step": "of reward’s spread is the least change between two steps of {subject} that would show",
        "floor-over-predicted": "times the effect foretold is the least that would show in {subject}",
        "movement": "is how much likelier updates of {subject} made what was rewarded",
        "predicted": "is what a plain gradient step foretells of it, {subject}",
        "predicted.along": "is what the change of parameters foretells of it to first order, {subject}",
        "explained": "of the squared movement of {subject} is what first order explains",
        "floor": "is the least movement of {subject} that would show",
        "rescoring": "nats is the most that arithmetic alone moves a response of {subject}",
        "responses": "responses of {subject} were scored before and after",
        "updates": "updates of {subject} lie between the policies compared",
        "closure": "is whether the terms add to the movement of {subject}",
        "budget.computed": "terms of an update’s effect are computed for {subject}",
        "budget.zero": "terms of an update’s effect are exactly zero for {subject}",
        "budget.absent": "terms of an update’s effect are absent for {subject}",
        "term.{r}": "is the part of {r} in an update’s effect, {subject}",
    },
    order=75,
)
