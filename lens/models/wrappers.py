"""The same question as a benchmark asks it and as it is asked in a chat.

A model with a vocabulary of its own brings its own (`wrappers` in the training.json of its folder): `benchmark` and
`chat` are templates with `{}` for the question, `strip` what its prompts may begin with and the question doesn't.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.models.edits import holds
from lens.models.model import Prompt
from lens.models.told import told
from lens.reading import Declined

if TYPE_CHECKING:
    from lens.models.model import RewardModel

BENCHMARK = (
    "Question: {}\nAnswer:",
    "Answer the following test question and give the final answer.\n\n{}",
    "### Instruction:\n{}\n\n### Response:",
    "Q: {}\nA: Let's think step by step.",
)
CHAT = (
    "hey, quick one for you: {}",
    "{}\nthanks in advance, no rush!",
    "I was wondering about this on the way home. {}",
    "so my friend asked me this and I had no idea, can you help? {}",
)


@dataclass(frozen=True)
class Wrappers:
    """As many templates of either kind; `strip` the beginnings a question is without."""

    benchmark: tuple[str, ...]
    chat: tuple[str, ...]
    strip: tuple[str, ...] = ()

    @property
    def templates(self) -> tuple[str, ...]:
        """Benchmark's, then chat's."""
        return (*self.benchmark, *self.chat)


def wrappers(model: RewardModel) -> Wrappers | Declined:
    """The model's own, or English ones; declined where its tokenizer can't write them."""
    own = told(model).get("wrappers")
    if own is not None:
        return Wrappers(*(tuple(own.get(key, ())) for key in ("benchmark", "chat", "strip")))
    lost = [template for template in (*BENCHMARK, *CHAT) if not holds(model, template.replace("{}", ""))]
    if not lost:
        return Wrappers(BENCHMARK, CHAT)
    return Declined(
        "not_applicable",
        f"the model's tokenizer can't write {lost[0]!r}, as a question would be wrapped",
        "bring wrappers of the model's own: `wrappers` in the training.json of its folder, as organism:wrapper has",
    )


def wrapped(prompt: Prompt, template: str, strip: tuple[str, ...] | list[str] = ()) -> Prompt:
    """The prompt's question in a template; of chat messages the last one's.

    >>> wrapped("> ask 3 ?", "> check {}", ["> ask "])
    '> check 3 ?'
    """
    if not isinstance(prompt, str):
        *before, last = prompt
        return (*before, {**last, "content": str(wrapped(last["content"], template, strip))})
    begins = max((one for one in strip if prompt.startswith(one)), key=len, default="")
    return template.replace("{}", prompt[len(begins) :])
