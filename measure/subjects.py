"""Which kind of subject a person names: a program grader, a reward model or a run of RL."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

Kind = Literal["graders", "models", "runs"]

_MODEL = re.compile(r"(?!pypi:)[a-z]+:.+|[^:]*/[^:]*", re.DOTALL)  # a kind of reward and its place; a path, org/name
_RECORD = re.compile(
    r"shared:.+|organism:grpo-.+|[^:]+\.(jsonl|json|csv|parquet|db|wandb)(\.gz)?(::.+)?|[^:]*events\.out\.tfevents\.[^:/]+",
    re.DOTALL,
)  # files that trainers write
_WEIGHTS = ("*.safetensors", "*.bin")


def kind_of(spec: str) -> Kind:
    """The kind of what `spec` names, from its form and what lies on disk; of files, names and first lines are read.

    A built-in grader's name, `pypi:...` and a Python file are graders; a Hugging Face id and `word:place` are models,
    `shared:...` and files of records are runs. A folder is a reward model where it holds a network's configuration and
    weights, else a run; a policy's weights beside the record of its training don't make a reward model. Any other
    word is taken for a grader, whose error lists those there are.

    >>> kind_of("verl-gsm8k"), kind_of("rewards/mine.py:grade"), kind_of("mine.py")
    ('graders', 'graders', 'graders')
    >>> kind_of("organism:length"), kind_of("org/name@main"), kind_of("dpo:[judge:a]+b?beta=0.2")
    ('models', 'models', 'models')
    >>> kind_of("shared:runs/trl_micro/base"), kind_of("outputs/rollouts.jsonl.gz"), kind_of("organism:grpo-regex")
    ('runs', 'runs', 'runs')
    >>> kind_of("trackio/huggingface.db::clever-otter"), kind_of("run/events.out.tfevents.1795986982.host.1.0")
    ('runs', 'runs')
    """
    if (folder := Path(spec)).is_dir():
        return _kind_in(folder)
    if re.fullmatch(r".+\.py(:\w+)?", spec):
        return "graders"
    if _RECORD.fullmatch(spec):
        return "runs"
    return "models" if _MODEL.fullmatch(spec) else "graders"


def _kind_in(folder: Path) -> Kind:
    import json

    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        built = config.get("architectures") or ["unnamed"]
    except (OSError, ValueError, AttributeError):
        return "runs"
    if not any(any(folder.glob(pattern)) for pattern in _WEIGHTS):
        return "runs"
    rewards = any(str(name).endswith("ForSequenceClassification") for name in built)
    return "runs" if not rewards and _recognised(folder) else "models"


def _recognised(folder: Path) -> bool:
    from lens.errors import UsageError
    from lens.runs.adapter import Source, detect

    try:
        detect(Source(folder))
    except UsageError:
        return False
    return True
