"""What a grader instrument is given: the subject, its corpora, the access granted, and a place to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from lens.access import Access
from lens.graders.corpus import Corpus, Row
from lens.graders.outcome import Outcome
from lens.reading import Input

if TYPE_CHECKING:
    from lens.graders.sandbox.session import Session
    from lens.graders.subject import GraderSubject

T = TypeVar("T")
R = TypeVar("R")


def _serial(function: Callable[[T], R], items: Sequence[T]) -> Iterable[R]:
    return map(function, items)


@dataclass
class Audit:
    """One audit in progress.

    `map` is the engine's: it may run items in other processes and resumes by content; functions given to it
    are module-level and their items picklable. `advance` reports finished units of work (calls) to the progress bar.
    Inputs an instrument reads are noted by `corpus`, so evidence lists exactly those.
    """

    subject: GraderSubject
    corpora: dict[str, Corpus]
    access: Access
    seed: int = 0
    budget: float = 60.0  # CPU seconds the mutation sample may take
    replicates: int = 5
    disclose: bool = False
    map: Callable[[Callable[[Any], Any], Sequence[Any]], Iterable[Any]] = _serial
    advance: Callable[[int], None] = lambda _calls: None
    used: dict[str, Input] = field(default_factory=dict)
    memo: dict[str, Any] = field(default_factory=dict)

    def corpus(self, name: str) -> Corpus:
        """The corpus by name, noted as an input of the reading now being made."""
        corpus = self.corpora[name]
        self.used[name] = corpus.as_input()
        return corpus

    def session(self) -> Session:
        """A sandboxed worker holding the grader, as a context manager."""
        from lens.graders.sandbox.session import Session

        return Session(self.subject)

    def evaluate(self, rows: Sequence[Row]) -> list[Outcome]:
        """Outcome of every row, in order, in one fresh worker."""
        with self.session() as session:
            outcomes = session.evaluate(rows)
        self.advance(len(rows))
        return outcomes

    def remember(self, key: str, make: Callable[[], R]) -> R:
        """`make()` once an audit: several instruments need the contract and the replayed corpora."""
        if key not in self.memo:
            self.memo[key] = make()
        return self.memo[key]  # type: ignore[no-any-return]
