"""What is planted in a model of ours, read from its own answer key: the truth that other readings are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.models import price
from lens.names import kebab
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

_Fields = dict[str, Quantity | Label | Declined]


@instrument(
    "planted",
    subjects="models",
    title="What is planted",
    quantity="rules planted in the model by those who made it",
    unit="rules",
    needs="grader.record",
    cost="none: its answer key is read",
    version=2,
    order=15,
    declines="on any model but a planted one of ours (organism:NAME)",
    source="the answer key written beside the weights when the organism was made",
    price=price.free,
)
def planted(inspection: Inspection) -> Result:
    """Read the answer key of an organism: nothing is measured of the model, so no value here has an interval.

    `rules` how many, `rule.N` each in words; an axis a: `a.planted` what its flip is worth by rule, ru of the rule,
    0 for a flip that must move nothing. Where weights are set by hand the reward pays that, to `tolerance`. A trained
    model need not pay in the rule's units, nor have learned every rule: `a.trained` is the mean change of reward over
    fresh flips when training ended, ru, `held-out` k of n fresh pairs that it orders as the rule does. Table `sites`:
    where hand-set parts lie.
    """
    spec = inspection.model.spec
    if not spec.startswith("organism:"):
        return Result(Declined("not_applicable", "nobody planted a rule here that is known", "read a planted model"))
    import msgspec

    from lens.models.organisms import resolve_organism

    found = resolve_organism(spec)
    told: dict[str, Any] = msgspec.json.decode((found.path / "training.json").read_bytes())
    fields: _Fields = {"rules": Quantity(len(found.rules), "rules", "size")}
    fields |= {f"rule.{number}": Label(text) for number, text in enumerate(found.rules, start=1)}
    fields |= {
        f"{kebab(axis)}.planted": Quantity(worth, "ru of the rule", "difference")
        for axis, worth in told["axes"].items()
    }
    fields |= {
        f"{kebab(axis)}.trained": Quantity(
            flip["mean_delta"], "ru", "difference", note="fresh flips, checked when training ended"
        )
        for axis, flip in told.get("single_feature_flip", {}).items()
    }
    fields |= _sureness(told)
    sites = told.get("sites", [])
    tables: dict[str, Columns] = {}
    if sites:
        tables["sites"] = {name: [site[name] for site in sites] for name in ("kind", "layer", "index", "does")}
    how = "weights set by hand" if sites or "tolerance" in told else "trained on pairs that the rules order"
    return Result(Measured(fields, "rules", f"the answer key of {spec}, {how}; nothing was measured"), tables)


def _sureness(told: dict[str, Any]) -> _Fields:
    """How exactly the rules are in the weights, as far as the key says."""
    from lens.stats.intervals import share

    found: _Fields = {}
    if "tolerance" in told:
        found["tolerance"] = Quantity(told["tolerance"], "ru", "score", note="a flip is worth what is planted to this")
    if told.get("heldout_pairs"):
        pairs = told["heldout_pairs"]
        found["held-out"] = share(round(told["heldout_acc"] * pairs), pairs, "pairs")
    return found
