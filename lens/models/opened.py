"""A folder opened with its network and its tokenizer: what every reward that is read off one network begins with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.models.adapters import Loading
from lens.models.folder import Folder, find_folder
from lens.models.network import load, pick_device, pick_dtype
from lens.models.subject import fingerprint, of_options, slug_of
from lens.models.text import Writer, open_tokenizer

if TYPE_CHECKING:
    from lens.models.architectures import Architecture


@dataclass(frozen=True)
class Opened:
    """`architecture` is the class-A one of this network, if it has one."""

    folder: Folder
    network: Any
    writer: Writer
    architecture: Architecture | None
    device: str
    dtype: str

    def whose(self, how: Loading, kind: str = "", **options: str) -> dict[str, Any]:
        """The fields by which a model is told from others; `options` are those that change its rewards."""
        slug, title = slug_of(self.folder.name), self.folder.name
        made = of_options(fingerprint(self.folder, self.network, self.dtype), kind, **options)
        return {
            "slug": f"{kind}-{slug}" if kind else slug,
            "title": f"{title} ({kind})" if kind else title,
            "spec": how.spec,
            "fingerprint": made,
            "licence": self.folder.licence,
            "device": self.device,
            "dtype": self.dtype,
            "network": self.network,
            "writer": self.writer,
        }


def open_network(auto: str, place: str, how: Loading) -> Opened:
    """The folder or hub id `place` as the library's class `auto`. Raises UsageError as folder and network say."""
    from lens.models.architectures import architectures

    folder = find_folder(place)
    device = pick_device(how.device)
    dtype = pick_dtype(how.dtype, device)
    architecture = architectures().get(folder.config.get("model_type", ""))
    network = load(
        auto,
        folder,
        device=device,
        dtype=dtype,
        attention=architecture.ATTENTION if architecture else "eager",
        trust_remote_code=how.trust_remote_code,
    )
    tokenizer = open_tokenizer(folder.path, trust_remote_code=how.trust_remote_code)
    writer = Writer.of(tokenizer, network, causal=architecture is not None)
    return Opened(folder, network, writer, architecture, device, dtype)
