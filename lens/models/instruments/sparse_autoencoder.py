"""A sparse dictionary of the stream the head reads, and what each of its features pays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.instrument import instrument
from lens.models.anatomy import ids_of
from lens.models.concept import halves
from lens.models.inspection import Inspection
from lens.models.pairs import Pair
from lens.models.price import Probe, forwards
from lens.models.streams import packed, unpacked
from lens.models.summaries import columns_of, few, largest, mean_field, unreadable
from lens.price import Price
from lens.reading import Columns, Declined, Input, Interval, Label, Measured, Quantity, Result

if TYPE_CHECKING:
    import numpy as np
    import torch

    from lens.models.sae import Dictionary

POSITIONS = 16  # of a reply, evenly, and its last
TIMES = 2  # features a dimension
MOST_ACTIVE = 16
LISTED = 64
UNTRAINED = 40  # dictionaries of the same size that were never trained: how much one keeps is a draw
TRAINING = 2.0, 1e-4  # CPU seconds of fitting, and a squared dimension
FILE = "sae.safetensors"

_Fields = dict[str, Quantity | Label | Declined]


class _Read(NamedTuple):
    """Fresh pairs' readout streams [P, 2, d], rewards and spliced rewards [P, 2], parts of the reward [P, 2, m + 2]:
    features, then the constant and the error."""

    pairs: list[Pair]
    h: torch.Tensor
    rewards: np.ndarray
    spliced: np.ndarray
    parts: np.ndarray


def _price(inspection: Inspection, probe: Probe) -> Price | Declined:
    price = forwards(2)(inspection, probe)
    fitting = TRAINING[0] + TRAINING[1] * probe.width**2
    return Price(price.seconds + fitting, price.calls) if isinstance(price, Price) else price


@instrument(
    "sparse-autoencoder",
    subjects="models",
    title="Features it pays for",
    quantity="share of the margin's energy that a sparse dictionary of the stream keeps",
    unit="of the margin",
    needs="grader.forward",
    cost="2 × pairs, and the training of a dictionary",
    version=2,
    order=170,
    declines="for networks without a trunk; its features, where the dictionary is no better than untrained ones",
    source="TopK (Gao et al. 2024, arXiv:2406.04093); reward kept, not meaning, is what is measured",
    price=_price,
)
def sparse_autoencoder(inspection: Inspection) -> Result:
    """Write the stream after the last block as a few features of a dictionary, and the reward as what they pay.

    The dictionary is `sae.safetensors` of the model's folder where there is one, else trained here on half of the
    prompts; everything is read on the others, at the readout token. `kept`, the index *reward kept by the
    dictionary*, is 1 − E(r − r̂)²/Var(r) inside pairs, 1 − Σ(m − m̂)² / Σ m² of margins, r̂ the reward with the
    reconstruction in the stream's place, its controls `untrained.kept`, the mean of the same over untrained
    dictionaries, with their 95th percentile `untrained.high`, and `pca.kept`, of as many principal directions as
    features are active at once. `explained` the share of the stream's variance. `dead` k of n features that no fresh
    text turns on; `reward-error` root mean square of r̂ − r, ru. A feature pays a_i (w·f_i)/σ(h); `parts` is an
    identity: the largest |Σ features + constant + error − reward|. `top` names the feature with the largest mean part
    of the margin; it and the table `features` decline where `kept` is not above untrained ones, its interval's lower
    end beyond `untrained.high` and 0. `kept` is the same whichever way a feature is split in two, which the public
    coverage, a ratio of sums of sizes, is not; it measures reconstruction and not meaning.
    """
    if (refused := unreadable(inspection)) is not None:
        return Result(refused)
    pairs = inspection.spread(4 * inspection.sample)
    fit, read = halves(pairs)
    if (refused := few(read)) is not None or (refused := few(fit)) is not None:
        return Result(refused)
    rows = _rows(inspection, fit)
    fields, tables = _fields(inspection, rows, read, *_dictionary(inspection, rows))
    scope = (
        f"the stream after the last block; {len(rows)} positions of {len(fit)} pairs to fit on, the readout tokens of "
        f"{len(read)} pairs of other prompts of {inspection.pairs.name} to read on"
    )
    return Result(Measured(fields, "kept", scope), tables)


def positions(model: Any, pair: Pair) -> bytes:
    """The job of one pair: streams after the last block at some positions of either reply, the readout's last."""
    import torch

    traces = model.trunk.pair(*ids_of(model, pair))
    found = []
    for trace in (traces.chosen, traces.rejected):
        h = trace.h[-1]
        count = min(POSITIONS, len(h))
        found.append(h[[(i + 1) * len(h) // count - 1 for i in range(count)]])
    return packed(torch.cat(found))


def readouts(model: Any, pair: Pair) -> bytes:
    """The job of one pair: the readout streams of both sides, [2, d]."""
    import torch

    traces = model.trunk.pair(*ids_of(model, pair))
    return packed(torch.stack([trace.h[-1][-1] for trace in (traces.chosen, traces.rejected)]))


def _rows(inspection: Inspection, fit: Sequence[Pair]) -> torch.Tensor:
    import numpy as np
    import torch

    trunk = inspection.model.trunk
    assert trunk is not None
    found = [unpacked(data, -1, trunk.width) for data in inspection.over(positions, fit)]
    return torch.tensor(np.concatenate(found), dtype=torch.float32)


def _dictionary(inspection: Inspection, rows: torch.Tensor) -> tuple[Dictionary, str]:
    """The dictionary, and where it is from."""
    from lens.canonical import file_digest
    from lens.models import sae

    path = Path(getattr(inspection.model.network, "name_or_path", "") or ".") / FILE
    d = rows.shape[1]
    if path.is_file():
        inspection.used[FILE] = Input("dictionary", FILE, file_digest(path))
        return sae.load(path, d), "the model's folder"
    return sae.train(rows, TIMES * d, max(1, min(MOST_ACTIVE, d // 8)), seed=inspection.seed), "trained here"


def _untrained(inspection: Inspection, rows: torch.Tensor, found: _Read, dictionary: Dictionary) -> list[float]:
    """What untrained dictionaries of its size keep."""
    from lens.models import sae

    kept = []
    for number in range(UNTRAINED):
        other = sae.fresh(rows, dictionary.features, dictionary.k, seed=inspection.seed + 1 + number)
        instead = _reconstructed(inspection, found.h, other.decoded(other.codes(found.h)))
        kept.append(reward_kept(found.rewards, instead))
    return kept


def _fields(
    inspection: Inspection,
    rows: torch.Tensor,
    read: list[Pair],
    dictionary: Dictionary,
    whence: str,
) -> tuple[_Fields, dict[str, Columns]]:
    import numpy as np

    from lens.stats.permute import null

    found = _spliced(inspection, read, dictionary)
    pca = _reconstructed(inspection, found.h, _projected(rows, found.h, dictionary.k))
    kept = _kept(inspection, read, found.rewards, found.spliced)
    codes = dictionary.codes(found.h)
    fields: _Fields = {"kept": kept}
    others = null(_untrained(inspection, rows, found, dictionary))
    for name, share, note in (
        ("untrained.kept", others.mean, f"mean of {UNTRAINED} untrained dictionaries"),
        ("untrained.high", others.high, "95th percentile"),
        ("pca.kept", reward_kept(found.rewards, pca), ""),
    ):
        fields[name] = Quantity(share, "of the margin's energy", "ratio", n=len(read), note=note)
    dead = dictionary.features - int((codes > 0).flatten(0, 1).any(dim=0).sum())
    fields["dead"] = Quantity(
        dead, "features", "count", of=dictionary.features, note=f"on {2 * len(read)} fresh readout tokens"
    )
    squares = ((found.spliced - found.rewards) ** 2).mean(axis=1)
    error = mean_field(inspection, squares.tolist(), read)
    fields["reward-error"] = _root(error)
    fields["explained"] = Quantity(
        _explained(found.h, dictionary.decoded(codes)), "of variance", "ratio", n=2 * len(read)
    )
    fields["parts"] = largest(found.parts.sum(axis=2) - found.rewards, n=2 * len(read))
    fields["dictionary"] = Label(f"{dictionary.features} features, {dictionary.k} at once", note=whence)
    if not isinstance(kept, Quantity) or kept.interval is None or kept.interval.low <= max(others.high, 0.0):
        fields["top"] = Declined(
            "assumption_violated",
            "the dictionary keeps no more of the reward than untrained ones of its size: its features say nothing",
            f"train one on more text and save it as {FILE} in the model's folder",
        )
        return fields, {}
    parts = found.parts[:, 0, :-2] - found.parts[:, 1, :-2]
    order = np.argsort(-np.abs(parts.mean(axis=0)))[:LISTED]
    means = columns_of(inspection, parts[:, order], read)
    fires = (codes > 0).double().mean(dim=(0, 1)).numpy()[order]
    fields["top"] = Label(f"feature {order[0]}", note=f"{means['mean'][0]:+.3g} ru of the mean margin, chosen on these")
    table: Columns = {"feature": [int(i) for i in order], "fires": fires.tolist(), **means}
    return fields, {"features": table}


def _spliced(inspection: Inspection, read: list[Pair], dictionary: Dictionary) -> _Read:
    import numpy as np
    import torch

    trunk = inspection.model.trunk
    assert trunk is not None
    data = [unpacked(one, 2, trunk.width) for one in inspection.over(readouts, read)]
    h = torch.tensor(np.stack(data), dtype=torch.float32)
    codes = dictionary.codes(h)
    w, sigma = trunk.readout.w.cpu(), trunk.readout.sigma(h)[..., None]
    paid = codes * (dictionary.decoder @ w) / sigma
    constant = (dictionary.centre @ w) / sigma + trunk.readout.b
    missed = ((h - dictionary.decoded(codes)) @ w)[..., None] / sigma
    parts = torch.cat([paid, constant, missed], dim=-1).double().numpy()
    rewards = _reconstructed(inspection, h, h)
    return _Read(read, h, rewards, _reconstructed(inspection, h, dictionary.decoded(codes)), parts)


def _reconstructed(inspection: Inspection, h: torch.Tensor, instead: torch.Tensor) -> np.ndarray:
    """Rewards with `instead` in the place of `h`, [P, 2]."""
    import dataclasses

    trunk = inspection.model.trunk
    assert trunk is not None
    readout = dataclasses.replace(trunk.readout, w=trunk.readout.w.cpu())
    return readout.reward(instead.reshape(h.shape)).double().numpy()


def _projected(rows: torch.Tensor, h: torch.Tensor, rank: int) -> torch.Tensor:
    """Streams on the `rank` first principal directions of the rows fitted on."""
    import torch

    mean = rows.mean(0)
    _, _, directions = torch.linalg.svd(rows - mean, full_matrices=False)
    inside: torch.Tensor = (h - mean) @ directions[:rank].T @ directions[:rank]
    return inside + mean


def _explained(h: torch.Tensor, instead: torch.Tensor) -> float:
    rows = h.reshape(-1, h.shape[-1])
    missed = (rows - instead.reshape(rows.shape)).pow(2).sum()
    return 1 - float(missed / (rows - rows.mean(0)).pow(2).sum())


def reward_kept(rewards: np.ndarray, spliced: np.ndarray) -> float:
    """1 − E(r − r̂)²/Var(r) inside pairs, of rewards [P, 2] and those with the reconstruction spliced in.

    1 for a perfect dictionary, and the same however one feature is split in two: it reads rewards alone. What moves
    both replies alike is no part of it, as it is of no margin.

    >>> import numpy as np
    >>> reward_kept(np.array([[2.0, 0.0], [1.0, 3.0]]), np.array([[6.0, 4.0], [0.0, 0.0]]))
    0.5
    """
    margins, told = (some[:, 0] - some[:, 1] for some in (rewards, spliced))
    return 1 - float(((margins - told) ** 2).sum() / (margins**2).sum())


def _kept(
    inspection: Inspection, read: Sequence[Pair], rewards: np.ndarray, spliced: np.ndarray
) -> Quantity | Declined:
    from lens.stats.means import quantity
    from lens.stats.ratio import ratio_of

    margins, told = (some[:, 0] - some[:, 1] for some in (rewards, spliced))
    clusters = [pair.cluster for pair in read]
    lost = ratio_of(
        ((margins - told) ** 2).tolist(), (margins**2).tolist(), clusters, seed=inspection.seed, draws=inspection.draws
    )
    held = lost.interval
    interval = Interval(1 - held.high, 1 - held.low, held.method, held.level) if held else None
    return quantity(
        1 - lost.value, interval, "of the margin's energy", kind="ratio", clusters=len(set(clusters)), n=len(read),
        control="untrained.kept",
    )  # fmt: skip


def _root(squares: Quantity | Declined) -> Quantity | Declined:
    """The root of a mean square and of its interval's ends, ru."""
    if isinstance(squares, Declined) or squares.interval is None:
        return squares
    low, high = (max(0.0, end) ** 0.5 for end in (squares.interval.low, squares.interval.high))
    return Quantity(
        squares.value**0.5, "ru", "difference", interval=Interval(low, high, squares.interval.method), n=squares.n
    )
