"""From a prompt and a reply to token ids, once and the same way for every instrument."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.models.model import Encoded, Prompt


@dataclass(frozen=True)
class Writer:
    """A tokenizer with its template. `context` is the longest text the model takes; 0 where none is known."""

    tokenizer: Any
    context: int

    @property
    def template(self) -> str:
        return str(self.tokenizer.chat_template or "")

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """Ids of the whole text, and where the reply's begin.

        A chat template has written the special tokens already, so none are added to its text. Raises UsageError
        for a text beyond the context (nothing is cut), for one with nothing in it, and for chat messages where there
        is no template.
        """
        if self.template:
            before, whole = self._templated(prompt, response)
            ids, head = self._ids(whole, special=False), self._ids(before, special=False)
        elif isinstance(prompt, str):
            ids, head = self._ids(prompt + response, special=True), self._ids(prompt, special=True)
        else:
            raise UsageError(
                "the pairs are chat messages and this tokenizer has no chat template",
                remedy="give plain prompts, or set tokenizer.chat_template and save it with the model",
            )
        if not ids:
            raise UsageError("an empty prompt with an empty reply has no token to score", remedy="leave the row out")
        if self.context and len(ids) > self.context:
            raise UsageError(
                f"a text of {len(ids)} tokens is beyond the model's context of {self.context}; nothing is cut silently",
                remedy="leave the row out, or shorten it yourself so that evidence says which text was scored",
            )
        shared = next((i for i, (a, b) in enumerate(zip(ids, head, strict=False)) if a != b), min(len(ids), len(head)))
        return Encoded(tuple(ids), min(shared, len(ids) - 1))

    def _templated(self, prompt: Prompt, response: str) -> tuple[str, str]:
        asked = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(prompt)
        render = self.tokenizer.apply_chat_template
        before = render(asked, tokenize=False, add_generation_prompt=True)
        return before, render([*asked, {"role": "assistant", "content": response}], tokenize=False)

    def _ids(self, text: str, *, special: bool) -> list[int]:
        found: list[int] = self.tokenizer(text, add_special_tokens=special)["input_ids"]
        return found


def open_tokenizer(folder: Path, *, trust_remote_code: bool) -> Any:
    """The tokenizer of a model folder. Raises UsageError where there is none."""
    if (folder / "chars.json").is_file() and not (folder / "tokenizer.json").is_file():
        from lens.models.organisms.chars import tokenizer_of

        return tokenizer_of(folder)
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(str(folder), trust_remote_code=trust_remote_code)
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"{folder.name} has no tokenizer that opens: {str(error).splitlines()[0]}",
            remedy="save it into the model's folder: tokenizer.save_pretrained(FOLDER)",
        ) from None
