"""The policy in a folder: whose rollouts it sampled, its network, and recorded texts as the tokens it sampled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.errors import UsageError
from lens.reading import Input

if TYPE_CHECKING:
    from lens.models.folder import Folder
    from lens.runs.record import Record

_NUMBERED = re.compile(r"(?:checkpoint|global_step|step|iteration)[-_]?(\d+)")
LOST = "\ufffd"  # what stands in a recorded text for bytes that were no character: its tokens can't be known


def chain(folder: str, record: Record) -> dict[int, Path]:
    """By step, the policy that sampled its rollouts: `checkpoint-N` holds it after N updates, so before update N + 1.

    A folder without a number is the policy that training started from. Raises UsageError for a folder without a model.
    """
    path = Path(folder).expanduser()
    first = record.counts.get("first", 0)
    base = 0 if first == 0 else 1  # trainers count updates from 0 or from 1
    inside = [one for one in sorted(path.glob("*")) if (one / "config.json").is_file()] if path.is_dir() else []
    numbered = {int(found[1]): one for one in inside if (found := _NUMBERED.fullmatch(one.name))}
    if numbered:
        return {number + base: numbered[number] for number in sorted(numbered)}
    if not (path / "config.json").is_file():
        raise UsageError(
            f"{folder} holds no model and no checkpoint-N folders with one",
            remedy="name a folder that save_pretrained wrote, or the one its checkpoints lie in",
        )
    own = _NUMBERED.fullmatch(path.name)
    return {int(own[1]) + base if own else first: path}


@dataclass(frozen=True)
class Policy:
    """A causal language model and its tokenizer, on one device."""

    folder: Folder
    network: Any
    tokenizer: Any
    device: str

    def as_input(self, role: str) -> Input:
        return Input(role, self.folder.name, self.folder.digest, f"file:{self.folder.path}")


def open_policy(path: Path, *, device: str = "auto", dtype: str = "float32") -> Policy:
    """The policy of a folder, eager attention, no gradients asked for; on a CPU one thread, so that bits repeat.

    Raises UsageError for what can't be loaded.
    """
    import torch
    from transformers import AutoTokenizer

    from lens.models.folder import find_folder
    from lens.models.network import load, pick_device, quiet

    folder, place = find_folder(str(path), offline=True), pick_device(device)
    network = load(
        "AutoModelForCausalLM", folder, device=place, dtype=dtype, attention="eager", trust_remote_code=False
    )
    if place == "cpu":
        torch.set_num_threads(1)
    with quiet():
        try:
            tokenizer = AutoTokenizer.from_pretrained(str(folder.path), local_files_only=True)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"{path} holds no tokenizer: {str(error).splitlines()[0]}",
                remedy="save the tokenizer beside the model: tokenizer.save_pretrained(FOLDER)",
            ) from None
    return Policy(folder, network, tokenizer, place)


class Rollout(NamedTuple):
    """A recorded rollout that gradients are taken of; None where the record doesn't say."""

    row: int
    group: int
    advantage: float | None
    prompt: str | None
    completion: str | None
    tokens: int | None
    truncated: bool | None
    logp_old: float | None


_OPTIONAL = {"advantage": "DOUBLE", "tokens": "BIGINT", "truncated": "BOOLEAN", "logp_old": "DOUBLE"}


def rollouts(record: Record, step: int) -> list[Rollout]:
    """Those of a step that were trained on, in the record's order; group -1 where no leaf scored one."""
    scored = " OR ".join(f'"score.{leaf}" IS NOT NULL' for leaf in record.header.leaves) or "true"
    names = {name: f'r."{name}"' if name in record.columns else f"NULL::{kind}" for name, kind in _OPTIONAL.items()}
    kept = "AND coalesce(r.trained, true)" if "trained" in record.columns else ""
    rows = record.sql(
        f"""SELECT r."row", CASE WHEN {scored} THEN r."group" ELSE -1 END, {names["advantage"]}, t.prompt, t.completion,
        {names["tokens"]}, {names["truncated"]}, {names["logp_old"]}
        FROM rollouts r JOIN texts t ON t."row" = r."row" WHERE r.step = ? {kept} ORDER BY r."row" """,
        [step],
    )
    return [Rollout(*row) for row in rows]


class Tokens(NamedTuple):
    prompts: list[list[int]]
    responses: list[list[int]]


def tokenised(policy: Policy, some: Sequence[Rollout]) -> Tokens | str:
    """Prompts and responses as ids, or why they can't be those that were sampled.

    A trainer decodes its responses without the end token; it is put back where the recorded length counts one more, or
    the response is recorded as not cut off. A prompt takes the special tokens its tokenizer adds to plain text.
    """
    prompts, responses = [], []
    end = policy.tokenizer.eos_token_id
    for one in some:
        if one.prompt is None or one.completion is None:
            return "a prompt or completion was not recorded"
        if LOST in one.completion or LOST in one.prompt:
            return "a text holds bytes that are no characters, so its tokens can't be known"
        ids = list(policy.tokenizer(one.completion, add_special_tokens=False)["input_ids"])
        ended = one.tokens == len(ids) + 1 if one.tokens is not None else one.truncated is False
        if ended and end is not None:
            ids.append(end)
        if one.tokens is not None and one.tokens != len(ids):
            return f"a response of {one.tokens} tokens is {len(ids)} by this tokenizer"
        if not ids:
            return "a response has no tokens"
        before = list(policy.tokenizer(one.prompt)["input_ids"])
        if not before:
            return "a prompt has no tokens, so its response's first can't be scored"
        prompts.append(before)
        responses.append(ids)
    return Tokens(prompts, responses)


def digest_of(folders: Iterable[Path]) -> str:
    """One digest of several model folders, from their files alone."""
    from lens.canonical import digest
    from lens.models.folder import find_folder

    return digest([find_folder(str(one), offline=True).digest for one in folders])
