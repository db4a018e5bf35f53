"""Published figures beside ours: which readings of a store measure what somebody published, and how the two stand.

A table a kind of subject: the published figure's name, the fields that measure the same, and the words they need.
`{p}` in a name stands for a part: a dimension, a domain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup

from lens.reading import Declined, Label, Quantity, Quote
from site_builder.lookup import parse

if TYPE_CHECKING:
    from site_builder.lookup import Lookup
    from site_builder.writer import Writer

_CITED = re.compile(r"[^\s()|,=]+#[^\s()|,]+")  # the fields in a reference, derived or plain
State = Literal["measured", "recomputed", "declined", "reported"]


@dataclass(frozen=True)
class Way:
    """One way to the same quantity.

    `cites` are `instrument#field|format`, sums of them (`= ...`), or facts of the subject (`@read`). A way over `parts`
    works on what others published of every part; one to `other` names the figure under which another source prints it.
    """

    words: str = "{}"
    cites: tuple[str, ...] = ()
    parts: str = ""
    other: str = ""
    aside: bool = False  # near it and not the same quantity: it says nothing of how the figure stands


@dataclass(frozen=True)
class Piece:
    """Part of what stands beside a published figure: words with a place for each reference, or one decline."""

    words: str = ""
    refs: tuple[str, ...] = ()
    declined: str = ""
    aside: bool = False


def _way(*cites: str, words: str = "{}") -> Way:
    return Way(words, cites)


def _near(*cites: str, words: str = "{}, another quantity") -> Way:
    return Way(words, cites, aside=True)


_GRADERS: dict[str, tuple[Way, ...]] = {
    "mutants-killed": (_way("kill-matrix#gold.killed", words="{} by gold answers"),),
    "branches-never-taken": (_way("branch-coverage#gold.taken", words="{} taken"),),
    "grader-calls": (_near("kill-matrix#calls", words="{} for the mutants"),),
    "metamorphic-violations": (_way("metamorphic#violated", words="{} relations broken"),),
    "coverage": (_way("branch-coverage#gold.taken", words="{} taken"),),
    "coverage-random-sample": (
        _way(
            "branch-coverage#gold.pool-low|k",
            "branch-coverage#gold.pool-high",
            words="{} to {} taken by as many rows of other corpora",
        ),
    ),
    "fields-read-full": (_way("@read", words="{} instruments"),),
    "fields-read-log": (_way("@read-log", words="{} instruments"),),
}
_ROWS = ("preference#accuracy", "preference#accuracy|pct")
_MODELS: dict[str, tuple[Way, ...]] = {
    "accuracy": (_way(*_ROWS, words="{}, {}"),),
    "accuracy.{p}": (_way("preference#part.{p}", "preference#part.{p}|pct", words="{}, {}"),),
    "faithfulness": (
        Way("{}, the mean of the dimensions as published", ("= mean(...) | d6",), parts="faithfulness"),
        _way("faithfulness#rho-pair", words="{} over our pairs"),
    ),
    "faithfulness.{p}": (_way("faithfulness#{p}.rho-pair", words="{} over our pairs"),),
    "faithfulness-below-zero": (
        Way("{} of the dimensions as published", ("= negatives(...)",), parts="faithfulness"),
        _way("faithfulness#rho-pair", words="{} over our pairs"),
    ),
    "crystallization": (
        Way("{}, the mean of the dimensions as published", ("= mean(...) | d6",), parts="crystallization"),
        _way("crystallization#own.depth", words="{} of the depth over our pairs"),
    ),
    "crystallization.{p}": (_way("crystallization#own.depth", words="{} of the depth over our pairs"),),
    "pair.crystallization": (_way("crystallization#own.depth", words="{} of the depth over our pairs"),),
    "pair.mlp-{p}": (_way("attribution#mlp", words="{} by all MLPs together, over our pairs"),),
    "pair.{p}": (_way("preference#margin.mean", words="margin of {} over our pairs"),),
    "top-head.{p}": (_way("patching#noising.head.effect", words="{} by the strongest head, over our pairs"),),
    "head-{h}.{p}": (
        Way(other="top-head.{p}"),
        _way("patching#noising.head.effect", words="{} by the strongest head, over our pairs"),
    ),
    "largest-over-margin": (_way("patching#noising.component.share", words="{} of the margin over our pairs"),),
}
_RUNS: dict[str, tuple[Way, ...]] = {
    "leaves": (_way("score-tree#leaves"),),
    "leaf-minimum": (_way("score-tree#low|d2"),),
    "leaf-maximum": (_way("score-tree#high|d2"),),
    "leaf-values": (_way("score-tree#length-reward.scored"),),
    "rollouts": (_way("coverage#rollouts"),),
    "abstained": (_way("score-tree#abstained"),),
    "drawn-score-tree": (_way("coverage#rollouts", words="all {} counted, none drawn one by one"),),
    "advantage-minimum": (_way("advantages#low|d6"),),
    "advantage-maximum": (_way("advantages#high|d6"),),
    "exactly-zero": (_way("advantages#zero"),),
    "drawn-selection": (_way("selection#rollouts", "coverage#rollouts", words="{} of {}, at an even stride"),),
    "steps": (_way("coverage#steps"), _way("alarms#horizon")),
    "rollouts-a-step": (_way("= coverage#rollouts / coverage#steps | d0"),),
    "clipped-norm-minimum": (_way("gradient-norm#pre-clip.min|d6", words="{}, before clipping"),),
    "clipped-norm-maximum": (_way("gradient-norm#pre-clip.max|d6", words="{}, before clipping"),),
    "drawn-update": (_way("gradient-norm#logged", words="{} read, drawn at an even stride"),),
    "cancels": (_way("update-partition#cancellation.median", words="{} in the median step"),),
    "floor": (_near("policy-response#floor.step"),),
    "prediction": (_near("policy-response#predicted.step|sci2"),),
    "floor-over-prediction": (_near("policy-response#floor-over-predicted|s2"),),
    "budget-computed": (_way("policy-response#budget.computed"),),
    "budget-absent": (_way("policy-response#budget.absent"),),
    "transition-midpoint": (_way("transition#exploits.midpoint"),),
    "transition-width": (_way("transition#exploits.width"),),
    "promoted-alarm": (_way("alarms#reproduce.central.alarm"),),
    "promoted-on-surrogates": (
        _way("alarms#reproduce.central.rate", "alarms#reproduce.central.rate|pct1", words="{}, {}"),
    ),
    "level-alarm": (_way("alarms#reproduce.level.alarm"),),
    "level-on-surrogates": (_way("alarms#reproduce.level.rate", "alarms#reproduce.level.rate|pct1", words="{}, {}"),),
    "two-thirds": (_way("alarms#reproduce.level.rate|pct1", words="{} of the level signal"),),
    "gradient-norm-peak": (
        _way("markers#gradient-norm.peak", "transition#exploits.midpoint|d0", words="step {}; the midpoint is at {}"),
    ),
    "gradient-norm-peak-raw": (_way("markers#gradient-norm.peak"),),
    "gradient-norm-peak-smoothed": (_way("markers#gradient-norm.peak", words="{}, not smoothed"),),
    "detectors": (_way("alarms#fired|of", words="{} pairs of series and detector, each with its rate"),),
    "drawn": (_way("alarms#horizon", words="{} read, drawn at an even stride"),),
}
_TABLES = {"graders": _GRADERS, "models": _MODELS, "runs": _RUNS}
_ELSEWHERE = {  # of another run read here, where this one's record can't give it
    "cancels": (
        "update-partition",
        ("cancellation.median", "orthogonal.median"),
        "{} in the median step of another run read here, where unrelated gradients give {}",
    )
}


def order(kind: str, name: str) -> int:
    """Where a figure stands among those of its kind."""
    return _ways(kind, name)[2]


def find(lookup: Lookup, subject: str, name: str) -> tuple[Piece, ...]:
    """What stands beside figure `name` of `subject` (`kind/slug`): readings first, else the decline in their place."""
    ways, held, _ = _ways(subject.partition("/")[0], name)
    published = [piece for way in ways if (piece := _published(lookup, subject, way, held))]
    read = [piece for way in ways if way.cites and not way.parts and (piece := _read(lookup, subject, way, held))]
    measured = [piece for piece in read if not piece.declined]
    found = [*published, *(measured or read)[:1]]
    if name in _ELSEWHERE and not measured:
        found += _elsewhere(lookup, name)
    return tuple(found)


def state(lookup: Lookup, pieces: tuple[Piece, ...]) -> State:
    """How a figure stands here: measured on the subject, recomputed from what others recorded or published, declined,
    or reported alone."""
    refs = [ref for piece in pieces if not piece.aside for ref in piece.refs if not _is_quote(lookup, ref)]
    if any(_touches(lookup, ref) for ref in refs):
        return "measured"
    if refs:
        return "recomputed"
    return "declined" if any(piece.declined for piece in pieces) else "reported"


def shown(writer: Writer, pieces: tuple[Piece, ...], *, opens: bool = True) -> Markup | None:
    """What stands beside a figure as HTML; where a number `opens`, it has a sheet of its own."""
    return Markup("; ").join(_shown(writer, piece, opens) for piece in pieces) if pieces else None


def reported(lookup: Lookup, subject: str) -> list[str]:
    """The records of what others published of a subject."""
    ids = (id_ for id_ in lookup.store.ids() if id_.startswith(f"{subject}/reported"))
    return [id_ for id_ in ids if lookup.record(id_).evidence.instrument == "reported"]


@cache
def _ways(kind: str, name: str) -> tuple[tuple[Way, ...], tuple[tuple[str, str], ...], int]:
    """The ways to a figure, what the places in its name hold, and its place in the table."""
    table = _TABLES.get(kind, {})
    for at, (pattern, ways) in enumerate(table.items()):
        holes = re.escape(pattern).replace(r"\{p\}", "(?P<p>.+)").replace(r"\{h\}", r"(?P<h>[\d-]+)")
        if match := re.fullmatch(holes, name):
            return ways, tuple(match.groupdict().items()), at
    return (), (), len(table)


def _filled(text: str, held: tuple[tuple[str, str], ...]) -> str:
    for hole, value in held:
        text = text.replace(f"{{{hole}}}", value)
    return text


def _published(lookup: Lookup, subject: str, way: Way, held: tuple[tuple[str, str], ...]) -> Piece | None:
    """What others' figures give: the same under another name, or arithmetic over its parts."""
    wanted = _filled(way.other, held) if way.other else f"{way.parts}."
    for id_ in reported(lookup, subject) if way.other or way.parts else ():
        names = [name for name in lookup.fields(id_) if name == wanted or (way.parts and name.startswith(wanted))]
        if way.other and names:
            return Piece("{} in the authors’ table", (f"{id_}#{wanted}",))
        if len(names) > 1:
            listed = ", ".join(f"{id_}#{name}" for name in names)
            return Piece(way.words, tuple(cite.replace("...", listed) for cite in way.cites))
    return None


