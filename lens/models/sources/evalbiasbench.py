"""EvalBiasBench: pairs on which judges of six known biases choose the wrong reply; the part names the bias, which the
replies weren't matched on.

Park et al. 2024, arXiv:2407.06551 (github.com/ncsoft/offsetbias).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from lens.models.sources import Published
from lens.names import kebab


def _rows(files: Iterator[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for _, content in files:
        for bias, rows in json.loads(content).items():
            yield from ({**row, "subset": kebab(bias)} for row in rows)


PAIRS = (
    Published(
        "evalbiasbench",
        "EvalBiasBench, six biases of judges",
        "corpora/evalbiasbench/biasbench.json",
        "BSD-3-Clause",
        _rows,
    ),
)
