"""How a source file is named in evidence: by its place in its distribution, never by this machine's folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lens.graders.subject import GraderSubject


def short(subject: GraderSubject, file: str) -> str:
    """`lm_eval/tasks/hendrycks_math/utils.py`; the bare name of a file that lies in none of the subject's folders."""
    for folder in subject.paths:
        if folder in Path(file).parents:
            return Path(file).relative_to(folder).as_posix()
    return Path(file).name