def _read(lookup: Lookup, subject: str, way: Way, held: tuple[tuple[str, str], ...]) -> Piece | None:
    """What was read here, or the decline that stands in its place; nothing where neither was made."""
    refs = tuple(_placed(subject, _filled(cite, held)) for cite in way.cites)
    for ref in refs:
        for cited in _CITED.findall(ref):
            one = parse(cited)
            record = lookup.store.has(one.id) and lookup.fields(one.id)
            if not record:
                return None
            whole = record.get("declined", record.get(one.field))
            if isinstance(whole, Declined):
                key = f"{one.id}#{'declined' if 'declined' in record else one.field}"
                return None if whole.reason == "not_applicable" else Piece(declined=key)
            if not isinstance(whole, Quantity | Label) or _uncounted(one.id, whole):
                return None
    return Piece(way.words, refs, aside=way.aside)


def _uncounted(id_: str, found: Quantity | Label) -> bool:
    """A record that holds none of what others counted says nothing of their count."""
    return id_.endswith("/coverage") and isinstance(found, Quantity) and not found.value


def _placed(subject: str, cite: str) -> str:
    """A citation of the table as one of a subject's records."""
    if cite.startswith("@"):
        return f"subject:{subject}{cite}"
    return re.sub(r"(?<![\w/.-])(?=[\w-]+#)", f"{subject}/", cite)


