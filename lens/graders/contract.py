"""The contract of a grader, found by asking: in which shape does the oracle's own answer earn the most?

Everything that renders rows renders them in that shape, and "accepted" always means: earned what the oracle earns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.graders.corpus import Row
from lens.graders.formats import Format, formats, guess
from lens.graders.items import Item, Source, Variant
from lens.graders.outcome import Outcome
from lens.graders.shapes import Shape
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.graders.audit import Audit

OUTCOMES = "outcomes of rows"  # where an audit remembers them
PROBED = 24  # golds rendered in every shape
HASTE = 0.15  # of the seconds that a strained audit may wait: what finding the contract may take
TIE_RULES = (
    "plus-sign",
    "trailing-zeros",
    "outer-space",
    "thousands-separator",
    "fraction-size",
    "unit-swap",
    "letter-case",
)


@dataclass(frozen=True)
class Tried:
    """One shape: how many oracle renderings earned the ceiling, of how many."""

    shape: Shape
    paid: int
    of: int


@dataclass(frozen=True)
class Contract:
    """What was found. `shape` is None where the oracle earned nothing in any shape; `ceiling` is the score the
    oracle earns there (without a shape, what real responses labelled right usually earn, where there are any),
    `floor` the usual score of a wrong answer in the same shape."""

    format: Format
    shape: Shape | None
    ceiling: float | None
    floor: float | None
    tried: tuple[Tried, ...]
    returns: str
    oracle: tuple[Outcome, ...]
    wrong: tuple[Outcome, ...]
    rows: tuple[Row, ...]  # the oracle's, in `shape`
    plain: tuple[Outcome, ...]  # the oracle's with golds as they are, where `shape` encloses them

    @property
    def paid(self) -> int:
        """Golds whose own answer earned the ceiling, in the chosen shape."""
        return sum(self.accepts(one) for one in self.oracle)

    @property
    def also(self) -> tuple[Shape, ...]:
        """Up to two more shapes that pay the oracle as often, each of another family: what must not be paid must not
        be paid there either."""
        if self.shape is None:
            return ()
        paid = {(one.shape.name, one.shape.dress): one.paid for one in self.tried}
        most, families, found = paid[self.shape.name, self.shape.dress], {self.shape.family}, []
        for one in self.tried:
            if one.paid == most and one.shape.family not in families and one.shape.has_slot:
                families.add(one.shape.family)
                found.append(one.shape)
        return tuple(found[:2])

    @property
    def rendering(self) -> Shape:
        """The shape rows are written in: the one that pays or, where none does, the format's first."""
        return self.shape or self.format.candidates[0]

    def accepts(self, outcome: Outcome) -> bool:
        """Whether an outcome earned what the oracle earns."""
        score = outcome.score
        return self.ceiling is not None and score is not None and score >= self.ceiling - 1e-9

    def refusal(self, what: str) -> Declined | None:
        """The decline of a rate that needs a paid oracle; None where there is one."""
        if self.shape is not None:
            return None
        missing = sorted({one.type for one in self.oracle if one.status == "placeholder"})
        if missing:
            return Declined(
                "assumption_violated",
                f"the grader calls {', '.join(missing)}, which isn't installed: a placeholder stands for it",
                f"pip install {missing[0].split('.')[0]} beside lens, or put the module beside the grader's file; "
                "then measure again",
                needs=", ".join(missing),
                has="placeholders",
            )
        late = sum(not one.answered for one in self.oracle)
        return Declined(
            "assumption_violated",
            f"{what} needs a response that earns something: the right answer earned nothing in any of "
            f"{len(self.tried)} known shapes" + f" ({late} of {len(self.oracle)} calls timed out)" * bool(late),
            "write the call the grader expects into a file, `def reward(response, gold): ...`, and run "
            "`lens measure grader FILE.py:reward`",
            needs="an answer shape that the grader pays",
            has=f"{len(self.tried)} shapes tried over {len(self.oracle)} golds",
        )


