"""Corpora of an audit: golds from a source, and from them, in the shape the contract pays, the named corpora.

    gold         every gold answered by itself
    crossed      every second gold answered with another one's answer
    variants     equal but not identical answers (label True), by every applicable invariant relation
    near-misses  different answers that look alike (label False)
    labelled     all of the above
    fuzz         answers put together at random, and golds with characters cut, doubled or exchanged
    exploits     the probes of the exploit battery
    rollouts     labelled real output, where a source has it

Every format has golds written by this project; `named` and `load` bring others, which get the same derived rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec import structs

from lens.canonical import file_digest
from lens.graders.corpus import Corpus, Row
from lens.graders.formats import Format, formats
from lens.graders.items import Item, Source, Variant, digest_of
from lens.graders.relations import Case, Relation, applicable
from lens.graders.shapes import Shape, find_slot
from lens.resource import resource

if TYPE_CHECKING:
    from lens.graders.audit import Audit
    from lens.graders.contract import Contract

LIMIT = 500  # distinct golds a relation is applied to
FUZZED = 400
TITLES = {
    "gold": "every gold answered by itself",
    "crossed": "every second gold answered with another one's answer",
    "variants": "equal but not identical answers",
    "near-misses": "different answers that look alike",
    "labelled": "gold, crossed, variants and near misses together",
    "fuzz": "answers put together at random",
    "exploits": "probes of the exploit battery",
    "rollouts": "labelled real output",
    "other-shapes": "different answers that look alike, in the other shapes that pay",
}


_KINDS = {"labelled": "variants", "other-shapes": "near-misses"}


@dataclass(frozen=True)
class Derived:
    """A row that a relation made, and the row it is compared with."""

    relation: Relation
    item: Item
    row: Row
    base: Row


def embedded(fmt: Format) -> Source:
    """The golds written by this project for a format: `data/corpora/<corpus>.jsonl`, a line a gold.

    Fields of a line: `gold`; where the oracle's answer isn't the gold's first, `answer`; `question`; `columns`.
    """
    return _embedded(fmt.name)


@cache
def _embedded(name: str) -> Source:
    fmt = formats()[name]
    path = resource(f"data/corpora/{fmt.corpus}.jsonl")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    items = tuple(
        Item(
            number,
            line["gold"],
            line["answer"] if "answer" in line else fmt.answers(line["gold"])[0],
            line.get("question", ""),
            line.get("columns", {}),
            own=True,
        )
        for number, line in enumerate(lines)
    )
    return Source(
        f"embedded-{fmt.corpus}", f"{fmt.title}: golds written by this project", file_digest(path),
        f"package:corpora/{fmt.corpus}.jsonl", "MIT", items, own=True,
    )  # fmt: skip


def source_of(audit: Audit) -> Source:
    """The golds of an audit: those it was given, or the embedded ones of its format."""
    from lens.graders.contract import format_of

    given = audit.source
    return given if given is not None and given.items else embedded(format_of(audit))


def fill(audit: Audit, source: Source | None = None, *, limit: int = LIMIT) -> None:
    """Find the contract and put every corpus into the audit, rendered in the contract's shape.

    `source` gives golds, labelled responses or both; golds it lacks are the embedded ones.
    """
    from lens.graders.contract import contract

    audit.source = source
    found = contract(audit)
    made = audit.remember(
        "derived", lambda: derive(found.format, found.rendering, source_of(audit), seed=audit.seed, limit=limit)
    )
    audit.corpora.update(default(found.format, found.rendering, source_of(audit), seed=audit.seed, derived=made))
    elsewhere = audit.remember("derived elsewhere", lambda: _elsewhere(found, source_of(audit), audit.seed))
    if elsewhere:
        rows = [one.row for one in elsewhere]
        audit.corpora["other-shapes"] = _corpus("other-shapes", rows, source_of(audit))
    if source is not None and source.rollouts:
        audit.corpora["rollouts"] = rollouts(source, found.rendering)


def default(
    fmt: Format,
    shape: Shape,
    source: Source | None = None,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    derived: Sequence[Derived] | None = None,
) -> dict[str, Corpus]:
    """The corpora made from the golds of `source` (the embedded ones without), by name."""
    source = source or embedded(fmt)
    if derived is None:
        derived = derive(fmt, shape, source, seed=seed, limit=limit)
    gold = [Variant(item.answer).row(item, shape, item.number, "identity", True) for item in source.items]
    made: dict[str, list[Row]] = {
        "gold": gold,
        "crossed": crossed(fmt, shape, source, seed),
        "variants": [one.row for one in derived if one.relation.direction == "invariant"],
        "near-misses": [one.row for one in derived if one.relation.direction != "invariant"],
        "fuzz": list(_fuzz(fmt, shape, source, seed)),
        "exploits": _exploits(fmt, shape, source, seed),
    }
    made["labelled"] = relabelled(made)
    return {name: _corpus(name, rows, source) for name, rows in made.items() if rows}


def relabelled(made: Mapping[str, Sequence[Row]]) -> list[Row]:
    """The rows of `labelled`, from those of the corpora it is put together from."""
    known = [row for name in ("gold", "crossed", "variants", "near-misses") for row in made.get(name, ())]
    return _renumbered(row for row in known if row.label is not None)


def derived(audit: Audit) -> list[Derived]:
    """The rows of `variants` and `near-misses` with the relation, item and base row of each, as `fill` made them."""
    return audit.remember("derived", lambda: _unfilled("derived"))


def derived_elsewhere(audit: Audit) -> list[Derived]:
    """The rows of `other-shapes`: must-change relations in the other shapes that pay."""
    return audit.remember("derived elsewhere", lambda: _unfilled("derived elsewhere"))


def derive(fmt: Format, shape: Shape, source: Source, *, seed: int = 0, limit: int = LIMIT) -> list[Derived]:
    """Every row that an applicable, non-policy relation makes; numbers count within `variants` and `near-misses`."""
    rules = [one for one in applicable(fmt, shape) if not one.policy]
    return _derive(rules, fmt, shape, source, seed, limit)


def derive_one(relation: Relation, fmt: Format, shape: Shape, source: Source, seed: int = 0) -> list[Derived]:
    """The rows one relation makes, over up to 24 golds."""
    from lens.graders.contract import PROBED

    return _derive([relation], fmt, shape, source, seed, PROBED)


def derive_policy(audit: Audit) -> list[Derived]:
    """Rows of the relations that are differences of contract, over up to 24 golds each."""
    from lens.graders.contract import PROBED, contract

    found = contract(audit)
    rules = [one for one in applicable(found.format, found.rendering) if one.policy]
    golds = audit.sized(PROBED, 1)
    return _derive(rules, found.format, found.rendering, source_of(audit), audit.seed, golds)


def _elsewhere(found: Contract, source: Source, seed: int) -> list[Derived]:
    from lens.graders.contract import PROBED

    made: list[Derived] = []
    for shape in found.also:
        rules = [one for one in applicable(found.format, shape) if one.direction == "must-change" and not one.policy]
        made += _derive(rules, found.format, shape, source, seed, PROBED)
    return [replace(one, row=structs.replace(one.row, number=number)) for number, one in enumerate(made)]


def _unfilled(what: str) -> list[Derived]:
    raise LookupError(f"no {what} rows: call lens.graders.corpora.fill(audit) before running instruments")


def _derive(
    rules: Sequence[Relation], fmt: Format, shape: Shape, source: Source, seed: int, limit: int
) -> list[Derived]:
    made: list[Derived] = []
    numbers = {True: 0, False: 0}
    for relation in rules:
        side = relation.direction == "invariant"
        for item, variant in relation.cases(fmt, shape, source.items, seed=seed, limit=limit):
            row = variant.row(item, shape, numbers[side], relation.name, relation.label)
            base = variant.base or Variant(item.answer, gold=variant.gold)
            if relation.pairs and variant.base is None:
                base = Variant(fmt.answers(item.gold)[0])
            numbers[side] += 1
            made.append(Derived(relation, item, row, base.row(item, shape, numbers[side] - 1, "base", None)))
    return made


def crossed(fmt: Format, shape: Shape, source: Source, seed: int = 0) -> list[Row]:
    """Even rows answered by themselves, odd ones with an answer to another question."""
    rows: list[Row] = []
    for place, item in enumerate(source.items):
        if place % 2 == 0:
            rows.append(Variant(item.answer).row(item, shape, place, "identity", True))
        elif fmt.crosses and (wrong := Case(item, fmt, shape, source.items, "crossed", seed).wrong()):
            rows.append(Variant(_answer_like(source, wrong[0])).row(item, shape, place, "crossed", False))
    return rows


def rollouts(source: Source, shape: Shape) -> Corpus:
    """Real responses. One whose marked answer is known is marked again in `shape`; any other stays as it came, save
    that a grader of bare answers is shown the answer a usual mark encloses."""
    rows = []
    for one in source.rollouts:
        response: str = one.body
        answer = one.answer
        if answer is not None:
            response = shape.mark(answer) if not shape.has_slot else f"{one.body}\n{shape.mark(answer)}"
        elif shape.family == "bare":
            found = find_slot(one.body)
            response = answer = one.body if found is None else found
        else:
            answer = shape.slot(one.body) if isinstance(one.body, str) else None
        rows.append(
            Row(
                one.number,
                response,
                shape.dressed(one.gold),
                one.label,
                answer,
                one.cluster,
                "rollout",
                dict(one.columns),
            )
        )
    return _corpus("rollouts", rows, source)


def named(name: str, shared: Any) -> Source:
    """A published corpus by name, read under the shared folder. Raises UsageError with the names there are."""
    from lens.graders.sources import read

    return read(name, shared)


def load(path: Any, fmt: Format | None) -> Source:
    """Golds or labelled responses from a file of yours, for a format or for the one its golds look like."""
    from lens.graders.corpus_file import load as from_file

    return from_file(path, fmt)


def _corpus(name: str, rows: Iterable[Row], source: Source) -> Corpus:
    kept = tuple(rows)
    kind: Any = _KINDS.get(name, name)
    locator = source.locator if name == "rollouts" else f"derived from {source.locator} sha256:{source.digest}"
    return Corpus(
        name, kind, f"{TITLES[name]}, from {source.title}", kept,
        source.digest if name == "rollouts" else digest_of(kept), locator, source.licence, {"source": source.name},
    )  # fmt: skip


def _renumbered(rows: Iterable[Row]) -> list[Row]:
    """Distinct rows, numbered in order."""
    distinct = {row.digest: row for row in rows}
    return [structs.replace(row, number=number) for number, row in enumerate(distinct.values())]


def _answer_like(source: Source, text: str) -> Any:
    """The answer object of the source whose text is `text` (answers that are no text keep their type)."""
    return next((item.answer for item in source.items if str(item.answer) == text), text)


def _fuzz(fmt: Format, shape: Shape, source: Source, seed: int) -> Iterable[Row]:
    if not fmt.tokens or not source.items:
        return
    random = Random(f"fuzz/{seed}/{fmt.name}")
    for number in range(FUZZED):
        item = random.choice(source.items)
        if number % 2 or not isinstance(item.answer, str):
            text = "".join(random.choices(fmt.tokens, k=random.randint(1, 8)))
        else:
            text = _mutilated(item.answer, random)
        yield Variant(text).row(item, shape, number, "fuzz", None)


def _mutilated(text: str, random: Random) -> str:
    """One to three characters cut, doubled or exchanged with their neighbour."""
    letters = list(text)
    for _ in range(random.randint(1, 3)):
        if not letters:
            break
        place = random.randrange(len(letters))
        match random.randrange(3):
            case 0:
                del letters[place]
            case 1:
                letters.insert(place, letters[place])
            case _:
                other = min(place + 1, len(letters) - 1)
                letters[place], letters[other] = letters[other], letters[place]
    return "".join(letters)


def _exploits(fmt: Format, shape: Shape, source: Source, seed: int) -> list[Row]:
    from lens.graders.exploits import probes

    return [probe.row for probe in probes(fmt, shape, source, seed=seed)]
