"""`safety-cases/`: every case under `content/safety-cases/`, held against the store, a page each and one that lists
them. A case that is refused stands as large as one that holds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from site_builder.context import Body, Job, Page, Site
from site_builder.views.safety_case import case, read
from site_builder.writer import Writer

QUOTING = True
FOLDER = "safety-cases"


def jobs(site: Site) -> Iterator[Job]:
    files = sorted((site.options.content / FOLDER).glob("*.toml"))
    for file in files:
        yield Job(f"{FOLDER}/{file.stem}/", file.read_text("utf-8"), partial(_page, site, file))
    if files:
        text = "".join(file.read_text("utf-8") for file in files)
        yield Job(f"{FOLDER}/", text, partial(_index, site, files))


def _page(site: Site, file: Path) -> tuple[Page, Body]:
    found = case(site.lookup, read(file))
    return Writer(site, f"{FOLDER}/{file.stem}/", quoting=True).render(
        "safety_case.html",
        found.title,
        section="Evidence",
        description=f"A safety case that {'holds' if found.holds else 'is refused'}: {found.claim}",
        case=found,
    )


def _index(site: Site, files: list[Path]) -> tuple[Page, Body]:
    return Writer(site, f"{FOLDER}/", quoting=True).render(
        "safety_cases.html",
        "Safety cases",
        section="Evidence",
        description="Claims that rest on readings of this site, held against them part by part.",
        cases=[(f"{FOLDER}/{file.stem}/", case(site.lookup, read(file))) for file in files],
    )
