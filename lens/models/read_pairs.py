"""Pairs of yours or of the world: a JSONL, JSON, CSV or Parquet file, a published set by name, a Hugging Face set."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from lens.canonical import digest, file_digest
from lens.errors import UsageError
from lens.models.layouts import of_rows
from lens.models.pairs import Pairs
from lens.names import kebab
from lens.records import records
from lens.resource import shared_folder

_HUB = re.compile(r"(?:hf:)?(?P<name>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w.-]+))?(?::(?P<split>[\w.-]+))?")


def read_pairs(spec: str, shared: Path | None = None) -> Pairs:
    """The pairs that `spec` names.

        pairs.jsonl                a file (also .json, .csv, .parquet; gzipped or not)
        judgebench                 a published set, read from the shared folder (`lens.models.sources`)
        owner/name[@revision][:split]   a Hugging Face data set, through the `datasets` library

    Raises UsageError for what isn't there, an empty file, a row that can't be read (its line), columns none of whose
    layouts fits, and a set that holds no pair.
    """
    from lens.models.sources import sources

    path = Path(spec)
    if path.is_file():
        return of_rows(
            kebab(path.name.split(".")[0], "pairs"), records(path), path.name, file_digest(path), f"file:{path}"
        )
    if spec in sources():
        return sources()[spec].read(shared or shared_folder())
    if path.suffix.lower() in (".jsonl", ".ndjson", ".json", ".csv", ".parquet", ".gz") or path.is_dir():
        raise UsageError(f"no file of pairs at {spec}", remedy="check the path: one file, one pair a row")
    if (hub := _HUB.fullmatch(spec)) is not None:
        return _from_hub(**hub.groupdict())
    near = difflib.get_close_matches(spec, sources(), n=1)
    raise UsageError(
        f"no pairs are called {spec!r}, and no file of that name is here",
        remedy=f"did you mean {near[0]}?"
        if near
        else f"a file, owner/name of a data set, or one of {', '.join(sources())}",
    )


def _from_hub(name: str, revision: str | None, split: str | None) -> Pairs:
    try:
        import datasets
    except ImportError:
        raise UsageError(
            f"{name} is read through the datasets library, which isn't installed",
            remedy="pip install datasets; or give a JSONL or Parquet file, or the name of a published set",
        ) from None
    told = f"{name}{f'@{revision}' if revision else ''}"
    try:
        found = datasets.load_dataset(name, revision=revision, split=split)
    except Exception as error:  # the library raises its own, the hub's and the network's
        raise UsageError(
            f"{told} can't be loaded: {_why(error)}",
            remedy="check the name, the split and the network; HF_TOKEN for a gated set; or give a file",
        ) from None
    if split is None:
        splits = list(found)
        if len(splits) != 1 and "train" not in splits:
            raise UsageError(f"{told} has the splits {', '.join(splits)}", remedy=f"name one: {name}:{splits[0]}")
        split = "train" if "train" in splits else splits[0]
        found = found[split]
    rows = [dict(row) for row in found]
    licence = str(getattr(getattr(found, "info", None), "license", "") or "unknown")
    locator = f"hf:{told}:{split}"
    return of_rows(kebab(name.split("/")[1], "pairs"), enumerate(rows, start=1), told, digest(rows), locator, licence)


def _why(error: Exception) -> str:
    line = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {line}"[:300]
