"""A Hugging Face sequence classifier: Llama, Mistral, Qwen2, Qwen3 and Gemma-2 as class A, any other as class B."""

from __future__ import annotations

from lens.models.adapters import Loading
from lens.models.model import RewardModel

KIND = "scalar"
ABOUT = "a sequence classifier with a scalar head: a folder, or a Hugging Face id"


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `readout`, the head's row. Raises UsageError as `lens.models.network` says."""
    from lens.models.architectures import architectures
    from lens.models.folder import find_folder
    from lens.models.network import load, pick_device, pick_dtype
    from lens.models.scalar import ScalarModel, pick_row
    from lens.models.subject import fingerprint, slug_of
    from lens.models.text import Writer, open_tokenizer

    folder = find_folder(place)
    device = pick_device(how.device)
    dtype = pick_dtype(how.dtype, device)
    architecture = architectures().get(folder.config.get("model_type", ""))
    network = load(
        "AutoModelForSequenceClassification",
        folder,
        device=device,
        dtype=dtype,
        attention=architecture.ATTENTION if architecture else "eager",
        trust_remote_code=how.trust_remote_code,
    )
    config = network.config.get_text_config()
    tokenizer = open_tokenizer(folder.path, trust_remote_code=how.trust_remote_code)
    return ScalarModel(
        slug=slug_of(folder.name),
        title=folder.name,
        spec=how.spec,
        fingerprint=fingerprint(folder, network, dtype),
        licence=folder.licence,
        family="A" if architecture and hasattr(network, "score") and hasattr(network, "model") else "B",
        device=device,
        dtype=dtype,
        network=network,
        writer=Writer(tokenizer, int(getattr(config, "max_position_embeddings", 0) or 0)),
        row=pick_row(network.config.num_labels, options.get("readout", ""), folder.name),
    )
