"""One audit: which instruments read, what the store already holds, what is written and under which id.

The reading without a variant is the one pages quote. It is made on the adapter's published corpora when those are
asked for, else on the embedded ones. Readings on any other corpus take its name as their variant; so does
`embedded` where the store already holds the published reading, which an audit without `--corpus` never replaces.
What a reader of the training log alone gets is the variant `log`. A field that reads a run record and nothing
else has no corpus in its variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lens.access import Access
from lens.graders import corpora
from lens.graders.audit import Audit
from lens.graders.outcome import Outcome
from lens.graders.price import Price, Probe, probe, rows
from lens.instrument import Instrument
from lens.names import kebab
from lens.reading import Columns, Declined, Evidence, Label, Measured, Quantity, Reading, Result, Subject
from measure.measuring import TIME_LEFT, Ending, Item, Measuring
from measure.request import GRANTS, Level, Request
from measure.store import Made
from measure.telling import named


@dataclass
class Auditing(Measuring):
    """An opened subject with its corpora; `variant` is of readings that depend on the corpora, `silent` what came of
    every simple question, where none was answered."""

    request: Request
    audit: Audit
    variant: str
    silent: Outcome | None = None

    @property
    def asked(self) -> Request:
        return self.request

    @property
    def access(self) -> Access:
        return self.audit.access

    @property
    def context(self) -> Audit:
        return self.audit

    @property
    def subject(self) -> Subject:
        return self.audit.subject.as_subject()

    def run(self, *, show: bool = True) -> Ending:
        """As every measurement; with `--access log`, only what a reader of the training log would have."""
        if self.request.access == "log":
            ending = Ending()
            self.freeze = self._freeze()
            self.write_log(ending)
            return ending
        return super().run(show=show)

    def foreword(self) -> str:
        if self.audit.thinned is None or self.silent is not None:
            return ""
        told = f"about {TIME_LEFT}, and more rows with a --wait of more than {self.audit.wait:g} s"
        return f"{self.audit.thinned.words}; {told}"

    def prices(self, instruments: Iterable[Instrument]) -> dict[str, Price | Declined]:
        instruments = list(instruments)
        if self.silent is None and self.request.access == "full" and any(map(_asks_grader, instruments)):
            self.audit.remember("isolation", partial(_isolation, self.audit))
            probed = probe(self.audit)
        else:
            probed = Probe(0.0, {})
        return {instrument.name: self._priced(instrument, probed) for instrument in instruments}

    def _priced(self, instrument: Instrument, probed: Probe) -> Price | Declined:
        declined = self.declined(instrument, self.audit.access)
        if declined is not None or self.silent is not None:
            return Price(0.0, 0) if declined is None else declined
        self.clear()
        price = (instrument.price or rows())(self.audit, probed)
        return price if isinstance(price, Price) else named(price, self.request.subject)  # type: ignore[return-value]

    def read(self, instrument: Instrument) -> Result:
        return self._read(instrument, self.audit.access)

    def records(
        self, instrument: Instrument, reading: Reading, tables: Mapping[str, Columns], made: Made
    ) -> list[Item]:
        """The full reading, and what a reader of the training log would have."""
        full = self.evidence(instrument, reading)
        return [(full, dict(tables), made), self.log(instrument, reading, tables)]

    def write_log(self, ending: Ending) -> None:
        """Write only what each instrument says to a reader who has the training log alone."""
        batch = []
        for name, instrument in self.chosen.items():
            self.clear()
            try:
                reading, tables = self._read(instrument, self.granted("log"))
            except Exception as error:
                ending.failed[name] = f"{type(error).__name__}: {error}"
                continue
            batch.append(self.log(instrument, reading, tables))
            ending.written[name] = reading
        self.write(batch)

    def log(self, instrument: Instrument, reading: Reading, tables: Mapping[str, Columns]) -> Item:
        """The record for a reader of the log: `reading` where the instrument needs no more, else its decline."""
        declined = self.declined(instrument, self.granted("log"))
        if declined is not None:
            self.clear()
        evidence = self.evidence(instrument, reading if declined is None else declined, log=True)
        return evidence, dict(tables) if declined is None else {}, self.made(instrument.name)

    def _read(self, instrument: Instrument, access: Access) -> Result:
        """Run an instrument, or decline it where `access` does not reach."""
        declined = self.declined(instrument, access)
        result = instrument.run(self.audit) if declined is None else declined
        reading, tables = result if isinstance(result, Result) else Result(result)
        return Result(named(reading, self.request.subject), tables)

    def granted(self, level: Level) -> Access:
        return Access.parse(GRANTS[level] + " record.record" * bool(self.request.record))

    def declined(self, instrument: Instrument, access: Access) -> Declined | None:
        """The decline of an instrument that needs more than `access`, with the command that gives it."""
        missing = access.missing(instrument.needs)
        if not missing:
            return self._unanswered(instrument)
        if missing == ("record.record",):
            remedy = self.request.command("--record", "ROLLOUTS.jsonl")
            detail = "read from a run's record, and none was given"
        else:
            remedy = Request(self.request.subject, self.request.corpora).command()
            detail = "a training log holds the scores this grader gave and not the grader"
        return Declined("access_insufficient", detail, remedy, needs=" ".join(missing), has=str(access))

    def _unanswered(self, instrument: Instrument) -> Declined | None:
        if self.silent is None or instrument.unanswered or not _asks_grader(instrument):
            return None
        return Declined(
            "assumption_violated",
            f"the grader answered no question at all: {self.silent.status} {self.silent.type}".rstrip(),
            "failure-semantics says how it fails; let it return a score for `response` and `gold` in a second or two",
            needs="a grader that answers",
        )

    def standing(self, instrument: Instrument) -> Reading | None:
        """The reading in the store that this request would make again, or None.

        The same when made by this version, of this subject, at this access, from inputs with these digests and with
        these values of the parameters it read.
        """
        id = self.id(instrument)
        if not self.store.has(id):
            return None
        held = self.store.record(id).evidence
        audit = self.audit
        now = {corpus.name: corpus.source_digest for corpus in audit.corpora.values()}
        if audit.corpora:
            golds = corpora.source_of(audit).as_input()
            now[golds.name] = golds.digest
        if audit.record is not None:
            now[audit.record.as_input().name] = audit.record.header.fingerprint
        settings = {name: getattr(audit, name) for name in held.parameters if name != "corpora"}
        same = (
            held.version == instrument.version
            and held.subject.fingerprint == audit.subject.fingerprint
            and held.access == tuple(sorted(audit.access.grants))
            and held.parameters == settings | self._offered(instrument)
            and (held.seed is None or held.seed == audit.seed)
            and all(now.get(one.name) == one.digest for one in held.inputs if one.role != "freeze")
        )
        self.clear()
        return held.reading if same else None

    def id(self, instrument: Instrument) -> str:
        return self.evidence(instrument, _ANY).id

    def evidence(self, instrument: Instrument, reading: Reading, *, log: bool = False) -> Evidence:
        """The reading with what it was read from: the inputs and parameters the audit noted while it was made."""
        audit = self.audit
        variant = "log" if log else self.variant if _asks_grader(instrument) else ""
        varied = {"access": "the training log alone"} if log else {"corpus": self.variant} if variant else {}
        noted = {name: value for name, value in audit.noted.items() if name != "seed"}
        if audit.thinned is not None and _asks_grader(instrument):
            noted["wait"] = audit.wait
        if isinstance(reading, Measured) and _asks_grader(instrument):
            told = {"isolation": Label(audit.remember("isolation", partial(_isolation, audit)))} | _waited(audit)
            reading = Measured({**reading.fields, **told}, reading.headline, reading.scope)
        return Evidence(
            instrument.name,
            instrument.version,
            audit.subject.as_subject(),
            reading,
            variant=variant,
            varied=varied,
            access=tuple(sorted((self.granted("log") if log else audit.access).grants)),
            inputs=tuple(audit.used[name] for name in sorted(audit.used)),
            parameters=noted | ({} if log else self._offered(instrument)),
            seed=audit.noted.get("seed"),
            repeatable=instrument.repeatable,
        )

    def _offered(self, instrument: Instrument) -> dict[str, Any]:
        return {"corpora": sorted(self.audit.corpora)} if _asks_grader(instrument) else {}


_ANY = Declined("void", "-", "-")


def _asks_grader(instrument: Instrument) -> bool:
    return any(need.startswith("grader.") for need in instrument.needs.grants)


def _isolation(audit: Audit) -> str:
    with audit.session() as session:
        return "; ".join(f"{name}: {words}" for name, words in sorted(session.isolation.items()))


def _waited(audit: Audit) -> dict[str, Quantity | Label | Declined]:
    """What a reading says of time-outs among the calls it looked at, and of the sample it was made on."""
    told: dict[str, Quantity | Label | Declined] = {}
    if audit.late or (audit.thinned is not None and audit.patience.hangs and audit.heard):
        note = "neither pay nor refusal: left out of rates"
        told["timed-out"] = Quantity(audit.late, "calls", "count", of=audit.heard, note=note)
    if audit.thinned is not None:
        told["sample"] = Label(audit.thinned.words)
    return told


def variant_of(names: Iterable[str], published: Iterable[str], holds_published: bool) -> str:
    """The variant of readings on the corpora `names` (none: the embedded ones); see this module's text."""
    names = tuple(names)
    if not names:
        return "embedded" if holds_published else ""
    if set(names) <= set(published):
        return ""
    return "-".join(kebab(Path(name).name.split(".")[0]) for name in names)
