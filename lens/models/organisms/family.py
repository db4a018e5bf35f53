"""What an organism's family declares; one family a file under `families`, each with one `FAMILY`."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from lens.canonical import digest

if TYPE_CHECKING:
    from lens.models.organisms.handset import Organism

Step = Callable[[int], None]
"""Called with the number of steps that have just been done."""


@dataclass(frozen=True)
class Family:
    """`doses` are those of its calibration series, 0 first; empty for a family that has none (trained: no dose).

    `write(folder, dose, seed, step)` fills an empty folder with the model, its pairs and its truth; `rules(dose)` says
    in plain words what is planted. `code` are the modules that decide the weights' bits, `steps` and `seconds` what
    making one costs, for a progress bar. `plant(dose, seed)` is a hand-set one in memory.
    """

    name: str
    title: str
    unit: str
    doses: tuple[float, ...]
    default: float
    rules: Callable[[float], tuple[str, ...]]
    write: Callable[[Path, float, int, Step], None]
    code: tuple[str, ...]
    steps: int = 1
    seconds: float = 1.0
    plant: Callable[[float, int], Organism] | None = None

    def key(self, dose: float, seed: int) -> str:
        """Digest of what decides the bits: code, dose, seed, and the releases of the libraries that compute them."""
        code = {name: _text_digest(name) for name in self.code}
        libraries = {name: version(name) for name in ("torch", "transformers", "numpy")}
        return digest({"code": code, "dose": dose, "family": self.name, "libraries": libraries, "seed": seed})


def _text_digest(module: str) -> str:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()
