"""A smaller audit of a grader that hangs or is slow: seeded samples, sized to the seconds that may be waited.

Every corpus is cut to a sample of its rows, drawn relation by relation in turn, and instruments that ask rows
again ask fewer, down to a least size each. Readings say what they are a sample of, and why.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from random import Random
from typing import TYPE_CHECKING

from lens.graders.corpus import Corpus, Row
from lens.graders.items import digest_of
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.graders.audit import Audit

LEAST = {"variants": 20, "near-misses": 16, "exploits": 16, "rollouts": 24}  # rows; of any other corpus 10
_STEPS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # so that a slightly slower machine draws the same sample
_BESIDE = (4000, 220)  # calls beside the rows of corpora: of a whole audit, and of the least
_COMPANIONS = 1.4  # calls a row, with the row it is compared with


@dataclass(frozen=True)
class Thinned:
    """`part` is how far from the least sizes (0) to the whole ones (1) samples are; `each` seconds a call is expected
    to take; `why` the audit is thinned; `kept` the rows of each cut corpus, of how many."""

    part: float
    each: float
    why: str
    kept: dict[str, tuple[int, int]]

    @property
    def words(self) -> str:
        drawn = ", ".join(f"{kept} of {rows} rows of {name}" for name, (kept, rows) in self.kept.items())
        return f"a seeded sample, since {self.why}: {drawn or 'fewer rows asked again'}"


def thin(audit: Audit) -> None:
    """Cut the corpora of a strained audit, once they are filled; nothing where the whole fits."""
    if not audit.patience.strained:
        return
    corpora = {name: audit.corpora[name] for name in audit.apart()}
    each = audit.patience.each
    whole = _calls((len(one.rows) for one in corpora.values()), _BESIDE[0])
    least = _calls((_least(one) for one in corpora.values()), _BESIDE[1])
    affordable = max(0.0, audit.wait - audit.patience.spent) / each
    share = (affordable - least) / max(whole - least, 1)
    part = max(step for step in _STEPS if step <= max(share, 0.0))
    golds = {row.cluster for row in _sample(corpora["gold"], audit.seed, part).rows} if "gold" in corpora else set()
    cut = {name: _sample(one, audit.seed, part, golds) for name, one in corpora.items()}
    kept = {name: (len(cut[name].rows), len(one.rows)) for name, one in corpora.items() if cut[name] is not one}
    audit.corpora.update(cut)
    _gather(audit)
    audit.thinned = Thinned(part, each, audit.patience.why, kept)


def dear(audit: Audit, calls: int) -> Declined:
    """The decline of a field whose calls can't be fewer."""
    assert audit.thinned is not None
    seconds = calls * audit.thinned.each
    return Declined(
        "budget_exceeded",
        f"{calls:,} calls would take about {seconds:.0f} s, since {audit.thinned.why}",
        f"lens measure grader {audit.subject.spec} --wait {2 * seconds + audit.wait:.0f}",
        needs=f"{seconds:.0f} seconds of waiting",
        has=f"{audit.wait:g} for the whole audit",
    )


def hung(audit: Audit) -> Declined:
    """The decline of a field that asked so many calls in vain that it stopped asking."""
    return Declined(
        "assumption_violated",
        f"no row was answered often enough to compare: {audit.late} of {audit.heard} calls timed out",
        "failure-semantics says how it fails; let it return a score for `response` and `gold` in a second or two",
        needs="a grader that answers",
    )


def sized(full: int, least: int, part: float) -> int:
    return min(full, least + int((full - least) * part))


def _calls(rows: Iterable[int], beside: int) -> float:
    return _COMPANIONS * sum(rows) + beside


def _least(corpus: Corpus) -> int:
    return min(len(corpus.rows), LEAST.get(corpus.name, 10))


def _sample(corpus: Corpus, seed: int, part: float, golds: Collection[str] = ()) -> Corpus:
    count = sized(len(corpus.rows), _least(corpus), part)
    if count == len(corpus.rows):
        return corpus
    rows = draw(corpus.rows, count, seed, golds)
    source = corpus.source_digest if corpus.name == "rollouts" else digest_of(rows)
    return replace(corpus, rows=rows, source_digest=source)


def draw(rows: Sequence[Row], count: int, seed: int, golds: Collection[str] = ()) -> tuple[Row, ...]:
    """`count` of the rows in their order: a seeded draw from each relation in turn, so that none is left out early,
    rows of the given golds before others: what they are compared with is asked anyway."""
    by_relation: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_relation.setdefault(row.relation if row.relation != "crossed" else "identity", []).append(place)
    for places in by_relation.values():
        Random(f"thin/{seed}").shuffle(places)
        places.sort(key=lambda place: rows[place].cluster not in golds)
    turns = (place for turn in zip_longest(*by_relation.values()) for place in turn if place is not None)
    return tuple(rows[place] for place in sorted(place for place, _ in zip(turns, range(count), strict=False)))


def _gather(audit: Audit) -> None:
    """What was put together from the corpora, put together again from what is left of them."""
    from lens.graders.corpora import relabelled

    if "labelled" in audit.corpora:
        rows = relabelled({name: audit.corpora[name].rows for name in audit.corpora})
        audit.corpora["labelled"] = replace(
            audit.corpora["labelled"], rows=tuple(rows), source_digest=digest_of(tuple(rows))
        )
    kept = {name: set(map(id, corpus.rows)) for name, corpus in audit.corpora.items()}
    everyone = set().union(*kept.values())
    for key in ("derived", "derived elsewhere"):
        made, used, noted = audit.memo[key]
        audit.memo[key] = ([one for one in made if id(one.row) in everyone], used, noted)
