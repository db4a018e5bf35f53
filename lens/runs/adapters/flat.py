"""The flat record itself, as the tap writes it: read where it lies."""

from __future__ import annotations

from pathlib import Path

from lens.runs.adapter import Adapter, Source
from lens.runs.writer import Writer


def recognise(source: Source) -> str:
    there = (source.path / "record.json").is_file()
    return "record.json with rollouts/*.parquet beside it" if there else ""


def files(source: Source) -> list[Path]:
    return [source.path / "record.json", *source.files("*/*.parquet")]


def read(_source: Source, _writer: Writer) -> None:
    """Nothing to convert: `open_run` opens the folder as it is."""


ADAPTER = Adapter(
    name="flat",
    title="Flat record",
    layout="record.json and rollouts/*.parquet",
    versions="evidence-lens 0.1",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=0,
    in_place=True,
)
