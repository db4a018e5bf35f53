"""RM-Bench: right and subtly wrong replies, each written in three styles, so that style can be held against substance.

Liu et al. 2024, arXiv:2410.16184 (github.com/THU-KEG/RM-Bench). The three styles are concise, detailed plain, and
detailed in Markdown. A row gives nine pairs of one lineage, every style of the right reply with every style of the
wrong one; the part names the domain and which of the two is the plainer: `easy` (the right one is richer), `normal`
(same style), `hard` (the wrong one is richer), as in the paper's matrix. Mathematics isn't among the files here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from lens.models.sources import Published

_FILES = ("chat_filtered.json", "code_filtered.json", "safety-refuse_filtered.json", "safety-response_filtered.json")


def _rows(files: Iterator[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for name, content in files:
        domain = name.removesuffix("_filtered.json")
        for row in json.loads(content):
            for right, wrong in product(range(3), repeat=2):
                level = "normal" if right == wrong else "easy" if right > wrong else "hard"
                yield {
                    "prompt": row["prompt"],
                    "chosen": row["chosen"][right],
                    "rejected": row["rejected"][wrong],
                    "subset": f"{domain}.{level}",
                    "lineage": f"{domain}/{row['id']}",
                }


def _markdown(files: Iterator[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """The same reply, right or wrong, in Markdown and plain: matched pairs, of which neither is the better one.

    Chat and code alone: many of the safety replies were written anew in each style.
    """
    for name, content in files:
        domain = name.removesuffix("_filtered.json")
        for row, side in product(json.loads(content), ("chosen", "rejected")):
            yield {
                "prompt": row["prompt"],
                "chosen": row[side][2],
                "rejected": row[side][1],
                "axis": "markdown",
                "lineage": f"{domain}/{row['id']}",
                "subset": f"{domain}.{side}",
            }


_SET = ("corpora/rm_bench", "ODC-BY")
PAIRS = (
    Published("rm-bench", "RM-Bench, chat, code and safety in three styles", *_SET, _rows, _FILES),
    Published("rm-bench-markdown", "RM-Bench, the same replies in Markdown and plain", *_SET, _markdown, _FILES[:2]),
)
