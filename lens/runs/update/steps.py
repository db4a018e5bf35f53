"""The partition of every step of a range, from the Gram matrices that the record holds or a model gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lens.runs.gradients.grams import square
from lens.runs.update import partition

if TYPE_CHECKING:
    import duckdb

    from lens.runs.record import Range

STATES = {
    "read": "parted",
    "no-signal": "every advantage is zero: there is nothing to part",
    "reused": "its rollouts had been trained on before, so they are of an older policy",
    "clipped": "the trainer clipped importance ratios",
    "unverified": "nothing says that its rollouts are the policy's own, and no other gradient was taken to show it",
    "not-the-whole": "what its rollouts add to is not the gradient that was taken otherwise",
    "groups-unknown": "its rollouts could not be found in the record, so there is nothing to permute within",
    "incomplete": "the record lacks some of its rollouts, and the loss averages over all of them",
    "no-advantage": "an advantage wasn't recorded or isn't finite",
    "tokens-differ": "the recorded texts aren't the tokens that were sampled",
    "not-its-policy": "the model gives its rollouts other log-probabilities than were recorded",
    "not-the-logged": "the gradient isn't as long as the one that the trainer logged",
}


Advantages = dict[str, list[float | None]]
UNKNOWN = -2  # the group of a gradient whose rollout is not in the record


class Given(NamedTuple):
    """One step's inner products, as `lens.runs.gradients.grams` has them."""

    step: int
    row: list[int]
    advantage: np.ndarray
    gram: np.ndarray
    term: np.ndarray
    full_norm: float
    state: str = ""  # why it can't be parted, where that is known beforehand


def stored(database: duckdb.DuckDBPyConnection) -> Iterator[Given]:
    """The steps of a range's view `grams`, in step order, one in memory at a time."""
    found = database.cursor().execute(
        'SELECT step, "row", advantage, gram, term, full_norm FROM grams ORDER BY step, "row"'
    )
    while one := found.fetchone():
        step, row, advantage, gram, term, full_norm = one
        yield Given(
            step, row, np.asarray(advantage, float), square(gram), np.asarray(term or [], float), float(full_norm)
        )


def groups_of(database: duckdb.DuckDBPyConnection, rows: list[int], leaves: list[str]) -> dict[int, int]:
    """The groups of rollouts by `row`; -1 where no leaf scored one: its advantage is 0 by rule, so it has no part in a
    permutation."""
    scored = " OR ".join(f'"score.{leaf}" IS NOT NULL' for leaf in leaves) or "true"
    statement = f"""SELECT "row", CASE WHEN {scored} THEN "group" ELSE -1 END FROM rollouts
        WHERE "row" BETWEEN ? AND ?"""
    return dict(database.execute(statement, [min(rows, default=0), max(rows, default=0)]).fetchall())


def from_grams(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    *,
    leaves: list[str],
    plan: dict[str, Any] | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """The job over ranges; see `parted`. `plan` as `partition_edits.planned` makes it."""
    from lens.runs.update.edits import edited, prepare

    if plan is not None:
        prepare(database, plan)
    found = (
        (given, groups_of(database, given.row, leaves), edited(database, given.row) if plan is not None else {})
        for given in stored(database)
    )
    return list(parted(found, **options))


def parted(
    steps: Iterable[tuple[Given, dict[int, int], Advantages]],
    *,
    tolerance: float,
    period: int,
    base: int,
    known: bool,
    clipped: list[int],
    permutations: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """One dict a step: its `state`, and what `partition.split` and the permutations give where it was read.

    `period` steps share one generation, the first of them on its policy, counted from step `base`; `known` says that
    the settings tell a step apart from a reused one. A step comes with the groups of its rows, and the advantages they
    would have had under other rewards, by name.
    """
    seen: dict[int, int] = {}
    for given, group, others in steps:
        seen[given.step] = seen.get(given.step, -1) + 1
        rng = np.random.default_rng([seed, given.step, seen[given.step]])
        reused = known and (given.step - base) % period != 0
        made: dict[str, Any] = {"step": given.step, "rollouts": len(given.advantage)}
        if given.state:
            yield made | {"state": given.state, "error": None}
            continue
        split = _split(given)
        made["error"] = _error(given, split)
        groups = np.array([group.get(row, UNKNOWN) for row in given.row])
        made["state"] = _state(made["error"], split, groups, tolerance, reused, known, given.step in clipped)
        if made["state"] == "read" and split is not None:
            made |= _read(given, split, groups, rng, permutations)
            made["cosines"] = {name: _cosine(given, changed) for name, changed in others.items()}
        yield made


def _split(given: Given) -> partition.Split | None:
    if not np.any(given.advantage):
        return None
    return partition.split(factors(given.advantage, given.term), partition.extended(given.gram, given.term))


def factors(advantage: np.ndarray, term: np.ndarray) -> np.ndarray:
    return np.append(advantage, 1.0) if len(term) else advantage


def _error(given: Given, split: partition.Split | None) -> float | None:
    """How far the parts' sum is from the gradient that was taken otherwise, relative; None where nobody took it."""
    if not np.isfinite(given.full_norm):
        return None
    total = split.total if split else 0.0
    if given.full_norm == 0.0:
        return 0.0 if total == 0.0 else float("inf")
    return abs(total - given.full_norm) / given.full_norm


def _state(
    error: float | None,
    split: partition.Split | None,
    groups: np.ndarray,
    tolerance: float,
    reused: bool,
    known: bool,
    clipped: bool,
) -> str:
    if reused:
        return "reused"
    if clipped:
        return "clipped"
    if error is None and not known:
        return "unverified"
    if split is None:
        return "no-signal"
    if error is not None and error > tolerance:
        return "not-the-whole"
    return "groups-unknown" if (groups == UNKNOWN).any() or not _movable(groups) else "read"


def _movable(groups: np.ndarray) -> bool:
    """Whether any group has two rollouts to permute."""
    kept = groups[groups >= 0]
    return len(np.unique(kept)) < len(kept)


def _read(
    given: Given, split: partition.Split, groups: np.ndarray, rng: np.random.Generator, permutations: int
) -> dict[str, Any]:
    count = len(given.advantage)
    gram, with_term = partition.extended(given.gram, given.term), factors(given.advantage, given.term)
    fixed = np.append(groups, -1) if len(given.term) else groups
    others = partition.permuted(with_term, gram, fixed, rng, permutations)
    low, middle, high = np.nanquantile(others, [0.025, 0.5, 0.975])
    shares = split.projections[:count]
    return {
        "norm": split.total,
        "lengths": float(split.norms.sum()),
        "cancellation": split.cancellation,
        "orthogonal": split.orthogonal,
        "percentile": partition.rank(split.cancellation, others),
        "permuted-low": float(low),
        "permuted-median": float(middle),
        "permuted-high": float(high),
        "largest-share": float(np.abs(shares).max()),
        "against": int((shares < 0).sum()),
        "term-share": float(split.projections[count]) if len(given.term) else None,
        "each": {
            "row": list(given.row),
            "advantage": given.advantage.tolist(),
            "norm": split.norms[:count].tolist(),
            "share": shares.tolist(),
        },
    }


def _cosine(given: Given, changed: list[float | None]) -> float | None:
    """Cosine with the gradient that other advantages would have given; None where they leave nothing of it."""
    others = np.array([np.nan if one is None else one for one in changed])
    if not np.isfinite(others).all():
        return None
    gram = partition.extended(given.gram, given.term)
    found = partition.cosine(factors(given.advantage, given.term), factors(others, given.term), gram)
    return found if np.isfinite(found) else None
