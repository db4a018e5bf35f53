"""A reward model by the name a person types.

org/name, org/name@revision, path/to/folder      a sequence classifier with a scalar head
path?readout=1-0                                 the same, the reward being row 1 less row 0 of its head
organism:length                                  a planted model of ours, built when it isn't there yet
dpo:policy+reference?beta=0.1                    any other kind is a word and a colon; see lens.models.adapters
ensemble:[a?readout=1]+b?slug=pair               a spec inside another in brackets; `slug` names it in evidence
"""

from __future__ import annotations

import dataclasses
import difflib
from typing import TYPE_CHECKING, Any

from lens.canonical import digest
from lens.errors import UsageError
from lens.models import spec as specs
from lens.models.adapters import Loading, kinds
from lens.models.model import RewardModel
from lens.names import kebab

if TYPE_CHECKING:
    from lens.models.folder import Folder


def open_model(spec: str, *, device: str = "auto", dtype: str = "auto", trust_remote_code: bool = False) -> RewardModel:
    """The model `spec` names, loaded and on its device. Raises UsageError naming the likely mistake."""
    if needs_torch(spec):
        need_torch()

    def again(other: str) -> RewardModel:
        return open_model(other, device=device, dtype=dtype, trust_remote_code=trust_remote_code)

    kind, place, options = specs.parse(spec)
    if kind not in kinds():
        near = difflib.get_close_matches(kind, kinds(), n=1)
        raise UsageError(
            f"no kind of reward model is called {kind!r}" + (f": did you mean {near[0]}?" if near else ""),
            remedy=f"one of {', '.join(sorted(kinds()))}, or a folder or Hugging Face id without a word before it",
        )
    slug = options.pop("slug", "")
    specs.only(options, kinds()[kind].OPTIONS, spec)
    model = kinds()[kind].open(place, options, Loading(spec, device, dtype, trust_remote_code, again))
    return dataclasses.replace(model, slug=kebab(slug)) if slug else model  # type: ignore[type-var]


def fingerprint(folder: Folder, network: Any, dtype: str) -> str:
    """What decides a reward's bits: files, dtype, attention, threads."""
    import torch

    from lens.models.network import device_of

    on_cpu = device_of(network.get_input_embeddings()).type == "cpu"
    return of_files(folder, network.config._attn_implementation, dtype, torch.get_num_threads() if on_cpu else 0)


def of_files(folder: Folder, attention: str, dtype: str, threads: int) -> str:
    """The fingerprint of what is loaded from a folder in one way; 0 threads on a GPU."""
    return digest({"attention": attention, "dtype": dtype, "files": folder.digest, "threads": threads})


def of_options(made: str, kind: str = "", **options: str) -> str:
    """The fingerprint of a network read in another way than its own: as `kind`, with options that change rewards."""
    return digest({"kind": kind, "model": made, "options": options}) if kind or options else made


def slug_of(name: str) -> str:
    """The model's place in ids: the name without its owner, revision or version.

    >>> slug_of("Skywork/Skywork-Reward-Llama-3.1-8B-v0.2")
    'skywork-reward-llama-3-1-8b-v0-2'
    """
    return kebab(name.rpartition("/")[2].partition("@")[0])


def needs_torch(spec: str) -> bool:
    """Whether what `spec` names is computed here: recorded scores are numbers in a file."""
    return not getattr(kinds().get(specs.parse(spec).kind), "RECORDED", False)


def need_torch() -> None:
    """Raises UsageError where what reward models are computed with is not installed."""
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"reward models need {error.name}, which is not installed here",
            remedy="pip install 'evidence-lens[models]'",
        ) from None
