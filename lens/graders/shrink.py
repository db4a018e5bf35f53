"""Violations in their smallest form: the shortest question that breaks a relation, on text that may be shown if any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lens.graders import corpora
from lens.graders.contract import Contract, evaluate
from lens.graders.items import Item, Source
from lens.graders.outcome import Outcome
from lens.graders.relations import Relation

if TYPE_CHECKING:
    from lens.graders.audit import Audit
    from lens.graders.corpora import Derived


def breaks(found: Contract, relation: Relation, base: Outcome, got: Outcome) -> bool:
    """Whether what the changed row earned, `got`, breaks the relation to what its `base` earned."""
    if relation.direction == "must-change":
        return found.accepts(base) and found.accepts(got)
    if relation.direction == "monotone":
        return got.score is not None and got.score > (base.score or 0.0) + 1e-9
    if base.score is None or got.score is None:
        return base.verdict != got.verdict
    return abs(base.score - got.score) > 1e-9


def smallest(audit: Audit, found: Contract, broken: Mapping[str, Sequence[Derived]]) -> dict[str, tuple[Derived, str]]:
    """For every relation that some row breaks, the shortest such row and what it earned.

    Looked for among the format's simplest golds, then among this project's own, then in the corpus at hand (there
    alone where the audit is thinned); all candidates are asked in one session.
    """
    relations = {name: rows[0].relation for name, rows in broken.items() if rows}
    tried = {
        name: [
            corpora.derive_one(relation, found.format, found.rendering, golds, audit.seed)
            for golds in (_seeds(found), corpora.embedded(found.format))
            if audit.thinned is None and not relation.pairs and relation.applies(found.format, found.rendering)
        ]
        for name, relation in relations.items()
    }
    evaluate(
        audit, [row for stages in tried.values() for stage in stages for one in stage for row in (one.base, one.row)]
    )
    chosen = {}
    for name, relation in relations.items():
        stages = [_broken(audit, found, relation, stage) for stage in tried[name]]
        best = min(next((stage for stage in stages if stage), list(broken[name])), key=_size)
        base, got = evaluate(audit, [best.base, best.row])
        chosen[name] = (best, f"{earned(got)} after {earned(base)}")
    return chosen


def earned(outcome: Outcome) -> str:
    """What a call came to, in a word or two."""
    if outcome.status != "value":
        return f"{outcome.status} {outcome.type}".strip()
    return "no score" if outcome.score is None else f"{outcome.score:g}"


def _broken(audit: Audit, found: Contract, relation: Relation, rows: Sequence[Derived]) -> list[Derived]:
    outcomes = evaluate(audit, [row for one in rows for row in (one.base, one.row)])
    pairs = zip(rows, outcomes[::2], outcomes[1::2], strict=True)
    return [one for one, base, got in pairs if base.answered and got.answered and breaks(found, relation, base, got)]


def _size(one: Derived) -> tuple[int, int]:
    return len(str(one.row.response)), one.row.number


def _seeds(found: Contract) -> Source:
    fmt = found.format
    items = tuple(Item(number, gold, fmt.answers(gold)[0], own=True) for number, gold in enumerate(fmt.seeds))
    return Source("seeds", "the format's simplest golds", "", "", "MIT", items, own=True)
