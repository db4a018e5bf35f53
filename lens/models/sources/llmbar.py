"""LLMBar: replies that follow the instruction against ones that only look better, labelled by its authors.

Zeng et al. 2024, arXiv:2310.07641 (github.com/princeton-nlp/LLMBar). All parts but "natural" are adversarial: the
worse reply was made to be the more engaging one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from lens.models.sources import Published
from lens.names import kebab

_PARTS = ("Natural", "Adversarial_Neighbor", "Adversarial_GPTInst", "Adversarial_GPTOut", "Adversarial_Manual")


def _rows(files: Iterator[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for name, content in files:
        part = kebab(name.removeprefix("Dataset_LLMBar_").removesuffix("_dataset.json"))
        yield from ({**row, "subset": part} for row in json.loads(content))


PAIRS = (
    Published(
        "llmbar",
        "LLMBar, natural and adversarial pairs",
        "corpora/llmbar",
        "MIT",
        _rows,
        tuple(f"Dataset_LLMBar_{part}_dataset.json" for part in _PARTS),
    ),
)
