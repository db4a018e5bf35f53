"""A model's files: found on disk or on the hub, refused where they can't be trusted, and fingerprinted by content."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lens.errors import UsageError

_HUB = re.compile(r"[\w.-]+/[\w.-]+(@[\w./-]+)?")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_READ = ("*.json", "*.safetensors", "*.model", "*.txt", "*.jinja", "*.py")


@dataclass(frozen=True)
class Folder:
    """A model folder that has passed its checks. `name` is what a person calls it."""

    path: Path
    name: str
    licence: str = ""

    @cached_property
    def config(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.path / "config.json").read_text())
        return found

    @cached_property
    def weights(self) -> tuple[Path, ...]:
        return tuple(sorted(self.path.glob("*.safetensors")))

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the names and contents of config, weights, tokenizer and template."""
        total = hashlib.sha256()
        texts = sorted(
            path for pattern in ("*.json", "*.model", "*.txt", "*.jinja") for path in self.path.glob(pattern)
        )
        for path in [*(path for path in texts if path.name not in _ABOUT), *self.weights]:
            with path.open("rb") as file:
                total.update(f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
        return total.hexdigest()


_ABOUT = ("README.txt", "training.json", "truth.json", "generation_config.json", "chain.json")
# these say what it is or how it was made, and change no reward


def find_folder(spec: str, *, offline: bool = False) -> Folder:
    """The checked folder of a path or a hub id (`org/name`, `org/name@revision`); `offline`, nothing is downloaded.

    Raises UsageError: nothing there, no config, an empty or torn weights file, a checkpoint that is pickle alone,
    and from the hub a gated repository or no network.
    """
    path = Path(spec).expanduser()
    if path.is_dir():
        return _checked(Folder(path.resolve(), path.resolve().name, _licence(path)))
    if path.exists():
        raise UsageError(f"{spec} is a file", remedy=f"name the folder it lies in: {path.parent}")
    if not _HUB.fullmatch(spec) or spec.startswith((".", "/", "~")):
        raise UsageError(f"there is no folder {spec}", remedy="name a folder, or a Hugging Face id such as org/name")
    repository, _, revision = spec.partition("@")
    found = _download(repository, revision or None, offline)
    return _checked(Folder(found, repository, _licence(found)))


def _checked(folder: Folder) -> Folder:
    path = folder.path
    if not (path / "config.json").is_file():
        raise UsageError(
            f"{path} holds no config.json",
            remedy="name the folder written by save_pretrained, not one above or below it",
        )
    try:
        folder.config  # noqa: B018  # read to see that it can be
    except ValueError as error:
        raise UsageError(f"{path / 'config.json'} is not JSON: {error}", remedy="download the file again") from None
    if not folder.weights:
        pickles = [one.name for pattern in _PICKLES for one in path.glob(pattern)]
        if pickles:
            raise UsageError(
                f"{folder.name} holds only pickled weights ({', '.join(pickles[:3])}), which run code when loaded",
                remedy="convert them once where you trust them: model.save_pretrained(FOLDER, safe_serialization=True)",
            )
        raise UsageError(f"{path} holds no *.safetensors", remedy="download the weights too: hf download ORG/NAME")
    for one in folder.weights:
        _whole(one)
    return folder


def _whole(path: Path) -> None:
    """Raises UsageError for a safetensors file that is empty or shorter than its header says."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(8)
        length = int.from_bytes(head, "little")
        text = file.read(length) if len(head) == 8 and length <= size - 8 else b""
    try:
        ends = [one["data_offsets"][1] for name, one in json.loads(text).items() if name != "__metadata__"]
        whole = 8 + length + max(ends, default=0) == size
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise UsageError(
            f"{path.name} has {size:,} bytes and is not a whole safetensors file: a download or copy was cut short",
            remedy=f"download it again; delete {path} first",
        )


def _download(repository: str, revision: str | None, offline: bool) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        GatedRepoError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        return Path(
            snapshot_download(repository, revision=revision, allow_patterns=list(_READ), local_files_only=offline)
        )
    except GatedRepoError:
        raise UsageError(
            f"{repository} is gated and no token with access was given",
            remedy=f"accept its terms at https://huggingface.co/{repository}, then: hf auth login",
        ) from None
    except RepositoryNotFoundError:
        raise UsageError(
            f"the hub knows no model {repository} (or it is private)",
            remedy="check the spelling; for a private one: hf auth login",
        ) from None
    except RevisionNotFoundError:
        raise UsageError(
            f"{repository} has no revision {revision}",
            remedy=f"name a branch, tag or commit it has, or leave it out: {repository} without @{revision}",
        ) from None
    except (LocalEntryNotFoundError, OSError) as error:
        raise UsageError(
            f"{repository} is not on this machine and the hub can't be reached: {type(error).__name__}",
            remedy=f"where there is a network: hf download {repository}, then name the folder",
        ) from None


def _licence(path: Path) -> str:
    """The licence named in a model card's front matter, if there is one."""
    card = path / "README.md"
    match = re.search(r"^license:\s*(\S+)", card.read_text(errors="replace"), re.M) if card.is_file() else None
    return match[1] if match else ""