def contract(audit: Audit) -> Contract:
    """The grader's contract, found once an audit."""
    return audit.remember("contract", lambda: _found(audit))


def declared_format(audit: Audit) -> Format | None:
    """The answer format the subject's adapter names; None where nobody named one."""
    name = audit.subject.adapter.answer
    if name and name not in formats():
        raise UsageError(
            f"{audit.subject.slug} names the answer format {name!r}", remedy=f"one of {', '.join(formats())}"
        )
    return formats()[name] if name else None


def format_of(audit: Audit) -> Format:
    """The answer format of the audit: the declared one, else the one the given golds look like, else the one whose
    embedded golds earn the most."""
    if (declared := declared_format(audit)) is not None:
        return declared
    if audit.source is not None and audit.source.items:
        return formats()[guess([item.gold for item in audit.source.items])]
    return audit.remember("format", lambda: _likeliest(audit))


def _likeliest(audit: Audit) -> Format:
    from lens.graders import corpora

    general = [fmt for fmt in formats().values() if fmt.traits & {"number", "words"}]
    found = [_discover(audit, fmt, corpora.embedded(fmt), least=1) for fmt in general]
    return max(
        found,
        key=lambda one: (
            one.shape is not None,
            one.paid / max(1, sum(each.answered for each in one.oracle)),
            len(one.tried),
        ),
    ).format


def evaluate(audit: Audit, rows: Sequence[Row]) -> list[Outcome]:
    """Outcome of every row, for the reading now being made; each distinct row is asked once an audit."""
    given = ask(audit, rows)
    audit.heed(given)
    return given


def ask(audit: Audit, rows: Sequence[Row]) -> list[Outcome]:
    """Outcome of every row, each distinct row asked once an audit."""
    known = asked_before(audit)
    keys = [row.asked for row in rows]
    fresh = {key: row for key, row in zip(keys, rows, strict=True) if key not in known}
    if fresh:
        known.update(zip(fresh, audit.evaluate(list(fresh.values())), strict=True))
    return [known[key] for key in keys]


def outcomes(audit: Audit, name: str) -> list[Outcome]:
    """Outcomes over a named corpus of the audit, which is noted as an input."""
    return evaluate(audit, audit.corpus(name).rows)


