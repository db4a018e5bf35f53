"""Inspecting a reward model: opened, held against its library, and read by every instrument that applies.

The reading without a variant is the one pages quote. It is made on the model's own pairs where it brings some (an
organism, recorded scores), else on the pairs it was first measured on. Readings on other pairs take their name as
their variant.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.access import Access
from lens.errors import UsageError
from lens.instrument import Instrument
from lens.names import kebab
from lens.price import Price
from lens.reading import Declined, Evidence, Reading, Result, Subject
from lens.resource import cache_folder
from measure.engine import Engine
from measure.measuring import Measuring, instruments
from measure.store import Store
from measure.telling import named

if TYPE_CHECKING:
    from lens.models.inspection import Inspection
    from lens.models.model import RewardModel
    from lens.models.pairs import Pairs
    from lens.models.price import Probe


@dataclass(frozen=True)
class ModelRequest:
    """The options of `lens measure model`, as they were typed."""

    subject: str
    pairs: str = ""
    device: str = "auto"
    dtype: str = "auto"
    seed: int = 0
    sample: int = 64
    controls: int = 8
    trust_remote_code: bool = False
    instruments: tuple[str, ...] = ()
    study: str = ""

    def command(self, *extra: str) -> str:
        """The command line that makes this request, without what only says where and how fast.

        >>> ModelRequest("organism:length", seed=3).command("--instrument", "patching")
        'lens measure model organism:length --seed 3 --instrument patching'
        """
        words = ["lens", "measure", "model", self.subject]
        words += ["--pairs", self.pairs] if self.pairs else []
        words += ["--device", self.device] if self.device != "auto" else []
        words += ["--dtype", self.dtype] if self.dtype != "auto" else []
        words += ["--seed", str(self.seed)] if self.seed else []
        words += ["--sample", str(self.sample)] if self.sample != 64 else []
        words += ["--controls", str(self.controls)] if self.controls != 8 else []
        words += ["--trust-remote-code"] if self.trust_remote_code else []
        words += ["--study", self.study] if self.study else []
        return shlex.join([*words, *extra])


@dataclass
class Inspecting(Measuring):
    """One inspection in progress; `variant` is that of readings that read pairs."""

    request: ModelRequest
    inspection: Inspection
    variant: str

    @property
    def asked(self) -> ModelRequest:
        return self.request

    @property
    def access(self) -> Access:
        return self.inspection.access

    @property
    def context(self) -> Inspection:
        return self.inspection

    @property
    def subject(self) -> Subject:
        return self.inspection.model.as_subject()

    @cached_property
    def unsound(self) -> Declined | None:
        """The decline of every reading, where the reward computed here is not the library's."""
        from lens.models.parity import unsound

        return unsound(self.inspection)

    def prices(self, instruments: Iterable[Instrument]) -> dict[str, Price | Declined]:
        from lens.models.price import probe

        probed = probe(self.inspection)
        found = {instrument.name: self._priced(instrument, probed) for instrument in instruments}
        self.clear()
        return found

    def foreseen(self, instruments: Iterable[Instrument]) -> dict[str, Price | Declined]:
        """With what follows where the reward computed here is not the library's."""
        instruments = list(instruments)
        found = self.prices(instruments)
        if (unsound := self.unsound) is not None:
            decline = named(unsound, self.request.subject)
            found |= {one.name: decline for one in instruments if self._hangs_on_parity(one)}  # type: ignore[misc]
        return found

    def _priced(self, instrument: Instrument, probed: Probe) -> Price | Declined:
        from lens.models.beforehand import declined
        from lens.models.price import free

        found: Price | Declined | None = self.declined(instrument)
        if found is None:
            found = declined(instrument, self.inspection)
        if found is None:
            found = (instrument.price or free)(self.inspection, probed)
        return found if isinstance(found, Price) else named(found, self.request.subject)  # type: ignore[return-value]

    def declined(self, instrument: Instrument) -> Declined | None:
        """The decline of an instrument that needs more than this subject grants."""
        missing = self.inspection.access.missing(instrument.needs)
        if not missing:
            return None
        if self.inspection.model.family == "opaque":
            from lens.models.combined import put_together

            return put_together(self.inspection.model)
        return Declined(
            "access_insufficient",
            "recorded scores hold the numbers a model gave and not the model",
            "lens measure model FOLDER --pairs PAIRS",
            needs=" ".join(missing),
            has=str(self.inspection.access),
        )

    def read(self, instrument: Instrument) -> Result:
        declined = self.declined(instrument)
        if declined is None and self._hangs_on_parity(instrument):
            declined = self.unsound
            self.clear()
        result = instrument.run(self.inspection) if declined is None else declined
        reading, tables = result if isinstance(result, Result) else Result(result)
        return Result(named(reading, self.request.subject), tables)

    def _hangs_on_parity(self, instrument: Instrument) -> bool:
        asks = instrument.needs.grants & {"grader.query", "grader.forward", "grader.backward"}
        return instrument.name != "native-parity" and bool(asks) and self.declined(instrument) is None

    def evidence(self, instrument: Instrument, reading: Reading) -> Evidence:
        inspection = self.inspection
        on_pairs = bool(inspection.used) or isinstance(reading, Declined)
        variant = self.variant if on_pairs else ""
        return Evidence(
            instrument.name,
            instrument.version,
            inspection.model.as_subject(),
            reading,
            variant=variant,
            varied={"pairs": inspection.pairs.name} if variant else {},
            access=tuple(sorted(inspection.access.grants)),
            inputs=tuple(inspection.used[name] for name in sorted(inspection.used)),
            parameters={name: value for name, value in inspection.noted.items() if name != "seed"}
            | {"device": inspection.model.device, "dtype": inspection.model.dtype},
            seed=inspection.noted.get("seed"),
            repeatable=instrument.repeatable,
        )

    def standing(self, instrument: Instrument) -> Reading | None:
        """The same when made by this version, of this model, from these pairs and values of the parameters it read."""
        inspection = self.inspection
        id = self.evidence(instrument, Declined("void", "-", "-")).id
        if not self.store.has(id):
            return None
        held = self.store.record(id).evidence
        settings: dict[str, Any] = {"device": inspection.model.device, "dtype": inspection.model.dtype}
        settings |= {name: getattr(inspection, name) for name in held.parameters if name not in settings}
        now = {inspection.pairs.name: inspection.pairs.digest}
        now |= {one.name: one.digest for one in getattr(inspection.model, "inputs", ())}
        same = (
            held.version == instrument.version
            and held.subject.fingerprint == inspection.model.fingerprint
            and held.access == tuple(sorted(inspection.access.grants))
            and held.parameters == settings
            and (held.seed is None or held.seed == inspection.seed)
            and all(now.get(one.name) == one.digest for one in held.inputs if one.role != "freeze")
        )
        self.clear()
        return held.reading if same else None


