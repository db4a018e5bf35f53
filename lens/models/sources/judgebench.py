"""JudgeBench: pairs whose right reply is known by checking, and five reward models' scores of them in both orders.

Tan et al. 2024, arXiv:2410.12784 (github.com/ScalerLab/JudgeBench). The part is one of the paper's four categories.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from lens.models.sources import Published, Scored, Together

_FOLDER = "corpora/judgebench/dataset=judgebench,response_model="
_LICENCE = "MIT"
CATEGORIES = {"livebench-reasoning": "reasoning", "livebench-math": "math", "livecodebench": "coding"}


def category(source: str) -> str:
    """The paper's category of a source: every MMLU-Pro subject is "knowledge"."""
    return CATEGORIES.get(source, "knowledge")


def _rows(files: Iterator[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for _, content in files:
        for row in map(json.loads, content.splitlines()):
            yield {**row, "subset": category(row["source"])}


def _scored(model: str, slug: str) -> Scored:
    title = f"{model.split('_', 1)[1]}, as JudgeBench scored it"
    path = f"{_FOLDER}gpt-4o-2024-05-13,judge_name=reward_model,judge_model={model}.jsonl"
    return Scored(f"judgebench/{model}", slug, title, path, _LICENCE, "judgebench")


PAIRS = (
    Published("judgebench", "JudgeBench, replies of GPT-4o", f"{_FOLDER}gpt-4o-2024-05-13.jsonl", _LICENCE, _rows),
    Published(
        "judgebench-claude",
        "JudgeBench, replies of Claude 3.5 Sonnet",
        f"{_FOLDER}claude-3-5-sonnet-20240620.jsonl",
        _LICENCE,
        _rows,
    ),
)
SCORES = (
    _scored("Skywork_Skywork-Reward-Gemma-2-27B", "skywork-reward-gemma-2-27b"),
    _scored("Skywork_Skywork-Reward-Llama-3.1-8B", "skywork-reward-llama-3-1-8b"),
    _scored("internlm_internlm2-20b-reward", "internlm2-20b-reward"),
    _scored("internlm_internlm2-7b-reward", "internlm2-7b-reward"),
    _scored("Ray2333_GRM-Gemma-2B-rewardmodel-ft", "grm-gemma-2b"),
)
PANELS = (Together("judgebench", "judgebench-five", "Five reward models, as JudgeBench scored them"),)
