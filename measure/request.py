"""What was asked for: one audit's options, the command that asks for it again, and where its readings go."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Literal

Level = Literal["full", "log"]

BUDGET = 60.0  # CPU seconds, unless more are asked for
WAIT = 240.0  # seconds, likewise
GRANTS: dict[Level, str] = {
    "full": "grader.source grader.replicate gold.record",
    "log": "grader.record",
}
"""What each access level gives on a grader that is here: its source, running it again and the golds, or, to a reader
of a training log, the scores it gave. `--record` adds `record.record` to both."""


@dataclass(frozen=True)
class Request:
    """The options of `lens measure grader`, as they were typed."""

    subject: str
    corpora: tuple[str, ...] = ()
    access: Level = "full"
    record: str = ""
    disclose: bool = False
    budget: float = BUDGET
    seed: int = 0
    instruments: tuple[str, ...] = ()
    wait: float = WAIT
    map: str = ""
    study: str = ""

    def command(self, *extra: str) -> str:
        """The command line that makes this request, without what only says where and how fast (`--data`, `--workers`).

        >>> Request("verl-gsm8k", ("my golds.jsonl",), seed=3).command()
        "lens measure grader verl-gsm8k --corpus 'my golds.jsonl' --seed 3"
        """
        words = ["lens", "measure", "grader", self.subject]
        words += [word for corpus in self.corpora for word in ("--corpus", corpus)]
        words += ["--record", self.record] if self.record else []
        words += ["--map", self.map] if self.map else []
        words += ["--access", self.access] if self.access != "full" else []
        words += ["--disclose"] if self.disclose else []
        words += ["--budget", f"{self.budget:g}"] if self.budget != BUDGET else []
        words += ["--wait", f"{self.wait:g}"] if self.wait != WAIT else []
        words += ["--seed", str(self.seed)] if self.seed else []
        words += ["--study", self.study] if self.study else []
        return shlex.join([*words, *extra])
