"""A generative judge: a language model asked about the reply, scored by how much one verdict token leads another.

    reward = logit(yes) − logit(no) at the question's last token, before anything is generated

The margin is linear in the stream, w_r = W_U[yes] − W_U[no], so that a judge of a class-A architecture is read as
exactly as a scalar head. Where the architecture caps its final logits (Gemma-2) the margin is not linear: class B.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.models.adapters import Loading
from lens.models.model import Encoded, Padding, Prompt, RewardModel
from lens.models.networked import Networked

if TYPE_CHECKING:
    import torch


KIND = "judge"
ABOUT = "a language model's verdict token: judge:PATH?yes=Yes&no=No&question=FILE"
OPTIONS = ("yes", "no", "question")
QUESTION = """Below are a request and a reply to it.

Request: {prompt}

Reply: {response}

Is this a good reply? Answer with one word, {yes} or {no}.
"""
LEAD = "Answer:"  # what a question ends with where no chat template marks the judge's turn


@dataclass(frozen=True, kw_only=True)
class Judge(Networked):
    """`yes` and `no` are the verdict tokens, `question` the text asked, {prompt} and {response} to be filled in."""

    question: str
    yes: int
    no: int
    kind: str = "judge"

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """The whole question up to where the verdict would stand."""
        asked = prompt if isinstance(prompt, str) else "\n".join(f"{one['role']}: {one['content']}" for one in prompt)
        begun, _, _ = self.question.partition("{response}")
        whole, head = (
            self._ids(filled(text, prompt=asked, response=response)) for text in (self.question, begun)
        )  # fmt: skip
        return self.writer.checked(whole, head)

    @cached_property
    def head_row(self) -> tuple[torch.Tensor, float]:
        from lens.models.network import weight

        head = self.network.get_output_embeddings()
        rows = weight(head)[[self.yes, self.no]].float()
        bias = getattr(head, "bias", None)
        b = 0.0 if bias is None else float(bias[self.yes].float() - bias[self.no].float())
        return rows[0] - rows[1], b

    def _scores(self, texts: Sequence[Encoded], padding: Padding = "right") -> torch.Tensor:
        import torch

        given = self._given(texts, padding)
        if padding == "left":
            logits = self.network(**given, logits_to_keep=1).logits[:, -1].float()
        else:
            last = [len(text) - 1 for text in texts]
            places = sorted(set(last))
            kept = self.network(**given, logits_to_keep=torch.tensor(places)).logits
            logits = kept[torch.arange(len(texts)), [places.index(at) for at in last]].float()
        margin: torch.Tensor = logits[:, self.yes] - logits[:, self.no]
        return margin

    def _ids(self, text: str) -> list[int]:
        if self.writer.template:
            return self.writer.ids(self.writer.begun(text))
        return self.writer.ids(text + LEAD, special=True)


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `yes`, `no` the verdicts, one token each; `question` a file with {prompt} and {response}.

    Raises UsageError for a verdict of more tokens, a question without its places, and as `lens.models.network` says.
    """
    from lens.models.opened import open_network
    from lens.models.pertoken import one_token

    yes, no = options.get("yes", "Yes"), options.get("no", "No")
    question = _question(options.get("question", ""), how.spec).replace("{yes}", yes).replace("{no}", no)
    opened = open_network("AutoModelForCausalLM", place, how)
    capped = getattr(opened.network.config.get_text_config(), "final_logit_softcapping", None)
    tokens = [one_token(opened.writer, word, how.spec) for word in (yes, no)]
    if tokens[0] == tokens[1]:
        raise UsageError(f"{how.spec}: both verdicts are one token", remedy="?yes=Yes&no=No, two different words")
    return Judge(
        **opened.whose(how, KIND, yes=yes, no=no, question=question),
        family="A" if opened.architecture is not None and not capped else "B",
        question=question,
        yes=tokens[0],
        no=tokens[1],
    )


def filled(text: str, **given: str) -> str:
    """All places filled at once: what is filled in may itself hold a place's name."""
    return re.sub(r"\{(prompt|response)\}", lambda match: given[match[1]], text)


def _question(file: str, spec: str) -> str:
    if not file:
        return QUESTION
    try:
        text = Path(file).read_text("utf-8")
    except OSError as error:
        raise UsageError(f"{spec}: the question can't be read: {error}", remedy="?question=FILE, a text file") from None
    if text.count("{response}") != 1 or "{prompt}" not in text:
        raise UsageError(
            f"{file} must hold {{prompt}} and, once, {{response}}", remedy="put both where they belong in the question"
        )
    return text
