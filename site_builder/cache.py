"""Rendered pages between builds. Whatever could change a page is in its key, so that a build from the cache and a
clean one give the same bytes; a cache that can't be read is an empty one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

import lens
from lens.resource import resource
from site_builder.context import Body, Job, Options, Page, Site
from site_builder.output import Placed, key_of

_encode = msgspec.msgpack.Encoder().encode
_body = msgspec.msgpack.Decoder(Body).decode


class Kept(msgspec.Struct, array_like=True):
    """One page: its key, what other pages need to know of it, and its body, decoded only when it is laid out."""

    key: str
    page: Page
    body: msgspec.Raw
    opens: list[str] = []  # what its sheets show
    files: dict[str, str] = {}  # what stands for the content of each of its own files
    anchors: list[str] = []
    links: list[str] = []
    laid_out: str = ""  # what the anchors and links were read from
    digits: int = 0  # as read back, outside code
    allowed: dict[str, int] = {}  # of these, the ones that stand without evidence, by token class


class _File(msgspec.Struct):
    site: str = ""
    pages: dict[str, Kept] = {}
    placed: dict[str, Placed] = {}


_decode = msgspec.msgpack.Decoder(_File).decode


class Cache:
    """`page(job)` makes a page or returns the one made before; `placed` is what lies in the output folder."""

    def __init__(self, file: Path, site_key: str) -> None:
        self.file = file
        self.site_key = site_key
        self._old = _read(file, site_key)
        self._new = _File(site_key)

    @classmethod
    def open(cls, options: Options, site: Site) -> Cache:
        return cls(options.cache / "pages.msgpack", _site_key(options, site))

    @property
    def placed(self) -> dict[str, Placed]:
        return self._old.placed

    def page(self, job: Job) -> Page:
        """The page of a job, made again only where what it depends on has changed."""
        key = hashlib.sha256(job.key.encode()).hexdigest()
        kept = self._old.pages.get(job.path)
        if kept is None or kept.key != key:
            page, body = job.make()
            kept = Kept(key, page, msgspec.Raw(_encode(body)), list(body.sheets))
            kept.files = {name: key_of(data) for name, data in body.files.items()}
        self._new.pages[job.path] = kept
        return kept.page

    def kept(self, path: str) -> Kept:
        return self._new.pages[path]

    def body(self, path: str) -> Body:
        """What is on a page; kept encoded, so that a site of many pages stays small in memory."""
        return _body(self._new.pages[path].body)

    def save(self, placed: dict[str, Placed]) -> None:
        self._new.placed = placed
        self.file.parent.mkdir(parents=True, exist_ok=True)
        partial = self.file.with_suffix(".part")
        partial.write_bytes(_encode(self._new))
        partial.replace(self.file)


def _read(file: Path, site_key: str) -> _File:
    """The last build's pages where they still hold, and in any case what it put in place."""
    try:
        kept = _decode(file.read_bytes())
    except (OSError, msgspec.DecodeError):
        return _File()
    return kept if kept.site == site_key else _File(placed=kept.placed)


def _site_key(options: Options, site: Site) -> str:
    """Everything any page may depend on: the store, the site's words, the options, the templates, the code."""
    files = (options.data / "manifest.jsonl", options.data / "published.jsonl")
    parts = [
        *(file.read_bytes() if file.is_file() else b"" for file in files),
        repr((site.words, options.with_source, lens.__version__)).encode(),
        *(
            f"{file}{status.st_size}{status.st_mtime_ns}".encode()
            for folder in (Path(__file__).parent, resource("templates"))
            for file in sorted(folder.rglob("*"))
            if file.suffix != ".pyc"
            for status in [file.stat()]
        ),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
