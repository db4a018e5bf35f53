"""What a study's page says, computed from its freeze, its reading and its adjudication."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from lens.reading import Declined, Label, Quantity
from lens.studies.spec import Hypothesis, Spec, parse
from measure.studies.classes import Classed, classed

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site
    from site_builder.writer import Writer

_SMALL = 0.001  # a p below it is printed by its power of ten
_PREDICTED = {
    "above": "above its threshold, which is {}",
    "below": "below its threshold, which is {}",
    "within": "near its threshold, which is {}, by {} at most",
}
_KILLED = {
    "above": "a value above its limit, which is {}",
    "below": "a value below its limit, which is {}",
    "holds": "an interval that holds {}",
}


@dataclass(frozen=True)
class Study:
    """One version of a study; `reading` and `adjudication` are None until it was run, and `waiting` is the decline of
    one whose subjects nobody has named. `newest` is the page of the last version where that is another, and `amended`
    of the version before."""

    spec: Spec
    freeze: Record
    reading: Record | None
    adjudication: Record | None
    classed: Classed
    waiting: Record | None = None
    newest: str = ""
    amended: str = ""

    @property
    def path(self) -> str:
        return f"studies/{self.spec.id}/" + (f"{self.spec.variant}/" if self.spec.variant else "")


@dataclass(frozen=True)
class Told:
    """A hypothesis beside what came of it; `outcome` is "not run" before."""

    name: str
    says: Markup
    outcome: str
    why: str
    rule: Markup
    found: Markup | None
    control: Markup | None
    holm: Markup | None
    kill: Markup
    power: Markup
    null: Markup


def studies(site: Site) -> list[Study]:
    """Every version of every frozen study, by id, the first version first."""
    found = sorted(
        (_study(site, id_) for id_ in site.store.ids() if _frozen(id_)), key=lambda one: (one.spec.id, one.spec.version)
    )
    last = {one.spec.id: one for one in found}
    before = {id(other): one for one, other in pairwise(found) if one.spec.id == other.spec.id}
    return [
        replace(
            one,
            newest="" if last[one.spec.id] is one else last[one.spec.id].path,
            amended=before[id(one)].path if id(one) in before else "",
        )
        for one in found
    ]


def told(study: Study, writer: Writer) -> list[Told]:
    """Every hypothesis of a study, in the order of its spec."""
    return [_told(study, one, writer) for one in study.spec.hypothesis]


def sentence(study: Study, writer: Writer) -> Markup:
    """What came of it, in one sentence."""
    if study.waiting is not None:
        return Markup("Its predictions are frozen, and wait for a subject.")
    if study.adjudication is None:
        return Markup("It is frozen, and nothing was measured yet.")
    id_ = study.adjudication.id
    parts = [
        Markup("{} {}").format(writer.n(f"{id_}#{name}|k"), name)
        for name in ("confirmed", "refuted", "inconclusive", "void")
        if _count(study.adjudication, name)
    ]
    whole = writer.n(f"{study.freeze.id}#hypotheses|word")
    return Markup("Of {} predictions: {}.").format(whole, Markup(", ").join(parts))


def units(study: Study, writer: Writer) -> list[tuple[str, Markup]]:
    """How many subjects each arm has."""
    return [(arm, writer.plain(f"{study.freeze.id}#units.{arm}")) for arm in study.spec.arms]


def _frozen(id_: str) -> bool:
    return id_.startswith("project/study-") and id_.split("/")[2].partition("~")[0] == "freeze"


def _study(site: Site, id_: str) -> Study:
    freeze = site.lookup.record(id_)
    spec = parse(freeze.evidence.parameters["spec"], id_)
    reading, verdict = (
        site.lookup.record(one) if site.store.has(one) else None
        for one in (spec.record(spec.science), spec.record("adjudication"))
    )
    waiting = reading if reading is not None and isinstance(reading.evidence.reading, Declined) else None
    return Study(
        spec,
        freeze,
        None if waiting else reading,
        verdict,
        classed(site.store, spec, site.lookup.table),
        waiting,
    )


def _count(record: Record, name: str) -> int:
    field = record.fields[name]
    return int(field.value) if isinstance(field, Quantity) else 0


def _told(study: Study, one: Hypothesis, writer: Writer) -> Told:
    frozen = partial("{}#{}.{}".format, study.freeze.id, one.name)
    verdict = study.adjudication.fields.get(f"{one.name}.outcome") if study.adjudication else None
    holm = None
    if study.adjudication and f"{one.name}.holm" in study.adjudication.fields:
        found = study.adjudication.fields[f"{one.name}.holm"]
        small = isinstance(found, Quantity) and found.value < _SMALL
        holm = writer.n(f"{study.adjudication.id}#{one.name}.holm|{'sci1' if small else 's2'}")
    limits = [writer.plain(frozen(name)) for name in ("threshold", *(["margin"] if one.margin else []))]
    return Told(
        one.name,
        writer.plain(frozen("says")),
        verdict.value if isinstance(verdict, Label) else "not run",
        verdict.note if isinstance(verdict, Label) else "it is frozen, and nothing was measured",
        Markup(_PREDICTED[one.comparator]).format(*limits),
        _found(study, one.field, writer),
        _found(study, one.control_field, writer),
        holm,
        Markup(_KILLED[one.kill.comparator]).format(writer.plain(frozen("kill"))),
        writer.n(frozen("power") + "|pct0"),
        writer.n(frozen("null")),
    )


def _found(study: Study, name: str, writer: Writer) -> Markup | None:
    """A field of the reading, with its interval."""
    if study.reading is None:
        return None
    field = study.reading.fields[name]
    if isinstance(field, Declined):
        return writer.declined(study.reading.id, name)
    number = writer.field(study.reading.id, name)
    if isinstance(field, Quantity) and field.interval is not None:
        form = "pctinterval" if field.kind == "count" else "interval"
        return Markup("{} ({})").format(number, writer.n(f"{study.reading.id}#{name}|{form}"))
    return number
