"""Episodes as verifiers writes them (`Episode.to_record`, 0.4): one JSON object a line, with its traces.

A trace is a rollout: rewards by name with their weights, and nodes, one a message, with the tokens it adds. `mask` says
which of a node's tokens were sampled; `logprobs`, `advantages` and the like hold one number for each of those alone,
rounded to four decimals. Null fields are left out, among them the reward that was never scored. A number that isn't
finite may be left out of a list: one shorter than its mask has lost its places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs.formats import files as reading
from lens.runs.gather import text
from lens.runs.keys import key

ROUNDED = 5e-5  # RECORD_FLOAT_DECIMALS = 4
LIMITS = ("max_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens", "compaction_failed")
SHIFTED, PER_TOKEN = "shifted-lists", "advantage-by-token"
TOLD = {
    SHIFTED: "lists shorter than their mask: numbers that weren't finite were left out, and with them the places",
    PER_TOKEN: "advantages that differ from token to token: no single number is the rollout's",
}

Numbers = list[float | None]


class Node(msgspec.Struct):
    sampled: bool = False
    parent: int | None = None
    message: dict[str, Any] = {}
    token_ids: list[int] = []
    mask: list[bool] = []
    logprobs: Numbers | None = None
    reference_logprobs: Numbers | None = None
    trainer_logprobs: Numbers | None = None
    entropies: Numbers | None = None
    advantages: Numbers | None = None


class Reward(msgspec.Struct):
    score: float | None = None
    weight: float = 1.0


class Call(msgspec.Struct):
    finish_reason: str | None = None
    error: dict[str, Any] | None = None


class Task(msgspec.Struct):
    key: str | None = None
    hash: str | None = None
    data: dict[str, Any] = {}

    @property
    def name(self) -> str:
        return self.key or self.hash or text(self.data)


class Trace(msgspec.Struct):
    id: str
    nodes: list[Node] = []
    rewards: dict[str, Reward | None] = {}
    metrics: dict[str, float | None] = {}
    calls: list[Call] = []
    errors: list[Any] = []
    stop_condition: str | None = None

    @property
    def truncated(self) -> bool:
        last = next((call for call in reversed(self.calls) if call.error is None), None)
        return self.stop_condition in LIMITS or (last is not None and last.finish_reason == "length")

    @property
    def chain(self) -> bool:
        """Whether every node but the last has one child: a single sequence of tokens."""
        return all(node.parent == (at - 1 if at else None) for at, node in enumerate(self.nodes))

    @property
    def tokens(self) -> list[int]:
        return [one for node in self.nodes for one in node.token_ids]


class Policy(msgspec.Struct):
    start: int
    end: int


class Work(msgspec.Struct):
    type: str = "train"
    step: int | None = None
    policy: Policy | None = None


class Run(msgspec.Struct):
    type: str = "train"
    work: Work = msgspec.field(default_factory=Work)


class Named(msgspec.Struct):
    id: str = ""
    name: str | None = None


class Episode(msgspec.Struct):
    traces: list[Trace]
    task: Task = msgspec.field(default_factory=Task)
    env: Named = msgspec.field(default_factory=Named)
    group: Named | None = None
    run: Run = msgspec.field(default_factory=Run)
    id: str = ""


def episodes(path: Path, torn: Callable[[Path, int], None]) -> Iterator[tuple[int, Episode]]:
    """Line and episode. Raises UsageError naming file, line and the field that isn't an episode's."""
    for line, row in reading.json_lines(path, torn):
        yield line, reading.shaped(row, Episode, path, line, "episode")


def first(path: Path) -> Episode | None:
    """The first episode, None where the file holds none."""
    try:
        found = next(episodes(path, lambda *_: None), None)
    except (UsageError, OSError):
        return None
    return found[1] if found else None


class Leaves:
    """Names and weights of the rewards, by environment: a name that a trace lacks was not scored there."""

    def __init__(self) -> None:
        self.names: dict[str, dict[str, None]] = {}
        self.weights: dict[str, set[float]] = {}

    def add(self, episode: Episode) -> None:
        names = self.names.setdefault(episode.env.id, {})
        for trace in episode.traces:
            names |= dict.fromkeys(trace.rewards)
            for name, reward in trace.rewards.items():
                if reward is not None:
                    self.weights.setdefault(name, set()).add(reward.weight)

    @property
    def known(self) -> dict[str, float] | None:
        """The weight of each, None where one's changes during the run."""
        one = {name: next(iter(found)) for name, found in self.weights.items() if len(found) == 1}
        return one if one and len(one) == len(self.weights) else None

    @property
    def changing(self) -> list[str]:
        return sorted(name for name, found in self.weights.items() if len(found) > 1)

    @property
    def all(self) -> dict[str, None]:
        return {name: None for names in self.names.values() for name in names}


def rollout(trace: Trace, leaves: Leaves) -> tuple[dict[str, Any], set[str]]:
    """A trace in the record's names, without its step and group; and the codes of what it can't tell."""
    made: dict[str, Any] = {"failed": bool(trace.errors), "truncated": trace.truncated, **_texts(trace)}
    made |= dict.fromkeys((f"score.{name}" for name in leaves.all), None)
    total = []
    for name, reward in trace.rewards.items():
        if reward is not None and reward.score is not None:
            made[f"score.{name}"] = reward.score
            total.append(reward.weight * reward.score)
    made["reward"] = sum(total) if total else None
    made |= {f"extra.{name}": value for name, value in trace.metrics.items()}
    sampled = [node for node in trace.nodes if node.sampled and any(node.mask)]
    if any(node.token_ids for node in trace.nodes):
        made["tokens"] = sum(sum(node.mask) for node in sampled)
    codes: set[str] = set()
    for place, lists in {
        "logp_old": [node.logprobs for node in sampled],
        "logp_ref": [node.reference_logprobs for node in sampled],
        "logp": [node.trainer_logprobs for node in sampled],
        "entropy": [node.entropies for node in sampled],
        "advantage": [node.advantages for node in sampled],
    }.items():
        if not lists or not any(lists):
            continue
        if (whole := _whole(lists, sampled)) is None:
            codes.add(SHIFTED)
        elif place == "advantage" and len(set(whole)) > 1:
            codes.add(PER_TOKEN)
        else:
            mean = place == "entropy"
            made[place] = whole[0] if place == "advantage" else math.fsum(whole) / (len(whole) if mean else 1)
    return made, codes


def _whole(lists: list[Numbers | None], sampled: list[Node]) -> list[float] | None:
    """The numbers of all sampled tokens in order; None where a list has lost some."""
    found: list[float] = []
    for numbers, node in zip(lists, sampled, strict=True):
        told = [one for one in numbers or () if one is not None and math.isfinite(one)]
        if len(told) != sum(node.mask):
            return None
        found += told
    return found


def _texts(trace: Trace) -> dict[str, Any]:
    """Messages before the first that was sampled, and all from there on; a lone one without its role."""
    at = next((at for at, node in enumerate(trace.nodes) if node.sampled), len(trace.nodes))
    return {
        "prompt_text": _told([node.message for node in trace.nodes[:at]]),
        "completion_text": _told([node.message for node in trace.nodes[at:]]),
    }


def _told(messages: list[dict[str, Any]]) -> str:
    return text(messages[0].get("content") or "") if len(messages) == 1 else text(messages) if messages else ""


def tokens_key(tokens: list[int]) -> int:
    """A sequence of tokens as a number."""
    return key(*tokens)
