"""`data/models/SLUG/model-index.yml`: a reward model's measured headlines as Hugging Face model cards carry them.

To be put at the head of the model's README.md. Declined and reported figures are left out: a model index has no word
for either. Every value names its source, the record's permalink, and its interval.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lens.names import kebab
from lens.reading import Measured, Quantity
from site_builder import links, wording

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site, Subject, Words


def path(slug: str) -> str:
    """Where it lies, from the root."""
    return f"data/models/{slug}/model-index.yml"


def model_index(site: Site, subject: Subject) -> dict[str, Any]:
    """The metadata of one model; `results` is empty where nothing was measured on a data set that has a name."""
    return of_records(subject.name, subject.records.values(), site.words)


def of_records(name: str, records: Iterable[Record], words: Words) -> dict[str, Any]:
    """The same of a model's records, published under the site's own words."""
    results = [one for record in records if (one := _result(words, record)) is not None]
    return {"model-index": [{"name": name, "results": results}]}


def _result(site: Words, record: Record) -> dict[str, Any] | None:
    evidence = record.evidence
    reading = evidence.reading
    if not isinstance(reading, Measured) or not evidence.inputs:
        return None
    field = reading.fields[reading.headline]
    if not isinstance(field, Quantity):
        return None
    pairs, words = evidence.inputs[0], wording.of(evidence.instrument)
    metric: dict[str, Any] = {
        "type": f"{evidence.instrument}.{reading.headline}",
        "name": wording.phrase(evidence.instrument, reading.headline, "the model", field.unit),
        "value": field.value / field.of if field.of else field.value,
    }
    if field.interval is not None:
        metric["args"] = {name: getattr(field.interval, name) for name in ("low", "high", "level", "method")}
    return {
        "task": {"type": "text-classification", "name": words.title},
        "dataset": {"name": pairs.name, "type": kebab(pairs.name), "revision": pairs.digest},
        "metrics": [metric],
        "source": {"name": f"{site.title}, {record.id}", "url": site.url + links.evidence(record.id)},
    }


def as_yaml(value: Any) -> bytes:
    """Maps, lists and scalars as YAML; strings and numbers as JSON writes them, which YAML reads the same."""
    return ("\n".join(_lines(value)) + "\n").encode()


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            if isinstance(one, (dict, list)) and one:
                yield f"{name}:"
                yield from (f"  {line}" for line in _lines(one))
            else:
                yield f"{name}: {json.dumps(one, ensure_ascii=False)}"
    else:
        for one in value:
            first, *rest = _lines(one)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
