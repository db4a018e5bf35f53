"""A Hugging Face sequence classifier: Llama, Mistral, Qwen2, Qwen3 and Gemma-2 as class A, any other as class B."""

from __future__ import annotations

from lens.models.adapters import Loading, reader_of
from lens.models.model import RewardModel

KIND = "scalar"
ABOUT = "a sequence classifier with a scalar head: a folder, or a Hugging Face id"
OPTIONS = ("readout",)


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `readout`, the head's row. A folder whose class another kind reads is opened as that kind.

    Raises UsageError as `lens.models.network` says.
    """
    from lens.models.folder import find_folder
    from lens.models.opened import open_network
    from lens.models.scalar import ScalarModel, pick_row

    other = reader_of(find_folder(place).config)
    if other is not None:
        return other.open(place, options, how)
    opened = open_network("AutoModelForSequenceClassification", place, how)
    network = opened.network
    readout = options.get("readout", "")
    exact = opened.architecture is not None and hasattr(network, "score") and hasattr(network, "model")
    return ScalarModel(
        **opened.whose(how, **({"readout": readout} if readout else {})),
        family="A" if exact else "B",
        row=pick_row(network.config.num_labels, readout, opened.folder.name),
    )
