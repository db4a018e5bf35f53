"""One subject being measured: which instruments read, what the store already holds, and what is written.

A kind of subject (a grader, a model) brings its own context, prices and records; how instruments are run, timed,
resumed and reported is the same for all of them.
"""

from __future__ import annotations

import difflib
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import click
import msgspec

from lens.access import Access
from lens.errors import LensError, StoreError, UsageError
from lens.instrument import Instrument, registry
from lens.noted import Noting
from lens.price import Price, cpu_seconds
from lens.reading import Columns, Declined, Evidence, Input, Reading, Result, Subject
from measure.engine import Engine
from measure.machine import made
from measure.progress import Progress, clock_time
from measure.store import Made, Store
from measure.telling import said

TIME_LEFT = "{time left}"  # stands for the first estimate in a foreword
Item = tuple[Evidence, dict[str, Columns], Made]


@dataclass
class Ending:
    """How one measurement ended: `written` and `standing` name instruments, `failed` says what each raised."""

    written: dict[str, Reading] = field(default_factory=dict)
    standing: dict[str, Reading] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


class Asked(Protocol):
    """The options as they were typed; `study` is the one that the readings are to count for."""

    @property
    def study(self) -> str: ...

    def command(self, *extra: str) -> str: ...


def instruments(subjects: str, names: Sequence[str]) -> dict[str, Instrument]:
    """The named instruments of a kind of subject (all, without a name), in card order. Raises UsageError for a name
    that none has."""
    known = registry(subjects)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
            raise UsageError(
                f"no instrument is called {name!r}: {f'did you mean {near[0]}?' if near else ', '.join(known)}",
                remedy="lens capabilities SUBJECT lists them all",
            )
    return {name: known[name] for name in known if not names or name in names}


