"""Reviewing a run: its record opened, checked by replay, and read by every instrument that applies."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lens.access import Access
from lens.instrument import Instrument
from lens.names import kebab
from lens.price import Price
from lens.reading import Declined, Evidence, Input, Reading, Result, Subject
from lens.resource import cache_folder
from measure.engine import Engine
from measure.measuring import Measuring, instruments
from measure.store import Store
from measure.telling import named

if TYPE_CHECKING:
    from lens.runs.review import Review


@dataclass(frozen=True)
class RunRequest:
    """The options of `lens measure run`, as they were typed."""

    path: str
    config: str = ""
    map: str = ""
    name: str = ""
    edits: tuple[str, ...] = ()
    model: str = ""
    reference: str = ""
    seed: int = 0
    surrogates: int = 300
    baseline: int = 60
    instruments: tuple[str, ...] = ()
    onset: int | None = None
    licence: str = ""
    study: str = ""

    def command(self, *extra: str) -> str:
        """The command line that makes this request, without what only says where and how fast.

        >>> RunRequest("outputs/my run", seed=3).command("--instrument", "replay")
        "lens measure run 'outputs/my run' --seed 3 --instrument replay"
        """
        words = ["lens", "measure", "run", self.path]
        words += ["--config", self.config] if self.config else []
        words += ["--map", self.map] if self.map else []
        words += ["--name", self.name] if self.name else []
        words += [word for edit in self.edits for word in ("--edit", edit)]
        words += ["--model", self.model] if self.model else []
        words += ["--reference", self.reference] if self.reference else []
        words += ["--seed", str(self.seed)] if self.seed else []
        words += ["--surrogates", str(self.surrogates)] if self.surrogates != 300 else []
        words += ["--baseline", str(self.baseline)] if self.baseline != 60 else []
        words += ["--onset", str(self.onset)] if self.onset is not None else []
        words += ["--licence", self.licence] if self.licence else []
        words += ["--study", self.study] if self.study else []
        return shlex.join([*words, *extra])


@dataclass
class Reviewing(Measuring):
    """One review in progress."""

    request: RunRequest
    review: Review

    @property
    def asked(self) -> RunRequest:
        return self.request

    @property
    def access(self) -> Access:
        return self.review.access

    @property
    def context(self) -> Review:
        return self.review

    @property
    def subject(self) -> Subject:
        run = self.review.run
        return Subject("runs", kebab(run.name), run.name, run.header.fingerprint, run.spec, self.request.licence)

    def prices(self, instruments: Iterable[Instrument]) -> dict[str, Price | Declined]:
        return {one.name: self._priced(one) for one in instruments}

    def _priced(self, instrument: Instrument) -> Price | Declined:
        found: Price | Declined | None = self.declined(instrument)
        if found is None:
            from lens.runs.price import pass_over

            found = (instrument.price or pass_over)(self.review)
        self.clear()
        return found if isinstance(found, Price) else named(found, self.request.path)  # type: ignore[return-value]

    def declined(self, instrument: Instrument) -> Declined | None:
        """The decline of an instrument that needs more than the record."""
        missing = self.access.missing(instrument.needs)
        if not missing:
            return None
        return Declined(
            "access_insufficient",
            "this reading computes gradients or scores again, and the record holds numbers alone",
            "lens measure run SUBJECT --model FOLDER",
            needs=" ".join(missing),
            has=str(self.access),
        )

    def read(self, instrument: Instrument) -> Result:
        declined = self.declined(instrument)
        result = instrument.run(self.review) if declined is None else declined
        reading, tables = result if isinstance(result, Result) else Result(result)
        return Result(named(reading, self.request.path), tables)

    def evidence(self, instrument: Instrument, reading: Reading) -> Evidence:
        review = self.review
        return Evidence(
            instrument.name,
            instrument.version,
            self.subject,
            reading,
            access=tuple(sorted(self.access.grants)),
            inputs=tuple(self._licensed(review.used[name]) for name in sorted(review.used)),
            parameters={name: value for name, value in review.noted.items() if name != "seed"},
            seed=review.noted.get("seed"),
            repeatable=instrument.repeatable,
        )

    def _licensed(self, given: Input) -> Input:
        return msgspec.structs.replace(given, licence=self.request.licence) if given.role == "record" else given

    def standing(self, instrument: Instrument) -> Reading | None:
        """The same when made by this version, of this record, with the values of the parameters it read. One made with
        the policy stands where none is given now: less access takes nothing back."""
        review = self.review
        id = self.evidence(instrument, Declined("void", "-", "-")).id
        if not self.store.has(id):
            return None
        held = self.store.record(id).evidence
        more = "policies" in held.parameters and not self.request.model
        asked = {name: value for name, value in held.parameters.items() if not (more and name == "policies")}
        same = (
            held.version == instrument.version
            and held.subject.fingerprint == self.subject.fingerprint
            and (more or held.access == tuple(sorted(self.access.grants)))
            and all(_plain(getattr(review, name)) == _plain(value) for name, value in asked.items())
            and (held.seed is None or held.seed == review.seed)
        )
        self.clear()
        return held.reading if same else None


def _plain(value: object) -> object:
    """As the store gives it back: JSON has no tuples."""
    return list(value) if isinstance(value, tuple) else value


@contextmanager
def reviewed(
    request: RunRequest, data: Path, *, workers: int | None = None, ray: str | None = None
) -> Iterator[Reviewing]:
    """The review a request asks for, ready to run. Raises UsageError for anything in it that can't be met."""
    chosen = instruments("runs", request.instruments)
    from lens.runs.opening import open_run
    from lens.runs.review import Review

    run = open_run(request.path, config=request.config, map=request.map, name=request.name)
    review = Review(
        run=run,
        access=Access.parse("record.record" + " policy.backward" * bool(request.model)),
        seed=request.seed,
        surrogates=request.surrogates,
        baseline=request.baseline,
        onset=request.onset,
        edits=request.edits,
        model=request.model,
        reference=request.reference,
    )
    with Engine(workers, ray=ray, cache=cache_folder()) as engine:
        yield Reviewing(Store.open(data), engine, chosen, request, review)
