"""ArmoRM: many objectives weighted by a gate that reads the prompt (RLHFlow/ArmoRM-Llama3-8B-v0.1 and its like).

Its weights are read by name, without the remote code it ships. The reward's row changes with the prompt, so it is
class B as a whole; one objective alone (`?objective=`) is a fixed row, class A.
"""

from __future__ import annotations

import difflib

from lens.errors import UsageError
from lens.models.adapters import Loading
from lens.models.model import RewardModel

KIND = "armorm"
ABOUT = "gated objectives: armorm:PATH, or one of them alone with ?objective=helpsteer-helpfulness"
OPTIONS = ("objective",)
READS = ("LlamaForRewardModelWithGating",)


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `objective`, by name or number. Raises UsageError as `lens.models.gated` and `network` say."""
    import dataclasses

    from lens.models.gated import TEMPERATURE, GatedModel, GatedNetwork, named, read_heads
    from lens.models.network import device_of
    from lens.models.opened import open_network

    opened = open_network("AutoModel", place, how)
    heads = read_heads(opened.folder, float(opened.folder.config.get("gating_temperature", TEMPERATURE)))
    network = GatedNetwork(opened.network, heads.to(device_of(opened.network.norm)), _mark(opened.writer))
    opened = dataclasses.replace(opened, network=network.eval())
    names = named(len(heads.regression))
    asked = options.get("objective", "")
    objective = _objective(names, asked, how.spec) if asked else None
    who = opened.whose(how, **({"objective": names[objective]} if objective is not None else {}))
    exact = objective is not None and opened.architecture is not None
    return GatedModel(**who, family="A" if exact else "B", names=names, objective=objective)


def _mark(writer: object) -> tuple[int, ...]:
    """The tokens by which the template begins a reply."""
    from lens.models.text import Writer

    assert isinstance(writer, Writer)
    if not writer.template:
        raise UsageError(
            "this model's gate reads where the chat template begins a reply, and the tokenizer has no template",
            remedy="save the model's own chat template with its tokenizer",
        )
    asked = [{"role": "user", "content": "x"}]
    render = writer.tokenizer.apply_chat_template
    without = render(asked, tokenize=False, add_generation_prompt=False)
    return tuple(writer.ids(render(asked, tokenize=False, add_generation_prompt=True)[len(without) :]))


def _objective(names: tuple[str, ...], asked: str, spec: str) -> int:
    if asked in names:
        return names.index(asked)
    if asked.isdigit() and int(asked) < len(names):
        return int(asked)
    near = difflib.get_close_matches(asked, names, n=1)
    raise UsageError(
        f"{spec}: no objective is called {asked!r}" + (f": did you mean {near[0]}?" if near else ""),
        remedy=f"one of {', '.join(names)}",
    )
