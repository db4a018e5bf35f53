"""Checkpoints of one training as a chain: each link holds the digest of its weights and of the link before it.

`chain.json` in the final model's folder lists them, oldest first: `step`, `folder` (relative), `digest` of its config,
weights and tokenizer, `link`, the SHA-256 of the link before and this digest. Made by

    python -m lens.models.chain FOLDER

from the folders `checkpoint-STEP` that trainers write.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from lens.errors import UsageError
from lens.models.folder import find_folder

NAME = "chain.json"
_STEP = re.compile(r"checkpoint-(\d+)")


class Link(NamedTuple):
    """One checkpoint; `path` is its folder here."""

    step: int
    path: Path
    digest: str


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    step: int
    folder: str
    digest: str
    link: str


def read_chain(folder: Path) -> list[Link]:
    """The verified checkpoints of a model's folder, by step; none where it has no chain.

    Raises UsageError for a file that is no chain, steps out of order, a checkpoint that isn't there, and one that is
    not what the chain says.
    """
    path = folder / NAME
    if not path.is_file():
        return []
    again = "make it again where the checkpoints are whole: python -m lens.models.chain FOLDER"
    name = f"{NAME} of {folder.name}"
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=list[_Entry])
    except msgspec.DecodeError as error:
        raise UsageError(f"{name} is no chain of checkpoints: {error}", remedy=again) from None
    links: list[Link] = []
    link = ""
    for entry in entries:
        if links and entry.step <= links[-1].step:
            raise UsageError(f"{name}: step {entry.step} comes after step {links[-1].step}", remedy=again)
        link = _link(link, entry.digest)
        if link != entry.link:
            raise UsageError(f"{name}: step {entry.step} doesn't follow from the one before it", remedy=again)
        place = folder / entry.folder
        if find_folder(str(place)).digest != entry.digest:
            raise UsageError(f"{entry.folder} is not the checkpoint that {name} lists", remedy=again)
        links.append(Link(entry.step, place, entry.digest))
    return links


def folder_of(model: Any) -> Path | None:
    """The folder that an opened model was read from, where its chain would lie; None for one put together here."""
    place = getattr(getattr(model, "network", None), "name_or_path", "")
    return Path(place) if place and Path(place).is_dir() else None


def write_chain(folder: Path) -> list[Link]:
    """List the folders `checkpoint-STEP` in `folder`, and return them. Raises UsageError for fewer than two."""
    found = sorted(
        (int(match[1]), path) for path in folder.iterdir() if (match := _STEP.fullmatch(path.name)) and path.is_dir()
    )
    if len(found) < 2:
        raise UsageError(
            f"{folder} holds {len(found)} folders checkpoint-STEP", remedy="name the folder a trainer wrote them to"
        )
    entries, link = [], ""
    for step, path in found:
        digest = find_folder(str(path)).digest
        link = _link(link, digest)
        entries.append(_Entry(step, path.name, digest, link))
    (folder / NAME).write_bytes(msgspec.json.format(msgspec.json.encode(entries)))
    return [Link(entry.step, folder / entry.folder, entry.digest) for entry in entries]


def _link(before: str, digest: str) -> str:
    return hashlib.sha256(f"{before} {digest}".encode()).hexdigest()


if __name__ == "__main__":
    for one in write_chain(Path(sys.argv[1])):
        print(one.step, one.digest[:12])  # a command