def spread(items: Sequence[Item], count: int) -> list[Item]:
    """`count` items evenly spaced over the distinct golds, in order."""
    distinct = list({item.cluster: item for item in items}.values())
    step = max(1, len(distinct) // count)
    return distinct[::step][:count]


def asked_before(audit: Audit) -> dict[bytes, Outcome]:
    """What came of every question asked in this audit; see Row.asked."""
    return audit.remember(OUTCOMES, dict)


def _found(audit: Audit) -> Contract:
    from lens.graders import corpora

    source = corpora.source_of(audit)
    audit.used["golds"] = source.as_input()
    return _discover(audit, format_of(audit), source)


def _discover(audit: Audit, fmt: Format, source: Source, least: int = 3) -> Contract:
    items = spread(source.items, PROBED)
    shapes = fmt.candidates
    oracle = [
        [Variant(item.answer).row(item, shape, item.number, "identity", True) for item in items] for shape in shapes
    ]
    given = _in_rounds(audit, oracle, least)
    items, oracle = items[: len(given[0])], [rows[: len(given[0])] for rows in oracle]
    asked = [one for some in given for one in some]
    ceiling = max((score for one in asked if (score := one.score) is not None), default=None)
    tried = tuple(
        Tried(shape, _paid(some, ceiling), sum(one.answered for one in some))
        for shape, some in zip(shapes, given, strict=True)
    )
    best = _best(audit, fmt, items, tried, ceiling)
    at = shapes.index(best) if best else 0
    missed = ask(audit, _crossed(items, shapes[at]) if fmt.crosses else [])
    floor = _usual(missed)
    if best is None or (ceiling is not None and floor is not None and floor >= ceiling):
        real = _paid_output(
            audit, audit.source
        )  # right and wrong earn the same in known shapes: perhaps not in its own
        if real is not None or ceiling is None or ceiling <= 0:
            best, ceiling = None, real
    bare = next(place for place, shape in enumerate(shapes) if shape.name == shapes[at].name)  # its golds as they are
    return Contract(
        fmt, best, ceiling, floor, tried, _types([*given[at], *missed]), tuple(given[at]),
        tuple(missed), tuple(oracle[at]), tuple(given[bare]),
    )  # fmt: skip


def _in_rounds(audit: Audit, oracle: Sequence[Sequence[Row]], least: int) -> list[list[Outcome]]:
    """Outcomes of each shape's rows, gold by gold: all golds, or as many as a strained audit has time for here."""
    golds = len(oracle[0])

    def asked(upto: int) -> list[list[Outcome]]:
        flat = ask(audit, [rows[at] for at in range(upto) for rows in oracle])
        return [flat[at :: len(oracle)] for at in range(len(oracle))]

    known = asked_before(audit)
    given = asked(min(1, golds))
    for upto in range(2, golds + 1):
        if not audit.patience.strained:
            return asked(golds)
        if audit.patience.running >= audit.subject.limits.patience:
            break
        over = audit.patience.spent > HASTE * audit.wait
        if over and upto > least and any(rows[upto - 1].asked not in known for rows in oracle):
            break
        given = asked(upto)
    return given


def _crossed(items: Sequence[Item], shape: Shape) -> list[Row]:
    """Each gold answered with another item's answer."""
    return [
        Variant(other.answer).row(item, shape, item.number, "crossed", False)
        for item, other in zip(items, [*items[1:], *items[:1]], strict=True)
        if other.answer != item.answer
    ]


def _paid(given: Iterable[Outcome], ceiling: float | None) -> int:
    return sum(one.score is not None and ceiling is not None and one.score >= ceiling - 1e-9 for one in given)


def _best(
    audit: Audit, fmt: Format, items: Sequence[Item], tried: Sequence[Tried], ceiling: float | None
) -> Shape | None:
    """The shape that pays the oracle most often; among equals the one that pays most other spellings, then the
    format's likeliest. A grader with a lenient and a strict reading is audited in the lenient one."""
    most = max(one.paid for one in tried)
    if most == 0 or ceiling is None:
        return None
    ties = [one.shape for one in tried if one.paid == most]
    if len(ties) == 1 or audit.patience.strained:
        return ties[0]
    from lens.graders.relations import applicable

    asked = [
        [
            variant.row(item, shape, 0, relation.name, None)
            for relation in applicable(fmt, shape)
            if relation.name in TIE_RULES
            for item, variant in relation.cases(fmt, shape, items)
        ]
        for shape in ties
    ]
    ask(audit, [row for rows in asked for row in rows])
    paid = [_paid(ask(audit, rows), ceiling) for rows in asked]
    return ties[paid.index(max(paid))]


def _paid_output(audit: Audit, source: Source | None) -> float | None:
    """What real responses labelled right usually earn, as they came, where wrong ones usually earn less."""
    usual = {}
    for label in (True, False):
        some = [one for one in (source.rollouts if source else ()) if one.label is label][:PROBED]
        rows = [
            Row(one.number, one.body, one.gold, label, columns=dict(one.columns)) for one in some if one.answer is None
        ]
        usual[label] = _usual(ask(audit, rows)) if rows else None
    right, wrong = usual[True], usual[False]
    return right if right is not None and (right > 0 if wrong is None else right > wrong) else None


def _usual(given: Iterable[Outcome]) -> float | None:
    scores = Counter(one.score for one in given if one.score is not None)
    return min(scores, key=lambda score: (-scores[score], score)) if scores else None


def _types(given: Iterable[Outcome]) -> str:
    """The return types seen, or what happened instead, most frequent first."""
    seen = Counter(
        (one.type or type(one.value).__name__) if one.status == "value" else f"{one.status} {one.type}".strip()
        for one in given
        if one.status != "unasked"
    )
    return ", ".join(name for name, _ in sorted(seen.items(), key=lambda pair: (-pair[1], pair[0])))
