"""`downloads/`: the evidence as files, and how to take all of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    yield Job("downloads/", "", partial(_page, site))


def _page(site: Site) -> tuple[Page, Body]:
    writer = Writer(site, "downloads/")
    base = site.words.url
    writer.jsonld = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": f"{site.words.title}: evidence",
        "description": site.words.description,
        "url": f"{base}downloads/",
        "license": site.words.licence,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": site.words.author or site.words.title},
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": "text/csv", "contentUrl": f"{base}data/fields.csv"},
            {
                "@type": "DataDownload",
                "encodingFormat": "application/jsonl",
                "contentUrl": f"{base}data/manifest.jsonl",
            },
        ],
    }
    return writer.render(
        "downloads.html", "Downloads", description="The evidence behind this site as JSON, CSV, Parquet and DuckDB."
    )
