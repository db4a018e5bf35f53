"""What a reward is a sum of: the weighted objectives of a model that has several, else what each component writes.

objectives  g_k · (R·M)_k with the text's own gates g and the transform M, or weight · score of a rubric's criterion
components  w·o_j/σ(h_L) of the embedding, every attention and every MLP of a class-A network
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.models.inspection import Inspection, unread
from lens.models.pairs import Pair
from lens.reading import Declined

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Terms:
    """K terms of P pairs, chosen then rejected; `kind` is "objectives" or "components"."""

    kind: str
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]
    values: np.ndarray  # [P, 2, K], ru: they add to the reward but for a constant
    rewards: np.ndarray  # [P, 2]

    @property
    def differences(self) -> np.ndarray:
        """Chosen − rejected: [P, K]."""
        return self.values[:, 0] - self.values[:, 1]  # type: ignore[no-any-return]

    @property
    def clusters(self) -> list[str]:
        return [pair.cluster for pair in self.pairs]


@dataclass(frozen=True)
class Objectives:
    """What a model of several objectives says of P pairs: `scores` before any weight, `weights` what each is weighed
    with (gates, or a rubric's constants), `weighed` the terms of the reward; each [P, 2, K]."""

    names: tuple[str, ...]
    pairs: tuple[Pair, ...]
    scores: np.ndarray
    weights: np.ndarray
    weighed: np.ndarray
    rewards: np.ndarray  # [P, 2]


def objectives(inspection: Inspection) -> Objectives | None:
    """Of every unique pair, once an inspection; None for a model that isn't of several objectives."""
    if not several(inspection.model):
        return None
    return inspection.remember("objectives", lambda: _read(inspection))


def several(model: Any) -> bool:
    """Whether the reward is of several objectives: one of them alone is a single head."""
    return hasattr(model, "objectives") and getattr(model, "objective", None) is None


def terms(inspection: Inspection) -> Terms | Declined:
    found = objectives(inspection)
    if found is not None:
        return Terms("objectives", found.names, found.pairs, found.weighed, found.rewards)
    if inspection.model.trunk is None:
        return unread(inspection.model.family)
    from lens.models.anatomy import anatomy, names

    read = anatomy(inspection)
    return Terms("components", tuple(names(read.layers)[:-1]), read.pairs, read.parts[:, :, :-1], read.rewards)


def _read(inspection: Inspection) -> Objectives:
    import numpy as np

    model: Any = inspection.model
    pairs = inspection.used_pairs().unique
    texts = [model.encode(pair.prompt, reply) for pair in pairs for reply in (pair.chosen, pair.rejected)]
    found: dict[str, list[float]] = model.objectives(texts)
    scores = np.array(list(found.values()), float).T
    if hasattr(model, "gates"):
        weights = np.array([model.gates(texts)[name] for name in found], float).T
        weighed = weights * (scores @ model.transform.detach().double().cpu().numpy())
    else:
        weights = np.broadcast_to([float(one.weight) for one in model.criteria], scores.shape)
        weighed = weights * scores
    rewards = np.array(model.rewards(texts), float).reshape(-1, 2)
    inspection.advance(3 * len(texts))

    def sides(rows: np.ndarray) -> np.ndarray:
        return rows.reshape(len(pairs), 2, -1)

    return Objectives(tuple(found), pairs, sides(scores), sides(weights), sides(weighed), rewards)
