"""`data/croissant.json`: the evidence as a Croissant data set, so that loaders find its fields by name."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from site_builder.context import Site

_TYPES = {
    "value": "sc:Float",
    "of": "sc:Integer",
    "low": "sc:Float",
    "high": "sc:Float",
    "n": "sc:Integer",
    "n_eff": "sc:Integer",
}
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "conformsTo": "http://purl.org/dc/terms/conformsTo",
    "column": "cr:column",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "recordSet": "cr:recordSet",
    "source": "cr:source",
}


def croissant(site: Site, fields_csv: bytes, columns: tuple[str, ...]) -> bytes:
    """Metadata for `data/fields.csv`, one record a field of evidence."""
    url = f"{site.words.url}data/fields.csv"
    fields: list[dict[str, Any]] = [
        {
            "@type": "cr:Field",
            "@id": f"fields/{column}",
            "name": column,
            "dataType": _TYPES.get(column, "sc:Text"),
            "source": {"fileObject": {"@id": "fields.csv"}, "extract": {"column": column}},
        }
        for column in columns
    ]
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"{site.words.title} evidence",
        "description": site.words.description,
        "url": site.words.url,
        "license": site.words.licence,
        "creator": {"@type": "sc:Organization", "name": site.words.author or site.words.title},
        "datePublished": site.clock[:10],
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": "fields.csv",
                "name": "fields.csv",
                "contentUrl": url,
                "encodingFormat": "text/csv",
                "sha256": sha256(fields_csv).hexdigest(),
            }
        ],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "fields", "name": "fields", "field": fields}],
    }
    return json.dumps(described, indent=1, ensure_ascii=False).encode() + b"\n"
