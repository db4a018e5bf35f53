"""Tokenizers that lose nothing: a token a character, or a token a word with the space before it.

Neither has an unknown token. A text with anything else in it is refused by the tokenizer, so that no reward is ever
one of a text nobody wrote.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lens.errors import UsageError

PAD = "<pad>"


def char_tokenizer(chars: str, *, context: int = 0) -> Any:
    """A fast tokenizer of the library: id 0 pads, `chars[i]` is i + 1. `context`: its longest text, 0 for no limit.

    Raises UsageError for a character given twice.
    """
    return _fast(list(chars), r"[\s\S]", context)


def word_tokenizer(words: Sequence[str], *, context: int = 0) -> Any:
    """The same over words: each stands bare and with the space before it, and a line break is a token of its own.

    Raises UsageError for a word given twice, or one with a space or line break in it.
    """
    if any(not word or len(word.split()) != 1 or word != word.strip() for word in words):
        raise UsageError("a word holds a space or nothing", remedy="give words without spaces")
    return _fast(["\n", *words, *(f" {word}" for word in words)], r" ?[^ \n]+|[ \n]", context)


def tokenizer_of(folder: Path) -> Any:
    """The tokenizer of a folder that has only chars.json: `{"chars": "abc", "pad": 0, "offset": 1}`.

    Raises UsageError for a file that says anything else.
    """
    path = folder / "chars.json"
    try:
        told = json.loads(path.read_text())
        chars, layout = told["chars"], (told["pad"], told["offset"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} can't be read: {error!r}", remedy='write {"chars": "abc...", "pad": 0, "offset": 1}'
        ) from None
    if layout != (0, 1) or not isinstance(chars, str):
        raise UsageError(
            f"{path} has pad and offset {layout}",
            remedy="only pad 0 and offset 1 are read: save a tokenizer.json beside it instead",
        )
    context = json.loads((folder / "config.json").read_text()).get("max_position_embeddings", 0)
    return char_tokenizer(chars, context=int(context))


def _fast(tokens: list[str], pattern: str, context: int) -> Any:
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast as Fast

    vocabulary = {token: number for number, token in enumerate([PAD, *tokens])}
    if len(vocabulary) != len(tokens) + 1:
        twice = sorted({token for token in tokens if tokens.count(token) > 1})
        raise UsageError(f"given twice: {', '.join(map(repr, twice))}", remedy="give each token once")
    inner = Tokenizer(models.WordLevel(vocabulary))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), "isolated")
    inner.decoder = decoders.Fuse()
    limit = {"model_max_length": context} if context else {}
    make: Any = Fast
    return make(
        tokenizer_object=inner, pad_token=PAD, clean_up_tokenization_spaces=False, padding_side="right", **limit
    )
