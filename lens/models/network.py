"""Loading a network through the library, with every refusal that would make its numbers someone else's.

Refused: a head that the library made up (it only warns), weights of another shape than the config's, weights that
are not finite, quantised weights, CUDA asked for and absent.
"""

from __future__ import annotations

import logging
import warnings
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch

    from lens.models.folder import Folder

DTYPES = ("float32", "bfloat16", "float16")


def pick_device(asked: str) -> str:
    """`auto` is the first GPU where there is one. Raises UsageError for one that isn't there."""
    import torch

    if asked == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if asked not in ("cpu", "map") and not asked.startswith("cuda"):
        raise UsageError(
            f"unknown device {asked!r}", remedy="--device auto, cpu, cuda, cuda:1 or map (several devices)"
        )
    if asked.startswith("cuda") and not torch.cuda.is_available():
        raise UsageError(f"{asked} was asked for and no CUDA device is here", remedy="--device cpu")
    number = asked.partition(":")[2]
    if number and not (number.isdigit() and int(number) < torch.cuda.device_count()):
        raise UsageError(f"{asked} was asked for and {torch.cuda.device_count()} are here", remedy="--device cuda:0")
    return asked


def pick_dtype(asked: str, device: str) -> str:
    """`auto` is bfloat16 on a GPU and float32 on a CPU."""
    import torch

    if asked == "auto":
        on_gpu = device.startswith("cuda") or (device == "map" and torch.cuda.is_available())
        return "bfloat16" if on_gpu else "float32"
    if asked not in DTYPES:
        raise UsageError(f"unknown dtype {asked!r}", remedy=f"--dtype auto, {' or '.join(DTYPES)}")
    return asked


def load(auto: str, folder: Folder, *, device: str, dtype: str, attention: str, trust_remote_code: bool) -> Any:
    """The library's model of class `auto` ("AutoModelForSequenceClassification", ...), in evaluation mode.

    Device `map` lets accelerate spread the model over what there is. Raises UsageError as this module says.
    """
    import torch
    import transformers

    _plain(folder)
    place: Any = "auto" if device == "map" else None
    if place and find_spec("accelerate") is None:
        raise UsageError(
            "--device map needs accelerate, which is not installed here", remedy="pip install 'evidence-lens[models]'"
        )
    with quiet():
        try:
            model, info = getattr(transformers, auto).from_pretrained(
                str(folder.path),
                dtype=getattr(torch, dtype),
                attn_implementation=attention,
                device_map=place,
                use_safetensors=True,
                trust_remote_code=trust_remote_code,
                output_loading_info=True,
            )
        except (ValueError, OSError, KeyError, RuntimeError) as error:
            raise _not_loaded(folder, error) from None
    _complete(folder, info)
    model.eval().requires_grad_(False)
    if place is None:
        model.to(device)
    _finite(model, folder)
    return model


@contextmanager
def quiet() -> Iterator[None]:
    """The library's progress bars and advice kept off the terminal; what it warns of is checked here instead."""
    from transformers.utils import logging as theirs

    level, bar = theirs.get_verbosity(), theirs.is_progress_bar_enabled()
    theirs.set_verbosity(logging.ERROR)
    theirs.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        theirs.set_verbosity(level)
        if bar:
            theirs.enable_progress_bar()  # type: ignore[no-untyped-call]


def weight(module: Any, name: str = "weight") -> torch.Tensor:
    """A module's weight where it can be read, also when accelerate keeps it elsewhere until it is called.

    Raises UsageError for a placeholder that holds no data anywhere.
    """
    if getattr(module, name).device.type != "meta":
        return getattr(module, name)  # type: ignore[no-any-return]
    from accelerate.utils import align_module_device

    with align_module_device(module):
        found = getattr(module, name)
        if found.device.type == "meta":
            raise UsageError(
                "a weight this needs is a placeholder without data", remedy="load the model whole: --device cpu"
            )
        return found.clone()  # type: ignore[no-any-return]


def elsewhere(network: Any) -> bool:
    """Whether weights lie where they are only fetched from when a module is called: on disk, or off the device. None
    of no network."""
    return any(one.device.type == "meta" for one in getattr(network, "parameters", tuple)())


def device_of(module: Any) -> torch.device:
    """Where a module computes: its weights' device, or the one accelerate moves them to when it is called."""
    import torch

    hook = getattr(module, "_hf_hook", None)
    for one in (hook, *getattr(hook, "hooks", ())):
        asked = getattr(one, "execution_device", None)
        if asked is not None:
            return torch.device(asked)
    device: torch.device = next(module.parameters()).device
    return device


def _plain(folder: Folder) -> None:
    """Raises UsageError for quantised weights, where what a head or a slice of a projection holds can't be read
    exactly, and for a pad token without an embedding."""
    method = (folder.config.get("quantization_config") or {}).get("quant_method")
    if method:
        raise UsageError(
            f"{folder.name} holds weights quantised by {method}, whose values can't be read exactly",
            remedy="name the checkpoint it was quantised from; --dtype bfloat16 --device map where memory is short",
        )
    config = folder.config.get("text_config") or folder.config
    pad, vocabulary = config.get("pad_token_id"), config.get("vocab_size")
    if isinstance(pad, int) and isinstance(vocabulary, int) and not 0 <= pad < vocabulary:
        raise UsageError(
            f"the pad token {pad} is beyond the network's {vocabulary} embeddings",
            remedy="set pad_token_id in config.json to a token it has, or resize its embeddings and save it",
        )


def _complete(folder: Folder, info: dict[str, Any]) -> None:
    """Raises UsageError where the library would have filled in weights of its own."""
    missing = sorted(info["missing_keys"])
    if missing:
        raise UsageError(
            f"{folder.name} brings no weights for {', '.join(missing[:3])}: the library fills in random ones, "
            "so this is no trained reward model",
            remedy="name the reward model itself, not the base model it was made from",
        )
    if info.get("mismatched_keys"):
        raise UsageError(
            f"{folder.name}: {sorted(map(str, info['mismatched_keys']))[0]} has another shape than config.json says",
            remedy="config.json and the weights are of two models: download both again",
        )


def _finite(model: Any, folder: Folder) -> None:
    for name, tensor in model.named_parameters():
        if tensor.device.type != "meta" and not tensor.isfinite().all():
            raise UsageError(
                f"{folder.name}: {name} holds NaN or infinite weights, so every reward would be NaN",
                remedy="download the file again; if it stays so, the training diverged and there is nothing to measure",
            )


def _not_loaded(folder: Folder, error: Exception) -> UsageError:
    said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if "trust_remote_code" in str(error):
        remedy = "read its code, and if you trust it: --trust-remote-code"
    elif "Unrecognized" in said or "model_type" in said or "model type" in said:
        remedy = "upgrade transformers, or give a subject whose architecture it knows"
    elif "size mismatch" in str(error) or "mismatch" in said:
        remedy = "config.json and the weights are of two models: download both again"
    else:
        remedy = "download the folder again, or load it by hand to see all of the error"
    return UsageError(f"{folder.name} can't be loaded: {said}", remedy=remedy)
