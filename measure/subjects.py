"""Which kind of subject a person names: a program grader or a reward model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

Kind = Literal["graders", "models"]

_MODEL = re.compile(r"(?!pypi:)[a-z]+:.+|[^:]*/[^:]*", re.DOTALL)  # a kind of reward and its place; a path, org/name


def kind_of(spec: str) -> Kind:
    """The kind of what `spec` names, from its form and what lies on disk; nothing is opened.

    A built-in grader's name, `pypi:...` and a Python file are graders; a folder, a Hugging Face id and `word:place` are
    models. Any other word is taken for a grader, whose error lists those there are.

    >>> kind_of("verl-gsm8k"), kind_of("rewards/mine.py:grade"), kind_of("mine.py")
    ('graders', 'graders', 'graders')
    >>> kind_of("organism:length"), kind_of("org/name@main"), kind_of("dpo:[judge:a]+b?beta=0.2")
    ('models', 'models', 'models')
    """
    if Path(spec).is_dir():
        return "models"
    if re.fullmatch(r".+\.py(:\w+)?", spec):
        return "graders"
    return "models" if _MODEL.fullmatch(spec) else "graders"
