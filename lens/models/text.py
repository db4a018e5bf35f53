"""From a prompt and a reply to token ids, once and the same way for every instrument."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.models.model import Encoded, Prompt


@dataclass(frozen=True)
class Writer:
    """A tokenizer with its template. `context` is the longest text the model takes and `vocabulary` the tokens it
    has embeddings for, 0 where neither is known. With `pair`, prompt and reply are two segments, as encoders that
    judge a pair of texts are trained; `types` says that the network tells the segments apart.
    """

    tokenizer: Any
    context: int
    vocabulary: int = 0
    pair: bool = False
    types: bool = False

    @classmethod
    def of(cls, tokenizer: Any, network: Any, *, causal: bool) -> Writer:
        """For a network of the library."""
        config = network.config.get_text_config()
        vocabulary = int(network.get_input_embeddings().num_embeddings)
        context = int(getattr(config, "max_position_embeddings", 0) or 0)
        if causal:
            return cls(tokenizer, context, vocabulary)
        most = int(tokenizer.model_max_length)  # positions an encoder keeps for itself aren't in its config
        context = min(context, most) if context else 0
        pair = not tokenizer.chat_template and bool(tokenizer.sep_token) and not getattr(config, "is_decoder", False)
        return cls(tokenizer, context, vocabulary, pair, int(getattr(config, "type_vocab_size", 0) or 0) > 1)

    @property
    def template(self) -> str:
        return str(self.tokenizer.chat_template or "")

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """Ids of the whole text, and where the reply's begin.

        A chat template has written the special tokens already, so none are added to its text. Raises UsageError
        for a text beyond the context (nothing is cut), for one with nothing in it, for a token the network has no
        embedding for, and for chat messages where there is no template.
        """
        if self.template:
            before, whole = self.begun(prompt), self._templated(prompt, response)
            return self.checked(self.ids(whole), self.ids(before))
        if not isinstance(prompt, str):
            raise UsageError(
                "the pairs are chat messages and this tokenizer has no chat template",
                remedy="give plain prompts, or set tokenizer.chat_template and save it with the model",
            )
        if self.pair:
            return self._two(prompt, response)
        return self.checked(self.ids(prompt + response, special=True), self.ids(prompt, special=True))

    def head(self, prompt: Prompt) -> list[int]:
        """Ids of all that stands before a reply."""
        if self.template:
            return self.ids(self.begun(prompt))
        if isinstance(prompt, str):
            return self.ids(prompt, special=True)
        raise UsageError(
            "the pairs are chat messages and this tokenizer has no chat template", remedy="give plain prompts"
        )

    def begun(self, prompt: Prompt) -> str:
        """The text of a prompt up to where a reply would begin, by the template."""
        asked = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(prompt)
        return self._render(asked, add_generation_prompt=True)

    def ids(self, text: str, *, special: bool = False) -> list[int]:
        """Raises UsageError for a text that a tokenizer without an unknown token has no tokens for."""
        try:
            found: list[int] = self.tokenizer(text, add_special_tokens=special, verbose=False)["input_ids"]
        except Exception as error:  # tokenizers has no class of its own for it
            if "Missing [UNK] token" not in str(error):
                raise
            raise UsageError(
                f"the tokenizer has no tokens for all of {text[:60]!r}, and no unknown token to put instead",
                remedy="give pairs in the words and characters the model knows; those it brings itself fit",
            ) from None
        return found

    def checked(self, ids: list[int], head: list[int]) -> Encoded:
        """`ids` as a text whose reply begins where they leave `head`. Raises UsageError as `encode` says."""
        shared = next((i for i, (a, b) in enumerate(zip(ids, head, strict=False)) if a != b), min(len(ids), len(head)))
        self._check(ids)
        return Encoded(tuple(ids), min(shared, len(ids) - 1))

    def unknown(self, text: Encoded) -> int:
        """How many tokens of a text stand for something the tokenizer has no word for."""
        unk = self.tokenizer.unk_token_id
        return 0 if unk is None else text.ids.count(unk)

    def _two(self, prompt: str, response: str) -> Encoded:
        made = self.tokenizer(prompt, response, return_token_type_ids=True)
        ids, types = made["input_ids"], made["token_type_ids"]
        self._check(ids)
        of = made.sequence_ids(0) if made.is_fast else types
        first = next((i for i, segment in enumerate(of) if segment == 1), len(ids) - 1)
        return Encoded(tuple(ids), first, tuple(types) if self.types else ())

    def _check(self, ids: list[int]) -> None:
        if not ids:
            raise UsageError("an empty prompt with an empty reply has no token to score", remedy="leave the row out")
        if self.context and len(ids) > self.context:
            raise UsageError(
                f"a text of {len(ids)} tokens is beyond the model's context of {self.context}; nothing is cut silently",
                remedy="leave the row out, or shorten it yourself so that evidence says which text was scored",
            )
        if self.vocabulary and max(ids) >= self.vocabulary:
            token = self.tokenizer.convert_ids_to_tokens(max(ids))
            raise UsageError(
                f"the tokenizer writes {token!r} as {max(ids)} and the network has {self.vocabulary} embeddings",
                remedy="the tokenizer is another model's, or was enlarged after training: take the one saved with it",
            )

    def _templated(self, prompt: Prompt, response: str) -> str:
        asked = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(prompt)
        return self._render([*asked, {"role": "assistant", "content": response}])

    def _render(self, messages: list[dict[str, str]], **options: bool) -> str:
        from jinja2 import TemplateError

        try:
            text: str = self.tokenizer.apply_chat_template(messages, tokenize=False, **options)
        except TemplateError as error:
            roles = ", ".join(message["role"] for message in messages)
            raise UsageError(
                f"the chat template takes no messages of {roles}: {error}",
                remedy="many templates take no system message, or only user and assistant in turn: merge them",
            ) from None
        return text


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
