"""The atlas in the forms it is exported in: text, JSON, a page that stands alone, Hugging Face's model-index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from site_builder.views.atlas import KINDS, Place

if TYPE_CHECKING:
    from site_builder.lookup import Lookup


def as_text(_lookup: Lookup, places: list[Place]) -> str:
    """A line a subject: how many of its records are in which state, and how far they are trusted."""
    lines = []
    for place in places:
        states = Counter(one.state.replace("-", " ") for one in place.lines.values())
        trust = Counter(one.trust for one in place.lines.values() if one.state == "measured")
        told = ", ".join(f"{count} {state}" for state, count in states.most_common())
        trusted = ", ".join(f"{count} {level}" for level, count in trust.most_common())
        lines.append(f"{place.kind}/{place.slug}: {told}" + (f"; {trusted}" if trusted else ""))
    return "".join(f"{one}\n" for one in lines) or "the store holds no subject\n"


def as_json(_lookup: Lookup, places: list[Place]) -> str:
    return msgspec.json.format(msgspec.json.encode(places), indent=2).decode() + "\n"


def as_html(_lookup: Lookup, places: list[Place]) -> str:
    """One file without links, scripts or styles from elsewhere."""
    from lens.resource import resource
    from site_builder.env import environment

    css = (resource("templates") / "site.css").read_text("utf-8")
    kinds = [(kind, [one for one in places if one.kind == kind]) for kind in KINDS]
    return environment().get_template("atlas_alone.html").render(css=css, kinds=[one for one in kinds if one[1]]) + "\n"


def as_model_index(lookup: Lookup, places: list[Place]) -> str:
    """A YAML document a model that has results, each as the model's own card carries it."""
    from site_builder.context import Words
    from site_builder.model_index import as_yaml, of_records

    words = Words.read(Path("content"))
    documents = []
    for place in places:
        if place.kind == "models":
            found = of_records(place.name, (lookup.record(one.id) for one in place.lines.values()), words)
            if found["model-index"][0]["results"]:
                documents.append(as_yaml(found).decode())
    return "---\n".join(documents) or "# no model was measured on data that has a name\n"


FORMS: dict[str, Callable[[Lookup, list[Place]], str]] = {
    "text": as_text,
    "json": as_json,
    "html": as_html,
    "model-index": as_model_index,
}