@dataclass
class Measuring(ABC):
    """An opened subject, a store to write to and an engine to run on; `freeze` is of the study that readings count
    for."""

    store: Store
    engine: Engine
    chosen: dict[str, Instrument]
    freeze: Input | None = field(default=None, init=False)

    @property
    @abstractmethod
    def asked(self) -> Asked: ...

    @property
    @abstractmethod
    def access(self) -> Access:
        """What the subject grants here."""

    @property
    @abstractmethod
    def context(self) -> Noting:
        """What an instrument is given: an Audit, an Inspection."""

    @property
    @abstractmethod
    def subject(self) -> Subject: ...

    @property
    def fingerprint(self) -> str:
        """The subject's."""
        return self.subject.fingerprint

    @abstractmethod
    def prices(self, instruments: Iterable[Instrument]) -> dict[str, Price | Declined]:
        """What each instrument will cost here, or its decline where that is known beforehand."""

    def foreseen(self, instruments: Iterable[Instrument]) -> dict[str, Price | Declined]:
        """The prices, and whatever else can be known of the subject before anything is measured."""
        return self.prices(instruments)

    @abstractmethod
    def read(self, instrument: Instrument) -> Result:
        """Run an instrument, or decline it where the access given does not reach."""

    @abstractmethod
    def evidence(self, instrument: Instrument, reading: Reading) -> Evidence:
        """The reading with what it was read from: inputs and parameters as noted while it was made."""

    @abstractmethod
    def standing(self, instrument: Instrument) -> Reading | None:
        """The reading in the store that this request would make again, or None."""

    def records(
        self, instrument: Instrument, reading: Reading, tables: Mapping[str, Columns], made: Made
    ) -> list[Item]:
        """What is written for one instrument's reading."""
        return [(self.evidence(instrument, reading), dict(tables), made)]

    def write(self, items: Sequence[Item]) -> None:
        """The records into the store; where a study was named its freeze is among their inputs."""
        if self.freeze is not None:
            items = [(_counting(evidence, self.freeze), tables, made) for evidence, tables, made in items]
        self.store.write(items)

    def foreword(self) -> str:
        """What a person should know before the first instrument runs; empty where there is nothing."""
        return ""

    def run(self, *, show: bool = True) -> Ending:
        """Measure what the store doesn't hold yet, each instrument's records written as soon as it is done.

        An instrument that raises is named in the ending and stops nothing. StoreError and Ctrl-C go through:
        what was written before stays, and the same request goes on after it. Work that several instruments share is
        kept until all of them are done.
        """
        ending = Ending()
        self.freeze = self._freeze()
        todo: dict[str, Instrument] = {}
        for name, instrument in self.chosen.items():
            held = self.standing(instrument)
            if held is None:
                todo[name] = instrument
            else:
                ending.standing[name] = held
        prices = self.prices(todo.values()) if todo else {}
        plan = {name: price if isinstance(price, Price) else Price(0.0, 0) for name, price in prices.items()}
        with Progress(plan, show=show) as progress:
            if todo and (told := self.foreword()):
                progress.say(told.replace(TIME_LEFT, clock_time(progress.pace.left)))
            for name, instrument in todo.items():
                progress.start(name)
                try:
                    ending.written[name] = self.measure(instrument, progress)
                    progress.finish(said(ending.written[name]))
                except StoreError:
                    raise
                except LensError as error:
                    ending.failed[name] = str(error)
                    progress.finish("failed")
                except Exception as error:
                    ending.failed[name] = f"{type(error).__name__}: {error}"
                    progress.finish("failed")
        if not ending.failed:
            self.engine.forget(self.fingerprint)
        return ending

    def measure(self, instrument: Instrument, progress: Progress) -> Reading:
        """Run one instrument and write its records."""
        self.clear()
        calls = 0

        def advance(count: int) -> None:
            nonlocal calls
            calls += count
            progress.advance(count)

        self.context.advance = advance
        self.context.map = partial(self.engine.map, scope=self.fingerprint)
        began, cpu, workers = time.monotonic(), cpu_seconds(), self.engine.cpu
        reading, tables = self.read(instrument)
        spent = cpu_seconds() - cpu + self.engine.cpu - workers
        made = self.made(instrument.name, time.monotonic() - began, spent, calls)
        self.write(self.records(instrument, reading, tables, made))
        return reading

    def _freeze(self) -> Input | None:
        """Raises UsageError where a study was named, and readings of this subject can't count for it."""
        if not self.asked.study:
            return None
        from measure.studies.sealing import sealing

        return sealing(self.store, self.asked.study, self.fingerprint)

    def made(self, instrument: str, seconds: float = 0.0, cpu: float = 0.0, calls: int = 0) -> Made:
        return made(self.asked.command("--instrument", instrument), seconds=seconds, cpu=cpu, calls=calls)

    def summary(self, ending: Ending) -> str:
        """`12 fields read, 4 declined, 2 not applicable; 5 were measured before`."""
        readings = list((ending.standing | ending.written).values())
        idle = sum(isinstance(one, Declined) and one.reason == "not_applicable" for one in readings)
        refused = sum(isinstance(one, Declined) for one in readings) - idle
        told = f"{len(readings) - refused - idle} fields read, {refused} declined, {idle} not applicable"
        return told + (f"; {len(ending.standing)} of these stood in the store already" if ending.standing else "")

    def report(self, ending: Ending, data: Path) -> None:
        """Say on the terminal what every instrument read. Exits with 1 where one failed."""
        width = max(map(len, self.chosen), default=0)
        for name in self.chosen:
            reading = (ending.standing | ending.written).get(name)
            if reading is not None:
                click.echo(f"{name:<{width}}  {said(reading)}")
        click.echo(f"{self.summary(ending)}; in {data}")
        for name, what in ending.failed.items():
            click.echo(f"error: {name} failed: {what}", err=True)
        if ending.failed:
            sys.exit(1)

    def clear(self) -> None:
        self.context.used.clear()
        self.context.noted.clear()


def _counting(evidence: Evidence, freeze: Input) -> Evidence:
    """The evidence with a study's freeze among its inputs."""
    return msgspec.structs.replace(evidence, inputs=(*evidence.inputs, freeze))
