"""What a flat record says about itself: `record.json`."""

from __future__ import annotations

from typing import Any

import msgspec

from lens.runs.settings import Settings

FORMAT = "evidence-lens run record 1"


class File(msgspec.Struct, frozen=True):
    """One of the trainer's files; `name` is relative to the run's folder."""

    name: str
    digest: str
    bytes: int


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that reading the files brought to light and that no reading may hide: `code` is a short kebab word
    (`torn-line`, `reused-rows`, `dropped-rows`, `overwritten-column`), `rows` how many rollouts it touches."""

    code: str
    detail: str
    file: str = ""
    line: int = 0
    rows: int = 0


class Gap(msgspec.Struct, frozen=True):
    """Something the format or this run's files don't carry; `remedy` names the trainer's option that writes it."""

    detail: str
    remedy: str


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """`leaves` are the names after `score.`; `absent` counts, by column, rows of files that lack it: not abstentions.

    `trained` is how many rollouts the trainer says went into its updates, None where it doesn't say.
    `sources` are the files that `rollouts.file` counts.
    """

    format: str = FORMAT
    adapter: str
    adapter_version: int
    known_by: str
    trainer: str
    tested: str
    fingerprint: str
    settings: Settings
    config: dict[str, Any] = {}
    files: tuple[File, ...] = ()
    sources: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    absent: dict[str, int] = {}
    trained: int | None = None
    findings: tuple[Finding, ...] = ()
    gaps: dict[str, Gap] = {}
