"""Opening a run: its format found, its files digested, and read once into a flat record that is kept."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from lens.canonical import digest, file_digest
from lens.errors import UsageError
from lens.resource import cache_folder, shared_folder
from lens.runs import organism
from lens.runs.adapter import Adapter, Source, adapters, detect
from lens.runs.header import File, Header
from lens.runs.record import Record, open_folder
from lens.runs.settings import Settings
from lens.runs.writer import Writer

MALFORMED: tuple[type[Exception], ...] = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What a reader raises on files of another make than it looked for, where it doesn't say so itself."""
PART = "::"  # between a place and the name of one run of several that lie in its files
SHARED = "shared:"  # before a path among the published corpora, so that a command is the same on every machine


def place(spec: str) -> Path:
    """Where the run a person named lies: a path, `shared:PATH` among the published corpora, or a trained organism's
    place in the cache."""
    if spec.startswith(organism.PREFIX):
        return organism.place_of(spec)
    return shared_folder() / "data" / spec.removeprefix(SHARED) if spec.startswith(SHARED) else Path(spec)


def parted(spec: str) -> tuple[str, str]:
    """A place and which of its runs, empty where it isn't said.

    >>> parted("trackio/huggingface.db::clever-otter")
    ('trackio/huggingface.db', 'clever-otter')
    >>> parted("outputs/run")
    ('outputs/run', '')
    """
    before, _, part = spec.partition(PART)
    return (spec, "") if place(spec).exists() else (before, part)


def open_run(spec: str, *, config: str = "", map: str = "", name: str = "") -> Record:
    """The run at a path, read into a flat record in the cache the first time; an organism is trained, the first time.

    Raises UsageError for a path that isn't there, a layout no format recognises, and damaged files, with file and line.
    Nothing half-read is kept.
    """
    if spec.startswith(organism.PREFIX):
        organism.resolve(spec)
        name = name or spec.removeprefix("organism:")
    found = find_run(spec, config=config, map=map)
    path = found.source.path
    plain = path.resolve().name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".parquet")
    name = name or found.source.part or plain
    typed = typed_as(spec, config, map)
    if found.adapter.in_place:
        return open_folder(path, name, typed)
    kept = cache_folder() / "runs" / found.fingerprint
    if not (kept / "record.json").is_file():
        _convert(found, kept)
    return open_folder(kept, name, typed)


class Found(NamedTuple):
    """What lies at a place: its format, how that was known, its files with their digests, and one digest of it all."""

    adapter: Adapter
    how: str
    source: Source
    files: list[File]
    fingerprint: str


def find_run(spec: str, *, config: str = "", map: str = "") -> Found:
    """The run at a path before anything of it is read. Raises UsageError as `open_run` does."""
    there, part = parted(spec)
    path = place(there)
    source = Source(path, place(config) if config else None, place(map) if map else None, part)
    for extra in (source.config, source.map):
        if extra is not None and not extra.is_file():
            raise UsageError(f"no file at {extra}")
    adapter, how = (adapters()["mapped"], "a mapping was given") if map else detect(source)
    if part and not adapter.parts:
        raise UsageError(
            f"{there} holds one run: {adapter.title} has no {PART}NAME", remedy=f"lens measure run {there}"
        )
    if adapter.in_place:
        return Found(adapter, how, source, [], open_folder(path, "", spec).header.fingerprint)
    files = _files(adapter, source)
    named = {"names": [one.name for one in files]} if adapter.named else {}
    read = {"files": [one.digest for one in files], **named, **({"part": part} if part else {})}
    whole = digest({"adapter": adapter.name, "version": adapter.version, **read})
    return Found(adapter, how, source, files, whole)


def typed_as(spec: str, config: str, map: str) -> str:
    """A run as evidence names it: what a person types, with the files that decide how it is read.

    >>> typed_as("outputs/my run", "grpo.yaml", "")
    "'outputs/my run' --config grpo.yaml"
    >>> typed_as("outputs/my run", "", "")
    'outputs/my run'
    """
    if not (config or map):
        return spec
    return shlex.join([spec, *(["--config", config] if config else []), *(["--map", map] if map else [])])


def fingerprint_here(typed: str) -> str:
    """The fingerprint now of a run that evidence names so. Nothing is converted.

    Raises UsageError where it isn't on this machine, or is no run any more.
    """
    words = [typed] if place(parted(typed)[0]).exists() else shlex.split(typed)
    options = dict(zip(words[1::2], words[2::2], strict=True))
    return find_run(words[0], config=options.get("--config", ""), map=options.get("--map", "")).fingerprint


def _files(adapter: Adapter, source: Source) -> list[File]:
    """Everything the reading depends on, with its digest."""
    base = source.path if source.path.is_dir() else source.path.parent
    paths = [*adapter.files(source), *(one for one in (source.config, source.map) if one is not None)]
    return [
        File(
            one.relative_to(base).as_posix() if one.is_relative_to(base) else one.name,
            file_digest(one),
            one.stat().st_size,
        )
        for one in dict.fromkeys(paths)
    ]


def _convert(found: Found, kept: Path) -> None:
    adapter, source = found.adapter, found.source
    kept.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".reading-", dir=kept.parent))
    try:
        writer = Writer(folder, source.path)
        _read(adapter, source, writer)
        writer.finish()
        if _files(adapter, source) != found.files:
            writer.found("still-written", "files changed while they were read: the run may not be over")
        (folder / "record.json").write_bytes(_written(_header(found, writer)))
        shutil.rmtree(kept, ignore_errors=True)
        folder.rename(kept)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _read(adapter: Adapter, source: Source, writer: Writer) -> None:
    """Raises UsageError for files that aren't what the format's reader takes for granted, too."""
    try:
        adapter.read(source, writer)
    except MALFORMED as error:
        raise UsageError(
            f"{source.path} is not what {adapter.title} writes: {type(error).__name__}: {error}",
            remedy="are its files whole? --map FILE reads them by naming their columns",
        ) from error


def _checked(settings: Settings, path: Path) -> Settings:
    """Raises UsageError for a configuration with, say, a word for a number."""
    try:
        return msgspec.convert(msgspec.to_builtins(settings), Settings)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"{path}: the trainer's configuration says what no trainer is told: {error}",
            remedy="mend it, or give --config",
        ) from None


def _written(header: Header) -> bytes:
    """As JSON, also where a trainer's configuration holds what JSON can't: broken text, numbers beyond 64 bits."""
    try:
        return msgspec.json.encode(header)
    except (UnicodeEncodeError, OverflowError):
        return msgspec.json.encode(_writable(msgspec.to_builtins(header)))


def _writable(value: Any) -> Any:
    if isinstance(value, dict):
        return {_writable(name): _writable(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_writable(one) for one in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return str(value) if isinstance(value, int) and abs(value) >= 2**63 else value


def _header(found: Found, writer: Writer) -> Header:
    adapter = found.adapter
    return Header(
        adapter=adapter.name,
        adapter_version=adapter.version,
        known_by=found.how,
        trainer=writer.trainer or adapter.title,
        tested=adapter.tested,
        fingerprint=found.fingerprint,
        settings=_checked(writer.settings, found.source.path),
        config=writer.config,
        files=tuple(found.files),
        sources=tuple(writer.name(path) for path in writer.files),
        leaves=writer.leaves(),
        absent=writer.absent(),
        trained=writer.trained,
        findings=tuple(writer.findings),
        gaps=writer.gaps,
    )
