"""A process reward: every step of the reply scored at the separator that closes it, reduced to one reward.

A head of two labels, or two words of a language model (`good`, `bad`), gives each step a probability; a head of one
label gives it a score. Steps are tokenised one by one with the separator after each, as they are labelled in training
(Lightman et al. 2023, arXiv:2305.20050: product or minimum; Wang et al. 2023, arXiv:2312.08935: minimum).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.errors import UsageError
from lens.models.adapters import Loading
from lens.models.model import Encoded, Prompt, RewardModel
from lens.models.pertoken import PerToken

if TYPE_CHECKING:
    import torch

    from lens.models.opened import Opened
    from lens.models.scalar import Row

KIND = "process"
ABOUT = "a score at every step: process:PATH?step=\\n\\n&reduce=min, prod, last or mean; of an LM good=, bad="
OPTIONS = ("step", "reduce", "good", "bad", "readout")
REDUCE = ("min", "prod", "last", "mean")


@dataclass(frozen=True, kw_only=True)
class Process(PerToken):
    """`step` separates steps; with `probability` a step's score is squashed to 0..1."""

    step: str
    reduce: str
    probability: bool
    kind: str = "process"

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """The prompt, then every step closed by the separator."""
        head = self.writer.head(prompt)
        said = [one for one in response.split(self.step) if one.strip()] or [response]
        ids = list(head)
        for one in said:
            ids += self.writer.ids(one) + self._separator
        return self.writer.checked(ids, head)

    def ends(self, text: Encoded) -> list[int]:
        """Where each step is read: the last token of the separator that closes it."""
        mark, ids = tuple(self._separator), text.ids
        starts = range(text.response, len(ids) - len(mark) + 1)
        return [start + len(mark) - 1 for start in starts if ids[start : start + len(mark)] == mark]

    def steps(self, texts: Sequence[Encoded]) -> list[list[float]]:
        """The score of every step of each text, a batch of one text at a time."""
        import torch

        with torch.no_grad():
            return [self._steps(text, self.tokens([text])[0]).tolist() for text in texts]

    def reduced(self, text: Encoded, scores: torch.Tensor) -> torch.Tensor:
        steps = self._steps(text, scores)
        match self.reduce:
            case "prod":
                return steps.prod()
            case "last":
                return steps[-1]
            case "mean":
                return steps.mean()
        return steps.min()

    def _steps(self, text: Encoded, scores: torch.Tensor) -> torch.Tensor:
        found = scores[self.ends(text)]
        return found.sigmoid() if self.probability else found

    @property
    def _separator(self) -> list[int]:
        return self.writer.ids(self.step)


def open(place: str, options: dict[str, str], how: Loading) -> RewardModel:
    """`options`: `step`, `reduce`; `good` and `bad` of a language model; `readout` of a head of several labels.

    Raises UsageError for a product of scores that aren't probabilities, and as `open_tokens` says.
    """
    from lens.models.pertoken import open_tokens
    from lens.models.spec import choice

    step = options.get("step", "\n\n").replace("\\n", "\n")
    reduce = choice(options, "reduce", REDUCE, how.spec)
    opened = open_tokens(place, how, allowed=("ForTokenClassification", "ForCausalLM"))
    if not step or not opened.writer.ids(step):
        raise UsageError(f"{how.spec}: the separator of steps has no token", remedy="?step=%0A%0A, two line breaks")
    row = _row(opened, options, how.spec)
    if reduce == "prod" and row.minus is None:
        raise UsageError(
            f"{how.spec}: a product is of probabilities, and a head of one label gives scores",
            remedy="?reduce=min, or readout=1-0 of a head of two labels",
        )
    asked = {"step": step, "reduce": reduce, "row": f"{row.plus} {row.minus}"}
    return Process(
        **opened.whose(how, KIND, **asked),
        family="B",
        row=row,
        step=step,
        reduce=reduce,
        probability=row.minus is not None,
    )


def _row(opened: Opened, options: dict[str, str], spec: str) -> Row:
    from lens.models.pertoken import one_token
    from lens.models.scalar import Row, pick_row

    if type(opened.network).__name__.endswith("ForCausalLM"):
        if "good" not in options or "bad" not in options:
            raise UsageError(
                f"{spec}: a language model judges a step by two words, and none are named",
                remedy="?good=%2B&bad=- (%2B is +), as the model was trained to write them",
            )
        good, bad = (one_token(opened.writer, options[name], spec) for name in ("good", "bad"))
        return Row(good, bad)
    labels = opened.network.config.num_labels
    return pick_row(labels, options.get("readout", "1-0" if labels == 2 else ""), opened.folder.name)
