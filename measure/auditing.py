"""One audit: which instruments read, what the store already holds, what is written and under which id.

The reading without a variant is the one pages quote. It is made on the adapter's published corpora when those are
asked for, else on the embedded ones. Readings on any other corpus take its name as their variant; so does
`embedded` where the store already holds the published reading, which an audit without `--corpus` never replaces.
What a reader of the training log alone gets is the variant `log`. A field that reads a run record and nothing
else has no corpus in its variant.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from lens.access import Access
from lens.errors import StoreError
from lens.graders import corpora
from lens.graders.audit import Audit
from lens.graders.outcome import Outcome
from lens.graders.price import Price, Probe, cpu_seconds, probe, rows
from lens.instrument import Instrument
from lens.names import kebab
from lens.reading import Columns, Declined, Evidence, Label, Measured, Quantity, Reading, Result
from measure.engine import Engine
from measure.machine import machine, revision
from measure.progress import Progress, clock_time
from measure.request import GRANTS, Level, Request
from measure.store import Made, Store
from measure.telling import named, said

Item = tuple[Evidence, dict[str, Columns], Made]


@dataclass
class Ending:
    """How one audit ended: `written` and `standing` name instruments, `failed` says what each raised."""

    written: dict[str, Reading] = field(default_factory=dict)
    standing: dict[str, Reading] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


@dataclass
class Auditing:
    """An opened subject with its corpora, a store to write to and an engine to run on."""

    request: Request
    audit: Audit
    store: Store
    engine: Engine
    chosen: dict[str, Instrument]
    variant: str  # of readings that depend on the corpora
    silent: Outcome | None = None  # what came of every simple question, where none was answered

    def run(self, *, show: bool = True) -> Ending:
        """Measure what the store doesn't hold yet, each instrument's records written as soon as it is done.

        An instrument that raises is named in the ending and stops nothing. StoreError and Ctrl-C go through:
        what was written before stays, and the same request goes on after it.
        """
        ending = Ending()
        if self.request.access == "log":
            self.write_log(ending)
            return ending
        todo: dict[str, Instrument] = {}
        for name, instrument in self.chosen.items():
            held = self.standing(instrument)
            if held is None:
                todo[name] = instrument
            else:
                ending.standing[name] = held
        if any(_asks_grader(instrument) for instrument in todo.values()) and self.silent is None:
            self.audit.remember("isolation", partial(_isolation, self.audit))
            probed = probe(self.audit)
        else:
            probed = Probe(0.0, {})
        plan = {name: self._planned(instrument, probed) for name, instrument in todo.items()}
        with Progress(plan, show=show) as progress:
            if todo and self.audit.thinned is not None and self.silent is None:
                told = f"about {clock_time(progress.pace.left)}, and more rows with a --wait of more than"
                progress.say(f"{self.audit.thinned.words}; {told} {self.audit.wait:g} s")
            for name, instrument in todo.items():
                progress.start(name)
                try:
                    ending.written[name] = self.measure(instrument, progress)
                    progress.finish(said(ending.written[name]))
                except StoreError:
                    raise
                except Exception as error:
                    ending.failed[name] = f"{type(error).__name__}: {error}"
                    progress.finish("failed")
        return ending

    def priced(self, instrument: Instrument, probed: Probe) -> Price | Declined:
        """What an instrument will cost here, or its decline where that is known beforehand."""
        declined = self.declined(instrument, self.audit.access)
        if declined is not None or self.silent is not None:
            return Price(0.0, 0) if declined is None else declined
        self._clear()
        price = (instrument.price or rows())(self.audit, probed)
        return price if isinstance(price, Price) else named(price, self.request.subject)  # type: ignore[return-value]

    def _planned(self, instrument: Instrument, probed: Probe) -> Price:
        price = self.priced(instrument, probed)
        return price if isinstance(price, Price) else Price(0.0, 0)

    def measure(self, instrument: Instrument, progress: Progress) -> Reading:
        """Run one instrument, or decline it where access is missing, and write its records."""
        audit = self.audit
        self._clear()
        calls = 0

        def advance(count: int) -> None:
            nonlocal calls
            calls += count
            progress.advance(count)

        scope = f"{instrument.name} {instrument.version} {audit.subject.fingerprint}"
        audit.advance = advance
        audit.map = partial(self.engine.map, scope=scope)
        began, cpu, workers = time.monotonic(), cpu_seconds(), self.engine.cpu
        reading, tables = self._read(instrument, audit.access)
        made = self._made(
            instrument.name, time.monotonic() - began, cpu_seconds() - cpu + self.engine.cpu - workers, calls
        )
        full = self.evidence(instrument, reading)
        self.store.write([(full, dict(tables), made), self.log(instrument, reading, tables)])
        self.engine.forget(scope)
        return reading

    def write_log(self, ending: Ending) -> None:
        """Write only what each instrument says to a reader who has the training log alone."""
        batch = []
        for name, instrument in self.chosen.items():
            self._clear()
            try:
                reading, tables = self._read(instrument, self.granted("log"))
            except Exception as error:
                ending.failed[name] = f"{type(error).__name__}: {error}"
                continue
            batch.append(self.log(instrument, reading, tables))
            ending.written[name] = reading
        self.store.write(batch)

    def log(self, instrument: Instrument, reading: Reading, tables: Mapping[str, Columns]) -> Item:
        """The record for a reader of the log: `reading` where the instrument needs no more, else its decline."""
        declined = self.declined(instrument, self.granted("log"))
        if declined is not None:
            self._clear()
        evidence = self.evidence(instrument, reading if declined is None else declined, log=True)
        return evidence, dict(tables) if declined is None else {}, self._made(instrument.name)

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
            now[audit.record.as_input().name] = audit.record.digest
        settings = {name: getattr(audit, name) for name in held.parameters if name != "corpora"}
        same = (
            held.version == instrument.version
            and held.subject.fingerprint == audit.subject.fingerprint
            and held.access == tuple(sorted(audit.access.grants))
            and held.parameters == settings | self._offered(instrument)
            and (held.seed is None or held.seed == audit.seed)
            and all(now.get(one.name) == one.digest for one in held.inputs)
        )
        self._clear()
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

    def summary(self, ending: Ending) -> str:
        """`12 fields read, 4 declined, 2 not applicable; 5 were measured before`."""
        readings = list((ending.standing | ending.written).values())
        idle = sum(isinstance(one, Declined) and one.reason == "not_applicable" for one in readings)
        refused = sum(isinstance(one, Declined) for one in readings) - idle
        told = f"{len(readings) - refused - idle} fields read, {refused} declined, {idle} not applicable"
        return told + (f"; {len(ending.standing)} of these stood in the store already" if ending.standing else "")

    def _offered(self, instrument: Instrument) -> dict[str, Any]:
        return {"corpora": sorted(self.audit.corpora)} if _asks_grader(instrument) else {}

    def _made(self, instrument: str, seconds: float = 0.0, cpu: float = 0.0, calls: int = 0) -> Made:
        return Made(
            time=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            seconds=round(seconds, 3),
            cpu_seconds=round(cpu, 3),
            calls=calls,
            command=self.request.command("--instrument", instrument),
            machine=machine(),
            revision=revision(Path.cwd()),
        )

    def _clear(self) -> None:
        self.audit.heard = self.audit.late = 0
        self.audit.used.clear()
        self.audit.noted.clear()


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
