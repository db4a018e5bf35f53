"""A grader in its box, as the rest of the package sees it.

    with Session(subject) as session:
        outcomes = session.evaluate(rows)
        session.isolation["network"]        # "private namespace"

Whatever the grader does comes back as an Outcome; only a grader that can't be loaded is an error.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, overload

import msgspec

from lens.errors import LensError, UsageError
from lens.graders.corpus import Row
from lens.graders.outcome import Outcome
from lens.graders.patience import Patience
from lens.graders.sandbox.limits import Limits
from lens.graders.sandbox.process import Fault, Worker

if TYPE_CHECKING:
    from lens.graders.subject import GraderSubject

_CHUNK_ROWS = 512
_CHUNK_CHARACTERS = 1_000_000
_PLAIN = ("rows", "watch", "coverage")  # jobs whose items are calls, so that their times teach patience
_LATE = 5  # times `limits.patience` time-outs in all end an evaluation


class Effects(msgspec.Struct, frozen=True):
    """What one call changed beside returning: names of `lens/graders/sandbox/jobs/watch.py`, such as "random",
    "numpy.random", "environment", "folder", "files", "locale", "signals", "warnings", "module"."""

    changed: tuple[str, ...] = ()
    detail: dict[str, str] = {}


class Session:
    """A worker holding one grader, restarted after whatever ends it. A context manager; not for several threads.

    `seed` fixes the worker's hash seed and the global generators it starts with, so that a session is
    repeatable; another seed is another replay. `patience` is shared by the sessions of an audit.
    """

    def __init__(
        self, subject: GraderSubject, limits: Limits | None = None, seed: int = 0, patience: Patience | None = None
    ) -> None:
        self.subject = subject
        self.full = limits or subject.limits
        self.seed = seed
        self.patience = patience or Patience()
        self.isolation: dict[str, str] = {}
        self.restarts = -1
        self._worker: Worker | None = None
        self._new = True  # whether the worker has been sent nothing yet
        self._faults = 0  # in a row, for `evaluate`
        self._late = 0  # time-outs in all, likewise

    @property
    def limits(self) -> Limits:
        """What a call is given now."""
        return self.patience.limits(self.full)

    def __enter__(self) -> Session:
        self._ready()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, and every process and file the grader left."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def restart(self) -> None:
        """Go on in a fresh worker."""
        self.close()
        self._ready()

    def _ready(self) -> Worker:
        if self._worker is not None and self._worker.process.poll() is None:
            return self._worker
        self.close()
        self._new = True
        worker = self._worker = Worker(self.subject, self.full, self.seed)
        try:
            kind, about = worker.receive(self.full.load, max(self.full.silence, 3 * self.full.load))
        except Fault as fault:
            self.close()
            raise UsageError(
                f"{self.subject.spec} ends its process while being imported: {fault.outcome.detail}",
                remedy="guard what runs at import with `if __name__ == '__main__':`",
            ) from None
        except BaseException:
            self.close()
            raise
        if kind != "ready":
            self.close()
            raise self.subject.not_loaded(kind, about)
        self.isolation = about["isolation"]
        self.restarts += 1
        self.subject.compile_loaded(about["uncompiled"])
        return worker

    def run(
        self,
        job: str,
        payload: Any,
        items: int,
        *,
        start: int = 0,
        cpu: float | None = None,
        silence: float | None = None,
    ) -> Generator[tuple[int, Any | Outcome]]:
        """Do `jobs/<job>.py` and yield (index, what it emitted) for each of `items`, in order.

        An item that ends its worker, or takes more than `cpu` seconds (the session's limit by default), yields an
        Outcome instead, and the job goes on behind it in a fresh worker. Raises LensError where the job is at fault.
        """
        done = start
        while done < items:
            worker = self._ready()
            worker.send({"job": job, "payload": payload, "start": done})
            first = done
            try:
                for index, result in self._results(worker, job, cpu, silence):
                    yield index, result
                    done = index + 1
                    if job in _PLAIN and done - first == self.limits.calls:
                        self.close()
                        break
                else:
                    if done < items:
                        raise LensError(f"sandbox job {job!r} ended at item {done} of {items}")
            except Fault as fault:
                self.close()
                if done < items:
                    yield done, fault.outcome
                    done += 1
            except BaseException:
                self.close()
                raise

    def _results(self, worker: Worker, job: str, cpu: float | None, silence: float | None) -> Iterator[tuple[int, Any]]:
        while True:
            message = self._received(worker, job, cpu, silence)
            match message:
                case [int(index), result]:
                    yield index, result
                case ["done"]:
                    return
                case ["crashed", about] if about["ours"]:
                    raise LensError(
                        f"sandbox job {job!r} failed: {about['type']}: {about['text']}\n  "
                        + "\n  ".join(about["where"])
                    )
                case ["crashed", about]:
                    detail = f"raised outside its call: {about['text']}"
                    raise Fault(Outcome("exception", about["type"], detail=detail))
                case _:
                    raise LensError(f"sandbox job {job!r} sent {message!r}")

    def _received(self, worker: Worker, job: str, cpu: float | None, silence: float | None) -> list[Any]:
        """The next message; how long it took, where it is one call's, goes into the patience."""
        first, self._new = self._new, False
        limits = self.limits
        more = limits.first if first else 0.0
        began = time.monotonic()
        try:
            message = worker.receive((cpu or limits.cpu) + more, silence or limits.silence)
        except Fault as fault:
            if job in _PLAIN and fault.outcome.status == "timeout":
                self.patience.timed_out(time.monotonic() - began)
            raise
        if job in _PLAIN and isinstance(message[0], int):
            seconds = time.monotonic() - began
            self.patience.answered(seconds, _cpu(job, message[1], seconds), first=first)
        return message

    @overload
    def evaluate(
        self, rows: Sequence[Row], *, thread: bool = ..., fresh: int = ..., watch: Literal[False] = ...
    ) -> list[Outcome]: ...
    @overload
    def evaluate(
        self, rows: Sequence[Row], *, thread: bool = ..., fresh: int = ..., watch: Literal[True]
    ) -> tuple[list[Outcome], list[Effects]]: ...

    def evaluate(
        self, rows: Sequence[Row], *, thread: bool = False, fresh: int = 0, watch: bool = False
    ) -> list[Outcome] | tuple[list[Outcome], list[Effects]]:
        """Outcome of every row, in order.

        thread  make each call in a new thread instead of the main one
        fresh   restart the worker after every `fresh` rows
        watch   also return what each call changed beside returning (slower: about 0.1 ms a row)

        After `limits.patience` rows in a row that ended or timed out, or five times as many time-outs in all, the rest
        are not asked: their outcome has the status "unasked".
        """
        outcomes: list[Outcome] = []
        effects: list[Effects] = []
        for chunk in _chunks(rows, fresh):
            payload = {"rows": [[row.response, row.gold, row.columns] for row in chunk], "thread": thread}
            results = self.run("watch" if watch else "rows", payload, len(chunk))
            for _, result in results:
                changed, plain = Effects(), result
                if watch and not isinstance(result, Outcome):
                    plain, names, detail = result
                    changed = Effects(tuple(names), detail)
                outcome = plain if isinstance(plain, Outcome) else Outcome(*plain)
                outcomes.append(outcome)
                effects.append(changed)
                self._faults = self._faults + 1 if isinstance(result, Outcome) else 0
                self._late += outcome.status == "timeout"
                if self._given_up:
                    results.close()
                    break
            if self._given_up:
                break
            if fresh:
                self.close()
        missing = len(rows) - len(outcomes)
        if missing:
            count = max(self._faults, self._late, self.patience.running)
            last = outcomes[-1].status if outcomes else "timeout"
            skipped = Outcome("unasked", last, detail=f"after {count} rows that ended or timed out")
            outcomes += [skipped] * missing
            effects += [Effects()] * missing
        return (outcomes, effects) if watch else outcomes

    @property
    def _given_up(self) -> bool:
        most = self.full.patience
        return max(self._faults, self.patience.running) >= most or self._late >= _LATE * most


def _cpu(job: str, result: Any, seconds: float) -> float:
    """CPU seconds of one call, from what a job of _PLAIN emits; `seconds` where the grader put something else there."""
    match job, result:
        case ("rows", [_, _, _, _, _, float(cpu)]) | ("watch", [[_, _, _, _, _, float(cpu)], _, _]):
            return cpu
        case "coverage", {"cpu": [float(plain), float(followed)]}:
            return plain + followed
    return seconds


def _chunks(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    """Slices that make one message each: bounded in rows and, roughly, in characters."""
    first, characters = 0, 0
    limit = size or _CHUNK_ROWS
    for number, row in enumerate(rows):
        if number > first and (number - first >= limit or characters > _CHUNK_CHARACTERS):
            yield rows[first:number]
            first, characters = number, 0
        characters += len(row.response if isinstance(row.response, str) else repr(row.response))
    if first < len(rows):
        yield rows[first:]
