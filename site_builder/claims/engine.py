"""The check as one readable page: read the files, ask the store, run the rules, take out what is waived."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lens.errors import StoreError, UsageError
from site_builder.claims.document import SYNTAXES, Document
from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import registry
from site_builder.claims.state import State, StoreState
from site_builder.claims.units import Units
from site_builder.claims.waivers import Waivers, split
from site_builder.lookup import Lookup

if TYPE_CHECKING:
    from measure.store import Store


@dataclass
class Report:
    """What a run found: findings in reading order, the files looked at, how many stamps held."""

    findings: list[Finding] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    stamps: int = 0
    waived: int = 0
    written: list[str] = field(default_factory=list)


class Checker:
    """Checks documents against one store. `without` leaves rules out, which only tests do."""

    def __init__(
        self, lookup: Lookup, state: State, units: Units, waivers: Waivers, *, without: Collection[str] = ()
    ) -> None:
        self.lookup = lookup
        self.state = state
        self.units = units
        self.waivers = waivers
        self.rules = [rule for code, rule in registry().items() if code not in without]

    @classmethod
    def of(cls, store: Store) -> Checker:
        """A checker over a store whose every byte has been compared with the manifest. Raises StoreError."""
        damaged = store.check_file_digests()
        if damaged:
            more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
            raise StoreError(f"{store.root}/{damaged[0]}{more}", remedy="lens evidence verify")
        return cls(Lookup(store), StoreState(store), Units(_units(store)), Waivers(store.root.parent / "claims.toml"))

    def page(self, document: Document, *, in_content: bool = False) -> Page:
        return Page(document, self.lookup, self.state, self.units, in_content=in_content)

    def check(self, page: Page, report: Report) -> None:
        """Adds what the rules find on one page."""
        entries = self.waivers.of(page.document.path)
        soft = [finding for rule in self.rules if rule.waivable for finding in rule.check(page, rule)]
        soft, page.waived = split(sorted(soft, key=lambda one: one.order), entries)
        hard = [finding for rule in self.rules if not rule.waivable for finding in rule.check(page, rule)]
        report.findings += sorted({*soft, *hard}, key=lambda one: one.order)
        report.files.append(page.document.path)
        report.stamps += len(page.stamps)
        report.waived += sum(used for _, used in page.waived)


def run(store: Store, paths: Iterable[Path], *, write: bool = False) -> Report:
    """Checks files and folders against `store`; with `write`, fills the stamps in first.

    Raises UsageError for a file that can't be read or written, StoreError for a damaged store.
    """
    documents = [Document.read(path) for path in _files(paths)]
    checker = Checker.of(store)
    content = (store.root.parent / "content").resolve()
    report = Report()
    for document in documents:
        in_content = Path(document.path).resolve().is_relative_to(content)
        page = checker.page(document, in_content=in_content)
        if write and (text := filled(page)) != document.text:
            _replace(Path(document.path), text)
            report.written.append(document.path)
            page = checker.page(Document(document.path, text, document.syntax), in_content=in_content)
        checker.check(page, report)
    return report


def filled(page: Page) -> str:
    """The page's text with every stamp that has an answer showing it; a stamp whose pin fails keeps its text."""
    text, at = [], 0
    for stamp, answer in sorted(page.answers, key=lambda pair: pair[0].start):
        pinned = all(cited.record.digest.startswith(stamp.pin) for cited in answer.cited)
        if answer.error is None and pinned and stamp.shown_start >= at:
            text += [page.document.text[at : stamp.shown_start], answer.expected]
            at = stamp.shown_end
    return "".join(text) + page.document.text[at:]


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            found = sorted(one for one in path.rglob("*") if one.suffix.lower() in SYNTAXES and _ours(one, path))
            if not found:
                raise UsageError(f"{path}: no file we can read in it", remedy=" ".join(sorted(SYNTAXES)))
            yield from found
        else:
            yield path


def _ours(file: Path, folder: Path) -> bool:
    """Whether a file in a folder is a text of its own: nothing hidden, built (`_site`) or installed."""
    inside = file.relative_to(folder).parts
    return file.is_file() and not any(part[0] in "._" or part == "node_modules" for part in inside)


def _replace(path: Path, text: str) -> None:
    """Writes a whole file or nothing, with the mode it had."""
    import tempfile

    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
        temporary.chmod(path.stat().st_mode)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise UsageError(f"{path}: can't be written: {error.strerror}", remedy="the file is as it was") from error


def _units(store: Store) -> set[str]:
    """What the store counts, from the manifest's prints: `5 of 374 mutants`."""
    prints = {text for line in store.manifest() for text in line.fields.values() if text[:1].isdigit()}
    return {text.rpartition(" ")[2] for text in prints}
