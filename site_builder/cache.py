"""Rendered pages between builds. Whatever could change a page is in its key, so that a build from the cache and a
clean one give the same bytes; a cache that can't be read is an empty one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

import lens
from lens.resource import resource
from site_builder.context import Job, Options, Page, Site


class Written(msgspec.Struct, frozen=True):
    """A laid-out page as it was written: `stat` is its file's size and time, to know that it is still that."""

    key: str
    stat: tuple[int, int]
    anchors: list[str]
    links: list[str]


class _Kept(msgspec.Struct):
    site: str = ""
    pages: dict[str, tuple[str, Page]] = {}
    written: dict[str, Written] = {}


class Cache:
    """`page(job)` makes a page or returns the one made before; `written` holds what lies in the output folder."""

    def __init__(self, file: Path, site_key: str) -> None:
        self.file = file
        self.site_key = site_key
        self.keys: dict[str, str] = {}
        self._old = _read(file, site_key)
        self._new = _Kept(site_key)

    @classmethod
    def open(cls, options: Options, site: Site) -> Cache:
        return cls(options.cache / "pages.msgpack", _site_key(options, site))

    def page(self, job: Job) -> Page:
        key = _digest(job.key)
        kept = self._old.pages.get(job.path)
        page = kept[1] if kept is not None and kept[0] == key else job.make()
        self._new.pages[job.path] = (key, page)
        self.keys[job.path] = key
        return page

    def written(self, path: str) -> Written | None:
        return self._old.written.get(path)

    def keep(self, path: str, written: Written) -> None:
        self._new.written[path] = written

    def save(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        partial = self.file.with_suffix(".part")
        partial.write_bytes(msgspec.msgpack.encode(self._new))
        partial.replace(self.file)


def _read(file: Path, site_key: str) -> _Kept:
    try:
        kept = msgspec.msgpack.decode(file.read_bytes(), type=_Kept)
    except (OSError, msgspec.DecodeError):
        return _Kept()
    return kept if kept.site == site_key else _Kept()


def _site_key(options: Options, site: Site) -> str:
    """Everything any page may depend on: the store, the site's words, the options, the templates, the code."""
    manifest = options.data / "manifest.jsonl"
    published = options.data / "published.jsonl"
    parts = [
        *(file.read_bytes() if file.is_file() else b"" for file in (manifest, published)),
        repr(site.words).encode(),
        repr(options).encode(),
        lens.__version__.encode(),
        *(
            f"{file}{status.st_size}{status.st_mtime_ns}".encode()
            for folder in (Path(__file__).parent, resource("templates"), Path(lens.__file__).parent)
            for file in sorted(folder.rglob("*"))
            if file.suffix != ".pyc" and file.is_file()
            for status in [file.stat()]
        ),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
