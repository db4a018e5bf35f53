"""Native parity: the reward computed here is the library's own, however it is asked, before anything else is read.

Over a spread of the pairs' texts, r here against the library's output on the same ids:
    left, right   one batch padded on that side          one     one text at a time
    trace, pair   the pass that instruments read (class A), of a text and of both sides of a pair

Residual max |r − native| / max(1, |r|), to hold within 1e-5 in fp32 and 3e-2 in bf16 and fp16, beyond what padding
and batching change in the library's own output (of which at most nine times as much is allowed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lens.models.model import Parity
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.inspection import Inspection
    from lens.models.model import Encoded, Padding, RewardModel
    from lens.models.pairs import Pair

PAIRS = 8  # read on both sides; the shortest and the longest text of the file are among them
TOLERANCE = {"float32": 1e-5}
TOLERANCE_HALF = 3e-2
OWN_SPREAD = 9.0  # at most so many tolerances are allowed for what the library itself changes between its ways


def parity(inspection: Inspection) -> Parity | None:
    """Measured once an inspection; None where there is no network to ask (recorded scores)."""
    return inspection.remember("parity", lambda: _measure(inspection))


def unsound(inspection: Inspection) -> Declined | None:
    """Why every other reading of this model declines; None where its rewards are the library's own."""
    found = parity(inspection)
    if found is None or found.holds:
        return None
    way, residual = max(found.residual.items(), key=lambda item: (item[1] == item[1], item[1]))
    model = inspection.model
    return Declined(
        "assumption_violated",
        f"the reward computed here is not the library's own: they differ by {residual:.2g} of max(1, |reward|) "
        f"({way}; at most {found.tolerance:.2g} is allowed), so nothing read from it would be about this model",
        "--dtype float32, or upgrade transformers"
        if model.dtype != "float32"
        else "upgrade transformers, and report this architecture: lens measure model MODEL --instruments native-parity",
    )


def compare(model: RewardModel, texts: Sequence[Encoded], pairs: Sequence[tuple[Encoded, Encoded]] = ()) -> Parity:
    """Parity over `texts`, and over the shared passes of `pairs` where the model can be read. Needs at least one."""
    here = model.rewards(texts)
    sides: tuple[Padding, ...] = getattr(model, "paddings", ("left", "right"))
    native: dict[str, list[float]] = {side: model.native(texts, side) for side in sides}
    native["one"] = [model.native([text], "right")[0] for text in texts]
    residual = {way: _most(here, given) for way, given in native.items()}
    alone = native["one"]
    if model.trunk is not None:
        residual["trace"] = _most([model.trunk.trace(_scored(model, text)).reward for text in texts], alone)
        if pairs:
            by_ids = dict(zip((text.ids for text in texts), alone, strict=True))
            passes = [model.trunk.pair(_scored(model, one), _scored(model, other)) for one, other in pairs]
            shared = [side.reward for both in passes for side in (both.chosen, both.rejected)]
            residual["pair"] = _most(shared, [by_ids[text.ids] for both in pairs for text in both])
    own_spread = max(_most(given, alone) for given in native.values())
    tolerance = TOLERANCE.get(model.dtype, TOLERANCE_HALF)
    tolerance += min(own_spread, OWN_SPREAD * tolerance)
    floor = _most(here, [model.rewards([text])[0] for text in texts])
    return Parity(residual, floor, len(texts), tolerance, _tied(texts, here), _tied(texts, alone))


def spread(inspection: Inspection, count: int = PAIRS) -> list[tuple[Encoded, Encoded]]:
    """`count` pairs taken evenly through the file, with those of its shortest and longest text, encoded."""
    pairs = inspection.used_pairs().unique
    ends = min(pairs, key=lambda pair: min(_lengths(pair))), max(pairs, key=lambda pair: max(_lengths(pair)))
    chosen = {pair.number: pair for pair in (*inspection.spread(count), *ends)}
    encode = inspection.model.encode
    return [(encode(pair.prompt, pair.chosen), encode(pair.prompt, pair.rejected)) for pair in chosen.values()]


def _measure(inspection: Inspection) -> Parity | None:
    if inspection.model.family == "scores":
        return None
    pairs = spread(inspection)
    texts = [text for both in pairs for text in both]
    found = compare(inspection.model, texts, pairs)
    inspection.advance((2 + len(found.residual)) * len(texts))
    return found


def _lengths(pair: Pair) -> tuple[int, int]:
    return len(pair.chosen), len(pair.rejected)


def _scored(model: Any, text: Encoded) -> tuple[int, ...]:
    ids: tuple[int, ...] = model.scored(text)
    return ids


def _tied(texts: Sequence[Encoded], rewards: Sequence[float]) -> int:
    """Texts that get the reward of another, different text."""
    each = dict(zip(texts, rewards, strict=True))
    counts = Counter(each.values())
    return sum(count for count in counts.values() if count > 1)


def _most(here: Sequence[float], given: Sequence[float]) -> float:
    """The largest difference in units of max(1, |given|); NaN where any is."""
    found = [abs(a - b) / max(1.0, abs(b)) for a, b in zip(here, given, strict=True)]
    return max(found, key=lambda value: (value != value, value))
