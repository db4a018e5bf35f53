"""Which texts share a batch. Fixed by the texts alone on a CPU, so that a reward never depends on who else was asked
by how many workers; on a GPU as large as its free memory allows, halved when it runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lens.models.model import Encoded, Padding

if TYPE_CHECKING:
    import torch

CPU_TOKENS = 4096  # padded tokens a batch
GPU_SHARE = 0.5  # of the free memory


def batches(texts: Sequence[Encoded], tokens: int) -> Iterator[list[int]]:
    """Indices of texts, shortest first, as many as fit `tokens` padded tokens; a longer text goes alone."""
    batch: list[int] = []
    for index in sorted(range(len(texts)), key=lambda index: (len(texts[index]), index)):
        if batch and (len(batch) + 1) * len(texts[index]) > tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def score(
    texts: Sequence[Encoded], forward: Callable[[list[Encoded]], torch.Tensor], *, device: str, token_bytes: int
) -> list[float]:
    """`forward` over all texts in batches, in the texts' order. `token_bytes`: memory one token of a batch takes."""
    import torch

    found = [0.0] * len(texts)
    tokens = room(device, token_bytes)
    todo = list(batches(texts, tokens))[::-1]
    while todo:
        some = todo.pop()
        try:
            with torch.no_grad():
                values = forward([texts[index] for index in some])
        except torch.OutOfMemoryError:
            if len(some) == 1:
                raise
            torch.cuda.empty_cache()
            todo += [some[len(some) // 2 :], some[: len(some) // 2]]
            continue
        for index, value in zip(some, values.float().tolist(), strict=True):
            found[index] = value
    return found


def room(device: str, token_bytes: int) -> int:
    """Padded tokens a batch may hold."""
    if not device.startswith("cuda"):
        return CPU_TOKENS
    import torch

    free, _total = torch.cuda.mem_get_info(device)
    return max(CPU_TOKENS, int(free * GPU_SHARE / token_bytes))


def padded(texts: Sequence[Encoded], pad: int, side: Padding, device: Any) -> dict[str, torch.Tensor]:
    """`input_ids` and `attention_mask`, each [texts, longest], padded on one side; `token_type_ids` where texts have
    segments."""
    import torch

    width = max(len(text) for text in texts)
    ids = torch.full((len(texts), width), pad)
    mask = torch.zeros((len(texts), width), dtype=torch.long)
    types = torch.zeros_like(mask)
    for row, text in enumerate(texts):
        where = slice(width - len(text), width) if side == "left" else slice(0, len(text))
        ids[row, where] = torch.tensor(text.ids)
        mask[row, where] = 1
        if text.types:
            types[row, where] = torch.tensor(text.types)
    given = {"input_ids": ids.to(device), "attention_mask": mask.to(device)}
    if any(text.types for text in texts):
        given["token_type_ids"] = types.to(device)
    return given
