"""Opening an audit: the subject found, its corpora read and rendered, the instruments chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lens.access import Access
from lens.errors import UsageError
from lens.graders import corpora
from lens.graders.audit import Audit
from lens.graders.contract import contract, declared_format
from lens.graders.corpus import Row
from lens.graders.items import Source
from lens.graders.outcome import Outcome
from lens.graders.patience import Patience
from lens.graders.subject import resolve
from lens.graders.thin import thin
from lens.resource import cache_folder, shared_folder
from measure.auditing import Auditing, variant_of
from measure.engine import Engine
from measure.measuring import instruments
from measure.request import GRANTS, Request
from measure.store import Store

if TYPE_CHECKING:
    from lens.runs.record import Record

LOST = ("timeout", "exit", "memory", "output", "unasked")
_SIMPLE = Row(0, "7", "7")


@contextmanager
def opened(
    request: Request,
    data: Path,
    *,
    workers: int | None = None,
    ray: str | None = None,
    say: Callable[[str], None] = lambda _line: None,
) -> Iterator[Auditing]:
    """The audit a request asks for, ready to run; `say` is told, in words, what makes it long before it starts.

    Raises UsageError for anything in the request that can't be met.
    """
    chosen = instruments("graders", request.instruments)
    subject = resolve(request.subject)
    record = _record(request.record, request.map)
    store = Store.open(data)
    audit = Audit(
        subject,
        {},
        Access.parse(GRANTS[request.access] + " record.record" * (record is not None)),
        seed=request.seed,
        budget=request.budget,
        wait=request.wait,
        disclose=request.disclose,
        record=record,
        patience=Patience(lambda why: say(f"{why}: finding its contract, on fewer golds")),
    )
    if request.access == "full":
        audit.evaluate([_SIMPLE])
        _fill(audit, request.corpora)
        thin(audit)
    variant = variant_of(request.corpora, subject.adapter.corpora, _holds_published(store, subject.slug))
    with Engine(workers, ray=ray, cache=cache_folder()) as engine:
        yield Auditing(store, engine, chosen, request, audit, variant, _silent(audit))


def _record(spec: str, map: str) -> Record | None:
    """Raises UsageError for a mapping of nothing, too."""
    from lens.runs.opening import open_run

    if map and not spec:
        raise UsageError("--map names the columns of a record", remedy="name the record with --record")
    return open_run(spec, map=map) if spec else None


def _fill(audit: Audit, names: tuple[str, ...]) -> None:
    """Put the corpora into the audit: golds and labelled responses, each of the first source that has any."""
    sources = [_source(audit, name) for name in names]
    golds = next((source for source in sources if source.items), None)
    rollouts = next((source for source in sources if source.rollouts), None)
    corpora.fill(audit, golds or rollouts)
    if rollouts is not None:
        audit.corpora["rollouts"] = corpora.rollouts(rollouts, contract(audit).rendering)


def _silent(audit: Audit) -> Outcome | None:
    """One of the outcomes of the contract's questions, where none of them was answered."""
    if not audit.corpora:
        return None
    found = contract(audit)
    given = [*found.oracle, *found.wrong]
    return given[0] if given and all(one.status in LOST for one in given) else None


def _source(audit: Audit, name: str) -> Source:
    path = Path(name)
    if path.exists() or path.suffix:
        return corpora.load(path, declared_format(audit))
    return corpora.named(name, shared_folder())


def _holds_published(store: Store, slug: str) -> bool:
    """Whether the store's unvaried readings of a grader were made on published corpora, not the embedded ones."""
    return any(
        "shared:" in one.locator
        for line in store.manifest()
        if line.parts.subject == f"graders/{slug}" and not line.parts.variant
        for one in line.inputs
    )
