"""Opening a run: its format found, its files digested, and read once into a flat record that is kept."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import msgspec

from lens.canonical import digest, file_digest
from lens.errors import UsageError
from lens.resource import cache_folder, shared_folder
from lens.runs.adapter import Adapter, Source, adapters, detect
from lens.runs.header import File, Header
from lens.runs.record import Record, open_folder
from lens.runs.writer import Writer

SHARED = "shared:"  # before a path among the published corpora, so that a command is the same on every machine


def place(spec: str) -> Path:
    """Where the run a person named lies: a path, or `shared:PATH` among the published corpora."""
    return shared_folder() / "data" / spec.removeprefix(SHARED) if spec.startswith(SHARED) else Path(spec)


def open_run(spec: str, *, config: str = "", map: str = "", name: str = "") -> Record:
    """The run at a path, read into a flat record in the cache the first time.

    Raises UsageError for a path that isn't there, a layout no format recognises, and damaged files, with file and line.
    Nothing half-read is kept.
    """
    path = place(spec)
    source = Source(path, place(config) if config else None, place(map) if map else None)
    for extra in (source.config, source.map):
        if extra is not None and not extra.is_file():
            raise UsageError(f"no file at {extra}")
    name = name or path.resolve().name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".parquet")
    adapter, how = (adapters()["mapped"], "a mapping was given") if map else detect(source)
    if adapter.in_place:
        return open_folder(path, name, spec)
    files = _files(adapter, source)
    fingerprint = digest({"adapter": adapter.name, "files": [one.digest for one in files], "version": adapter.version})
    kept = cache_folder() / "runs" / fingerprint
    if not (kept / "record.json").is_file():
        _convert(adapter, how, source, files, fingerprint, kept)
    return open_folder(kept, name, spec)


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


def _convert(adapter: Adapter, how: str, source: Source, files: list[File], fingerprint: str, kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".reading-", dir=kept.parent))
    try:
        writer = Writer(folder, source.path)
        adapter.read(source, writer)
        writer.finish()
        if _files(adapter, source) != files:
            writer.found("still-written", "files changed while they were read: the run may not be over")
        (folder / "record.json").write_bytes(msgspec.json.encode(_header(adapter, how, writer, files, fingerprint)))
        shutil.rmtree(kept, ignore_errors=True)
        folder.rename(kept)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _header(adapter: Adapter, how: str, writer: Writer, files: list[File], fingerprint: str) -> Header:
    return Header(
        adapter=adapter.name,
        adapter_version=adapter.version,
        known_by=how,
        trainer=writer.trainer or adapter.title,
        tested=adapter.tested,
        fingerprint=fingerprint,
        settings=writer.settings,
        config=writer.config,
        files=tuple(files),
        sources=tuple(writer.name(path) for path in writer.files),
        leaves=writer.leaves(),
        absent=writer.absent(),
        trained=writer.trained,
        findings=tuple(writer.findings),
        gaps=writer.gaps,
    )
