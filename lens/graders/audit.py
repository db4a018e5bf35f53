"""What a grader instrument is given: the subject, its corpora, the access granted, and a place to run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from lens.access import Access
from lens.graders.corpus import Corpus, Row
from lens.graders.outcome import Outcome
from lens.graders.patience import Patience
from lens.noted import Noted, Noting

if TYPE_CHECKING:
    from lens.graders.items import Source
    from lens.graders.sandbox.session import Session
    from lens.graders.subject import GraderSubject
    from lens.graders.thin import Thinned
    from lens.runs.record import Record

T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Audit(Noting):
    """One audit in progress.

    Inputs an instrument reads are noted by `corpus` and `run_record`. `record` is a run record's rollouts, where one
    was given.
    """

    subject: GraderSubject
    corpora: dict[str, Corpus]
    access: Access
    seed: Noted[int] = Noted(0)
    budget: Noted[float] = Noted(60.0)  # CPU seconds the mutation sample may take
    wait: float = 240.0  # seconds that hanging and slow calls may take before rows are sampled
    replicates: Noted[int] = Noted(5)
    disclose: Noted[bool] = Noted(False)
    record: Record | None = None
    source: Source | None = None  # golds and labelled responses the corpora are made from; the embedded ones without
    patience: Patience = field(default_factory=Patience)
    thinned: Thinned | None = None  # how the audit was made smaller, where it was
    heard: int = 0  # outcomes the reading now being made has looked at,
    late: int = 0  # and the time-outs among them

    def corpus(self, name: str) -> Corpus:
        """The corpus by name, noted as an input of the reading now being made."""
        corpus = self.corpora[name]
        self.used[name] = corpus.as_input()
        return corpus

    def apart(self) -> list[str]:
        """Names of the corpora that hold rows, without `labelled`, which repeats the rows of others."""
        named = [name for name, corpus in self.corpora.items() if corpus.rows]
        return [name for name in named if name != "labelled"] or named

    def run_record(self) -> Record:
        """The run record, noted as an input. Raises LookupError where none was given."""
        if self.record is None:
            raise LookupError("no run record was given")
        self.used["record"] = self.record.as_input()
        return self.record

    def session(self, seed: int = 0) -> Session:
        """A sandboxed worker holding the grader, as a context manager; another `seed` is another replay."""
        from lens.graders.sandbox.session import Session

        return Session(self.subject, seed=seed, patience=self.patience)

    def boxed(self) -> GraderSubject:
        """The subject for sessions in other processes, with the limits that its calls are given now."""
        return replace(self.subject, limits=self.patience.limits(self.subject.limits))

    def evaluate(self, rows: Sequence[Row]) -> list[Outcome]:
        """Outcome of every row, in order, in one fresh worker."""
        with self.session() as session:
            outcomes = session.evaluate(rows)
        self.advance(len(rows))
        return outcomes

    def heed(self, outcomes: Iterable[Outcome]) -> None:
        """Count what the reading now being made looks at, and the time-outs among it."""
        for outcome in outcomes:
            self.heard += outcome.status != "unasked"
            self.late += outcome.status == "timeout"

    def sized(self, full: int, least: int) -> int:
        """How many of `full` to ask: all, or fewer where the audit is thinned."""
        from lens.graders.thin import sized

        return full if self.thinned is None else sized(full, least, self.thinned.part)
