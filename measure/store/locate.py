"""Where an input is now, from its locator, and its digest there.

    package:corpora/integer.jsonl    shipped with the package
    shared:graders/gsm8k_test.jsonl  the shared corpora: $EVIDENCE_LENS_SHARED, or `shared` beside the checkout
    file:rollouts.jsonl              a path, read from the site's folder, then from the working directory
    run:outputs/run                  a run of RL, as `lens measure run` is told of it; its digest is its fingerprint
    organism:length                  the pairs of a planted model, where it has been built
    evidence:<id>                    another record; its digest is the content digest
    derived from <locator> sha256:<digest>
                                     rows made from a source: the source is looked at, and the rows stand while
                                     it and the instrument's version do

A release (`pypi:...`) never changes; the subject's fingerprint covers it. A `#part` after the path is for readers and
is not looked at: the digest is always of the whole file, or, for a folder, of its files' names and digests.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from lens.canonical import digest, file_digest
from lens.resource import resource

_DERIVED = re.compile(r"derived from (.+) sha256:([0-9a-f]{64})")


class Locator:
    """Finds inputs for a store at `root`; a file's digest is taken once while it doesn't change."""

    def __init__(self, root: Path, content: Callable[[str], str | None]) -> None:
        self._root = root.absolute()
        self._content = content
        self._seen: dict[tuple[Path, int, int], str] = {}
        self._runs: dict[str, str | None] = {}

    def changed(self, locator: str, digest: str) -> tuple[bool | None, str]:
        """Whether the input has another digest now, and how; None and why where that can't be told here."""
        if derived := _DERIVED.fullmatch(locator):
            locator, digest = derived.groups()
        now, why = self._now(locator)
        if now is None:
            return None, why
        return now != digest, f"{locator} is {now[:12]} now, was {digest[:12]} when measured"

    def _now(self, locator: str) -> tuple[str | None, str]:
        scheme, _, rest = locator.partition(":")
        name = rest.partition("#")[0]
        if scheme == "evidence":
            return self._content(name), f"no record {name} here"
        if scheme == "run":
            return self._run(rest), f"{rest} isn't on this machine"
        finder = _FINDERS.get(scheme)
        if finder is None:
            return None, f"{locator!r} doesn't say where to look" if locator else "it doesn't say where to look"
        path = finder(name, self._root)
        if path is None:
            return None, f"{locator} isn't on this machine"
        return self._digest(path), ""

    def _run(self, typed: str) -> str | None:
        if typed not in self._runs:
            from lens.errors import UsageError
            from lens.runs.opening import fingerprint_here

            try:
                self._runs[typed] = fingerprint_here(typed)
            except (UsageError, ValueError):
                self._runs[typed] = None
        return self._runs[typed]

    def _digest(self, path: Path) -> str:
        if path.is_dir():
            names = sorted(one for one in path.rglob("*") if one.is_file() and "__pycache__" not in one.parts)
            return digest({one.relative_to(path).as_posix(): self._digest(one) for one in names})
        status = path.stat()
        key = (path, status.st_mtime_ns, status.st_size)
        if key not in self._seen:
            self._seen[key] = file_digest(path)
        return self._seen[key]


def _package(name: str, _root: Path) -> Path | None:
    try:
        return resource(f"data/{name}")
    except FileNotFoundError:
        return None


def _shared(name: str, root: Path) -> Path | None:
    told = os.environ.get("EVIDENCE_LENS_SHARED")
    bases = [Path(told)] if told else [root.parent.parent / "shared", Path.cwd().parent / "shared"]
    return _first(base / "data" / name for base in bases)


def _file(name: str, root: Path) -> Path | None:
    return _first(base / name for base in (root.parent, Path.cwd()))


def _organism(name: str, _root: Path) -> Path | None:
    from lens.errors import UsageError
    from lens.models.organisms import standing

    try:
        folder = standing(f"organism:{name}")
    except UsageError:
        return None
    return folder and _first([folder / "pairs.jsonl"])


def _first(paths: Iterable[Path]) -> Path | None:
    return next((path for path in paths if path.exists()), None)


_FINDERS: dict[str, Callable[[str, Path], Path | None]] = {
    "package": _package,
    "shared": _shared,
    "file": _file,
    "organism": _organism,
}