@contextmanager
def inspected(
    request: ModelRequest, data: Path, *, workers: int | None = None, ray: str | None = None
) -> Iterator[Inspecting]:
    """The inspection a request asks for, ready to run. Raises UsageError for anything in it that can't be met."""
    chosen = instruments("models", request.instruments)
    if ray and request.device == "map":
        raise UsageError(
            "--device map spreads one model over the devices of one machine, and --ray gives each worker a whole one",
            remedy="leave out --ray, or --device map where the model fits into one device",
        )
    from lens.models.fit import check_fit
    from lens.models.inspection import Inspection
    from lens.models.network import elsewhere
    from lens.models.subject import needs_torch, open_model
    from lens.models.work import one_thread, release

    if needs_torch(request.subject):
        one_thread()
    model = open_model(
        request.subject, device=request.device, dtype=request.dtype, trust_remote_code=request.trust_remote_code
    )
    pairs = _pairs(request, model)
    check_fit(model, pairs.unique)
    store = Store.open(data)
    inspection = Inspection(
        model,
        pairs,
        Access.parse(model.grants()),
        seed=request.seed,
        sample=request.sample,
        controls=0 if elsewhere(model.network) else request.controls,  # a copy wouldn't fit either
        trust_remote_code=request.trust_remote_code,
    )
    variant = _variant(model, pairs, store)
    gpus = int(model.device.startswith("cuda"))
    with Engine(1 if model.device != "cpu" else workers, ray=ray, gpus=gpus, cache=cache_folder()) as engine:
        try:
            yield Inspecting(store, engine, chosen, request, inspection, variant)
        finally:
            release(model)


def _pairs(request: ModelRequest, model: RewardModel) -> Pairs:
    from lens.models.read_pairs import read_pairs

    if request.pairs:
        return read_pairs(request.pairs)
    if model.own_pairs is None:
        raise UsageError(
            f"{request.subject} brings no pairs to be read on",
            remedy=f"{request.command('--pairs', 'PAIRS.jsonl')}, each row with prompt, chosen and rejected",
        )
    return model.own_pairs


def _variant(model: RewardModel, pairs: Pairs, store: Store) -> str:
    if model.own_pairs is not None:
        return "" if pairs.digest == model.own_pairs.digest else kebab(pairs.name)
    first = {
        one.name
        for line in store.manifest()
        if line.parts.subject == f"models/{model.slug}" and not line.parts.variant
        for one in store.record(line.id).evidence.inputs
        if one.role == "pairs"
    }
    return "" if not first or pairs.name in first else kebab(pairs.name)
