"""What a reward model is to an instrument: something that encodes a text, scores it, and may let itself be read.

Units: a reward is in the model's own units ("ru"), which are never compared across models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from lens.models.pairs import Pairs
    from lens.models.trunk import Trunk
    from lens.reading import Subject

Prompt = str | tuple[dict[str, str], ...]
"""A plain prompt, or chat messages (`role`, `content`) up to the reply."""

Family = Literal["A", "B", "opaque", "scores"]
"""A: causal, pre-norm, RMSNorm, a linear head on one token: every exact form and the fast schedule hold.
B: another network: native parity, its own lens, patching by full forwards.
opaque: no one network to look into (a log-ratio, an ensemble, a rubric). scores: recorded numbers alone."""

Padding = Literal["left", "right"]


@dataclass(frozen=True)
class Encoded:
    """A scored text as token ids. `response` is the index of its first response token, where the tokenizer tells.

    `types` says which segment each token belongs to, for a network that is told; `parts` are the texts that a reward
    put together from several scores instead of this one.
    """

    ids: tuple[int, ...]
    response: int
    types: tuple[int, ...] = ()
    parts: tuple[Encoded, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Parity:
    """How far the rewards here are from the library's own output on the same ids.

    `residual` is the largest |difference| / max(1, |reward|) over `n` texts by way of asking (batched and padded on
    either side, one by one, a text's own pass, a pair's), `floor` what batching alone changes, in the same unit.
    `tied` and `native_tied` are the texts with the reward of another text, here and in the library's precision.
    """

    residual: dict[str, float]
    floor: float
    n: int
    tolerance: float
    tied: int = 0
    native_tied: int = 0

    @property
    def holds(self) -> bool:
        return all(value <= self.tolerance for value in self.residual.values())


class RewardModel(Protocol):
    """One protocol for everything called a reward; each kind is one file under `lens/models/adapters/`."""

    @property
    def slug(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def spec(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def kind(self) -> str:
        """ "scalar head", "implicit DPO", "judge", ..."""
        ...

    @property
    def family(self) -> Family: ...

    @property
    def device(self) -> str: ...

    @property
    def dtype(self) -> str: ...

    @property
    def context(self) -> int:
        """The longest text in tokens; 0 where there is no limit."""
        ...

    @property
    def own_pairs(self) -> Pairs | None:
        """Pairs that come with it (an organism's, a score file's): what it is read on unless others are named."""
        ...

    def as_subject(self) -> Subject: ...

    def grants(self) -> str:
        """Access it gives, as `component.rung` words: "grader.backward" for a network here."""
        ...

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """Token ids of a prompt with its reply. Raises UsageError for a text beyond the context: nothing is cut."""
        ...

    def rewards(self, texts: Sequence[Encoded]) -> list[float]:
        """The reward of each text, ru, computed the instrument's way. What shares a batch depends on `texts` alone."""
        ...

    def native(self, texts: Sequence[Encoded], padding: Padding) -> list[float]:
        """The reward of each text as the library that made the model gives it, in one padded batch."""
        ...

    @property
    def trunk(self) -> Trunk | None:
        """The readable network of a class-A model; None for every other."""
        ...

    @property
    def network(self) -> Any:
        """The torch module, or None where there is none or more than one."""
        ...
