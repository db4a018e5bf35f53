"""A named reward model, opened once, and the stream that its score head reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

    from lens.models.model import Encoded
    from lens.models.organisms.wordplay import Reply

SMALL = "organism:spurious"  # what pilots are read on
_STREAMS = 64  # numbers a token takes of memory, in widths of the stream


@cache
def model(spec: str) -> Any:
    """The reward model, on its device. Raises UsageError where it can't be opened, or has no trunk of class A."""
    import torch

    from lens.models.subject import open_model

    torch.set_num_threads(1)
    found: Any = open_model(spec)
    if found.trunk is None:
        raise UsageError(
            f"{spec} has no stream that a linear head reads",
            remedy="name a sequence classifier: a causal network with one linear head on one token",
        )
    return found


def fingerprint(spec: str) -> str:
    """Of the model."""
    return str(model(spec).fingerprint)


def states(spec: str, replies: Sequence[Reply]) -> np.ndarray:
    """[texts, d], fp64: the stream after its last norm, at the token where the reward is read."""
    import numpy as np

    from lens.models.batches import batches, room

    found = model(spec)
    texts = [found.encode(one.prompt, one.text) for one in replies]
    rows = np.zeros((len(texts), found.trunk.width))
    for some in batches(texts, room(found.device, _STREAMS * found.trunk.width)):
        rows[some] = _read(found, [texts[at] for at in some])
    return rows


def _read(found: Any, texts: Sequence[Encoded]) -> np.ndarray:
    import torch

    from lens.models.batches import padded

    pad = found.network.config.pad_token_id or 0
    with torch.no_grad():
        given = padded(texts, pad, "right", found.trunk.device)
        out = found.network.base_model(**given, use_cache=False).last_hidden_state
    places = torch.tensor([found.readout_index(text) for text in texts])
    return out[torch.arange(len(texts)), places].double().cpu().numpy()  # type: ignore[no-any-return]
