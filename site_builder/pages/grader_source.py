"""`graders/<slug>/source/`: the grader's own text beside the marks, under `lens build --with-source` alone.

The text comes from the pinned release on this machine, with its licence; it is in no record and in no other build.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from lens.reading import Columns
from lens.source import source_text
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.writer import Writer

QUOTING = False
_KEYS = ("file", "function", "line", "dead", "from", "to")
_MARKS = {"blind-spot": "m", "not-told-apart": "o", "side-effect": "s"}


@dataclass
class Line:
    """One line: whether a corpus ran it, survivors, and branches never taken as (words, anchor, text there)."""

    number: int
    text: str
    anchor: str
    state: str = ""  # "ran", "gold" (gold answers never ran it), "none" (nothing did)
    marks: list[str] = field(default_factory=list)
    notes: list[tuple[str, str, str]] = field(default_factory=list)


def jobs(site: Site) -> Iterator[Job]:
    if not site.options.with_source:
        return
    for subject in site.graders:
        coverage = subject.records.get("branch-coverage")
        if coverage is not None and "lines" in coverage.evidence.tables:
            lines = site.lookup.table(coverage.id, "lines")
            names = sorted(set(lines.get("file", [])))
            texts = source_text(subject.kind, coverage.evidence.subject.spec, names)
            yield Job(f"{subject.path}source/", repr(texts), partial(_page, site, subject, lines, texts))


def _page(site: Site, subject: Subject, lines: Columns, texts: dict[str, str]) -> tuple[Page, Body]:
    coverage = subject.records["branch-coverage"]
    arcs = site.lookup.table(coverage.id, "arcs") if "arcs" in coverage.evidence.tables else {}
    survivors = subject.records.get("survivors")
    alive: Columns = {}
    if survivors is not None and "survivors" in survivors.evidence.tables:
        alive = site.lookup.table(survivors.id, "survivors")
    return Writer(site, f"{subject.path}source/").render(
        "source.html",
        f"{subject.name}: source",
        section="Graders",
        description=f"The source of {subject.name}, with the lines and branches its test answers never ran.",
        subject=subject,
        record=coverage,
        files=[(name, _listing(name, text, lines, arcs, alive)) for name, text in texts.items()],
        missing=sorted(set(lines.get("file", [])) - texts.keys()),
    )


def _listing(name: str, text: str, lines: Columns, arcs: Columns, alive: Columns) -> list[Line]:
    """The reached functions of one file, with a few lines around them."""
    corpora = [key for key in lines if key not in _KEYS]
    base = "gold" if "gold" in corpora else corpora[0]
    prefix = re.sub(r"[^a-z0-9]+", "-", name.lower())
    listing = [Line(at, row, f"{prefix}-l{at}") for at, row in enumerate(text.splitlines(), start=1)]
    shown: set[int] = set()
    for at, (file, number) in enumerate(zip(lines["file"], lines["line"], strict=True)):
        if file != name or not 0 < number <= len(listing):
            continue
        shown.update(range(number - 1, number + 2))
        if not lines.get("dead", [False] * len(lines["line"]))[at]:
            ran_any = any(lines[corpus][at] for corpus in corpora)
            listing[number - 1].state = "ran" if lines[base][at] else "gold" if ran_any else "none"
    for file, number, kind in zip(*(alive.get(key, []) for key in ("file", "line", "class")), strict=False):
        if file == name and 0 < number <= len(listing) and kind in _MARKS:
            listing[number - 1].marks.append(_MARKS[kind])
    for at, file in enumerate(arcs.get("file", [])):
        start, end = arcs["from"][at], arcs["to"][at]
        if file == name and 0 < start <= len(listing) and not arcs[base][at]:
            others = any(arcs[corpus][at] for corpus in corpora)
            words = "gold answers never go to" if others else "nothing goes to"
            inside = 0 < end <= len(listing)
            shown.update({end} if inside else ())
            target = listing[end - 1] if inside else None
            note = (words, target.anchor, target.text.strip()) if target else (f"{words.removesuffix('to')}on", "", "")
            listing[start - 1].notes.append(note)
    return [line for line in listing if line.number in shown]
