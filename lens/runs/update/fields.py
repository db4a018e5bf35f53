"""Fields of the update partition beside cancellation: cosines under edits, checks, and the optimizer's own term."""

from __future__ import annotations

from typing import Any

from lens.reading import Declined, Label, Quantity
from lens.runs.record import Record
from lens.runs.review import Review
from lens.runs.series.medians import median
from lens.runs.update.edits import IDENTITY

Fields = dict[str, Quantity | Label | Declined]
RULES_APART = 1e-3  # of a cosine, between rules that fit the record alike


def cosines(review: Review, read: list[dict[str, Any]], plan: dict[str, Any]) -> Fields:
    """Of each edit, over steps; declined where the rules that fit give different ones."""
    fields: Fields = {}
    for edit in (IDENTITY, *plan["edits"]):
        by_rule = [[one["cosines"].get(f"{at}.{edit}") for one in read] for at in range(len(plan["rules"]))]
        fields |= _cosine(review, edit, by_rule, "" if edit == IDENTITY else f"{IDENTITY}.cosine.median")
    return fields


def _cosine(review: Review, edit: str, by_rule: list[list[float | None]], control: str) -> Fields:
    known = [value for value in by_rule[0] if value is not None]
    lost = len(by_rule[0]) - len(known)
    fields: Fields = {}
    if lost:
        note = "under this reward no rollout of the step differs"
        fields[f"{edit}.no-signal"] = Quantity(lost, "steps", "count", of=len(by_rule[0]), note=note)
    apart = max(
        (abs(one - two) for some in by_rule[1:] for one, two in zip(by_rule[0], some, strict=True)
         if one is not None and two is not None),
        default=0.0,
    )  # fmt: skip
    if apart > RULES_APART:
        fields[f"{edit}.cosine.median"] = Declined(
            "assumption_violated",
            f"the {len(by_rule)} rules that fit the record give cosines up to {apart:.2g} apart",
            "give the trainer's configuration with --config",
        )
    elif known:
        fields[f"{edit}.cosine.median"] = median(
            review, known, "cosine", "correlation", control=control, note="of the gradients before and after the edit"
        )
        fields[f"{edit}.cosine.min"] = Quantity(min(known), "cosine", "correlation", n=len(known))
    return fields


def checks(record: Record, steps: list[dict[str, Any]]) -> Fields:
    errors = [one["error"] for one in steps if one["error"] is not None and one["state"] == "read"]
    if not errors:
        return {
            "full-gradient.error": Declined(
                "no_control",
                "no gradient was taken otherwise, so nothing shows that the parts are all of it",
                "record the norm of the whole gradient beside the inner products, before clipping",
                needs="full_norm",
            )
        }
    return {
        "checked": Quantity(len(errors), "steps", "count", of=len(steps)),
        "full-gradient.error": Quantity(
            max(errors), "of the norm", "ratio", n=len(errors), note="the largest of the steps that were read"
        ),
        "precision": Label(record.header.settings.precision or "float32"),
    }


def momentum(record: Record) -> Fields:
    """What an optimizer with memory adds to the update: declared, since no inner product with it was recorded."""
    config = record.header.config
    name, beta = str(config.get("optim", "")), config.get("adam_beta1")
    if name and "adam" not in name.lower() and "momentum" not in name.lower():
        return {"optimizer": Label(name)}
    fields: Fields = {
        "momentum-carry": Declined(
            "record_incomplete",
            "the optimizer adds earlier gradients to this one, and their products with it were not recorded",
            "record the optimizer's first and second moments with the gradients",
            needs="optimizer.record",
        )
    }
    if name:
        fields["optimizer"] = Label(name)
    if name and isinstance(beta, (int, float)):
        fields["earlier-weight"] = Quantity(
            float(beta), "of the first moment", "proportion", note="what earlier steps weigh once it has warmed up"
        )
    return fields
