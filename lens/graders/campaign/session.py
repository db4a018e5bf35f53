"""Sandbox sessions of a campaign, run where the engine says: a batch of mutants, and one mutant alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lens.graders.outcome import Outcome

if TYPE_CHECKING:
    from lens.graders.sandbox.session import Session
    from lens.graders.subject import GraderSubject

UNFINISHED = -2  # the row that ended the worker isn't known yet
Payload = dict[str, Any]  # see lens/graders/sandbox/jobs/mutants.py


class Met(NamedTuple):
    """One mutant over one corpus: the first row that differs (-1: none), calls made, and how: `survived`, `killed`,
    `timeout`, or the status of the outcome that ended the worker."""

    first: int
    calls: int
    status: str


def batch(item: tuple[GraderSubject, int, Payload]) -> dict[str, Any]:
    """One session: {"differ": rows, "met": [[first, calls, status], ...], "codes": [...]}, the corpora of each mutant
    together, and for each mutant what it compiles to: a number, `same`, `invalid`, or None where it ended its worker.

    A mutant that ends its worker is left at that: its other corpora are UNFINISHED too.
    """
    subject, seed, sent = item
    corpora = len(sent["orders"])
    met: list[list[Any]] = []
    codes: list[Any] = []
    start, items = 0, 1 + len(sent["mutants"]) * corpora
    with _session(subject, seed) as session:
        while start < items:
            results = session.run("mutants", sent, items, start=start, cpu=sent["cpu"], silence=sent["silence"])
            start = items
            for index, result in results:
                if index < 1 or result is None:
                    if differ := _differ(result):
                        results.close()
                        return {"differ": differ, "met": [], "codes": []}
                    continue
                if (index - 1) % corpora == 0:
                    codes.append(None if isinstance(result, Outcome) else result["code"])
                if isinstance(result, Outcome):
                    start = 1 + corpora * ((index - 1) // corpora + 1)
                    met += [[UNFINISHED, 0, result.status]] * (start - index)
                    results.close()
                    break
                met.append(_met(result))
    return {"differ": [], "met": met, "codes": codes}


def alone(item: tuple[GraderSubject, int, Payload, list[int]]) -> list[list[Any]]:
    """One mutant in a session of its own, over each of the given corpora row by row: [first, calls, status] of each."""
    subject, seed, sent, corpora = item
    known: dict[int, str] = {}
    found: list[list[Any]] = []
    with _session(subject, seed) as session:
        for corpus in corpora:
            order = sent["orders"][corpus]
            calls = _ask(session, sent, order, sent["limits"][corpus], known)
            first = next((row for row in order if known.get(row, "survived") != "survived"), -1)
            found.append([first, calls, known.get(first, "survived")])
    return found


def _ask(session: Session, sent: Payload, order: list[int], limit: float, known: dict[int, str]) -> int:
    """Ask rows not asked yet, each as a corpus of its own, up to the first that differs; calls made."""
    rows = []
    for row in dict.fromkeys(order):
        if known.get(row, "survived") != "survived":
            break
        if row not in known:
            rows.append(row)
    one_each = {**sent, "orders": [[row] for row in rows], "limits": [limit] * len(rows)}
    results = session.run("mutants", one_each, 1 + len(rows), start=1, cpu=sent["cpu"], silence=sent["silence"])
    calls, spent = 0, 0.0
    for index, result in results:
        if result is None or index < 1:
            continue
        _, made, known[rows[index - 1]] = _met(result)
        calls += max(made, 1)
        spent += 0.0 if isinstance(result, Outcome) else result["cpu"]
        if spent > limit:
            known[rows[index - 1]] = "timeout"
        if known[rows[index - 1]] != "survived":
            results.close()
            break
    return calls


def _session(subject: GraderSubject, seed: int) -> Session:
    from lens.graders.sandbox.session import Session

    return Session(subject, seed=seed)


def _differ(result: Any) -> list[int]:
    """What the replay found; nothing in a sign of life."""
    if isinstance(result, Outcome):
        return [-1]
    return list(result["differ"]) if result else []


def _met(result: Any) -> list[Any]:
    if isinstance(result, Outcome):
        return [UNFINISHED, 0, result.status]
    status = "timeout" if result["slow"] else "killed" if result["first"] >= 0 else "survived"
    return [result["first"], result["calls"], status]
