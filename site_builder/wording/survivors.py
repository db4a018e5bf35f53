"""Survivors, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "survivors",
    "Survivors",
    what="The breakages nothing noticed, sorted by why: only those with an input that tells them apart are findings.",
    use="Use it to say where the grader could break unseen. A survivor that nothing tells apart may well be harmless.",
    row=(
        "{blind-spot} have a witness input",
        "{not-told-apart} were not told apart",
        "{side-effect} change a side effect only",
    ),
    fields={
        "tried": "further inputs were put to the surviving mutants of {subject}",
        "{c}.blind-spot": "mutants of {subject} that were missed by {c} have an input that tells them apart",
        "blind-spot": "mutants of {subject} that every corpus missed have an input that tells them apart",
        "not-told-apart": "surviving mutants of {subject} no input told apart",
        "side-effect": "surviving mutants of {subject} change a side effect only",
        "same-bytecode": "surviving mutants of {subject} compile to the same code",
        "unreachable": "surviving mutants of {subject} can’t be reached under its contract",
    },
    order=40,
)
