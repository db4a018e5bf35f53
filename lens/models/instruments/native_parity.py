"""Native parity: is the reward computed here the library's own? Read before anything else; if not, nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models.price import Price, Probe
from lens.reading import Declined, Label, Measured, Quantity, Reading

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

WAYS = {
    "left": "padded on the left in one batch",
    "right": "padded on the right in one batch",
    "one": "one text at a time",
    "trace": "the pass that instruments read",
    "pair": "both sides of a pair after their shared beginning",
}


def _price(inspection: Inspection, probe: Probe) -> Price:
    from lens.models.parity import PAIRS

    texts = 2 * min(PAIRS + 2, len(inspection.pairs.unique))
    return Price((2 + len(WAYS)) * texts * probe.forward, (2 + len(WAYS)) * texts)


@instrument(
    "native-parity",
    subjects="models",
    title="The library's own reward",
    quantity="largest difference between the reward computed here and the library's output, of max(1, |reward|)",
    unit="of max(1, |reward|)",
    needs="grader.query",
    cost="7 × 20 texts",
    version=1,
    order=10,
    declines="where there is no network to ask; every other reading declines where parity fails",
    source="model(...).logits of the library on the same token ids; issues transformers#35352, reward-bench#137, #164",
    price=_price,
)
def native_parity(inspection: Inspection) -> Reading:
    """The same token ids put to the library and to the forward that every reading here is made with.

    `residual` the worst of the ways of asking, each beside it: `left`, `right` padding in one batch, `one` text at a
    time, and for an exactly readable network `trace` (the pass that is read) and `pair` (both sides of a pair);
    `tolerance` it is held to: 1e-5 in fp32, 0.03 in bf16 and fp16, beyond what padding and batching change in the
    library itself. `batch-floor` what batching alone changes here: no effect below it is a finding. `tied`,
    `native-tied` k of n texts with the reward of another text, the head in fp32 and in the library's precision.
    `unknown` k of n tokens the tokenizer has no word for. `holds` yes or no.
    """
    from lens.models.parity import parity, spread

    found = parity(inspection)
    if found is None:
        return Declined(
            "not_applicable",
            "recorded scores have no network behind them here that could be asked again",
            "lens measure model FOLDER --pairs PAIRS, with the model's own folder or Hugging Face id",
        )
    texts = [text for both in spread(inspection) for text in both]
    fields: dict[str, Quantity | Label | Declined] = {
        "residual": _ratio(max(found.residual.values()), found.n),
        "tolerance": _ratio(found.tolerance, found.n),
        **{way: _ratio(value, found.n, WAYS[way]) for way, value in found.residual.items()},
        "batch-floor": _ratio(found.floor, found.n, "alone against in a batch"),
        "tied": Quantity(found.tied, "texts", "count", of=found.n),
        "native-tied": Quantity(found.native_tied, "texts", "count", of=found.n),
        "holds": Label("yes" if found.holds else "no"),
    }
    unknown = getattr(getattr(inspection.model, "writer", None), "unknown", None)
    if unknown is not None:
        total = sum(len(text) for text in texts)
        fields["unknown"] = Quantity(sum(map(unknown, texts)), "tokens", "count", of=total)
    scope = (
        f"{found.n} texts of {inspection.pairs.name}, the shortest and the longest among them, "
        f"in {inspection.model.dtype} on {inspection.model.device}; other texts are not covered"
    )
    return Measured(fields, "residual", scope)


def _ratio(value: float, n: int, note: str = "") -> Quantity:
    return Quantity(value, "of max(1, |reward|)", "ratio", n=n, note=note)