def _elsewhere(lookup: Lookup, name: str) -> list[Piece]:
    instrument, names, words = _ELSEWHERE[name]
    for id_ in lookup.store.ids():
        if id_.startswith("runs/") and id_.endswith(f"/{instrument}"):
            fields = lookup.fields(id_)
            if all(isinstance(fields.get(one), Quantity) for one in names):
                return [Piece(words, tuple(f"{id_}#{one}" for one in names), aside=True)]
    return []


def _touches(lookup: Lookup, ref: str) -> bool:
    """Whether the subject itself was at hand, and not only what somebody recorded or published of it."""
    if ref.startswith("subject:"):
        return True
    ids = {parse(cited).id for cited in _CITED.findall(ref)}
    grants = [grant for id_ in ids for grant in lookup.record(id_).evidence.access]
    return any(not grant.endswith(".record") for grant in grants)


def _is_quote(lookup: Lookup, ref: str) -> bool:
    return not ref.startswith(("=", "subject:")) and isinstance(lookup.cite(ref).field, Quote)


def _shown(writer: Writer, piece: Piece, opens: bool) -> Markup:
    if piece.declined:
        id_, _, name = piece.declined.partition("#")
        return writer.declined(id_, name)
    number = writer.n if opens else writer.plain
    parts = [writer.said(ref) if ref.startswith("subject:") else number(ref) for ref in piece.refs]
    return Markup(piece.words).format(*parts)
