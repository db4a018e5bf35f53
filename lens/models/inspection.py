"""What an instrument for reward models is given: the model, its pairs, the access granted, and a place to run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from lens.access import Access
from lens.models.model import Prompt, RewardModel
from lens.models.pairs import Pair, Pairs
from lens.noted import Noted, Noting

if TYPE_CHECKING:
    from lens.reading import Declined

R = TypeVar("R")


class Task(msgspec.Struct, frozen=True):
    """One piece of work in plain types: it may run in another process or on another machine."""

    spec: str
    fingerprint: str
    device: str
    dtype: str
    trust: bool
    job: str  # module:function
    pair: tuple[Any, ...]  # number, prompt, chosen, rejected, axis, lineage; empty for a job of no one pair
    options: dict[str, Any]


@dataclass
class Inspection(Noting):
    """One inspection in progress; `advance` counts forwards."""

    model: RewardModel
    pairs: Pairs
    access: Access
    seed: Noted[int] = Noted(0)
    draws: Noted[int] = Noted(2000)  # bootstrap redraws
    sample: Noted[int] = Noted(64)  # pairs an expensive grid reads, spread over prompts and axes
    controls: Noted[int] = Noted(8)  # re-initialised copies beside a claim about structure
    trust_remote_code: bool = False

    def used_pairs(self) -> Pairs:
        """The pairs, noted as an input of the reading now being made."""
        self.used[self.pairs.name] = self.pairs.as_input()
        return self.pairs

    @property
    def chain(self) -> str:
        """SHA-256 of the chain of checkpoints beside the model, "" where there is none; noted as a parameter."""
        from lens.canonical import file_digest
        from lens.models.chain import NAME, folder_of

        folder = folder_of(self.model)
        path = folder / NAME if folder else None
        self.noted["chain"] = digest = file_digest(path) if path and path.is_file() else ""
        return digest

    def spread(self, count: int | None = None) -> tuple[Pair, ...]:
        """At most `count` (default: `sample`) unique pairs, taken evenly through the file."""
        some = self.used_pairs().unique
        count = self.sample if count is None else count
        if len(some) <= count:
            return some
        return tuple(some[i * len(some) // count] for i in range(count))

    def rewards(self, texts: Sequence[tuple[Prompt, str]]) -> list[float]:
        """The reward of each (prompt, reply), ru; on a CPU each batch is a task, made up of `texts` alone."""
        from lens.models.batches import CPU_TOKENS, batches
        from lens.models.work import score

        encoded = [self.model.encode(prompt, reply) for prompt, reply in texts]
        if self.model.device != "cpu" or self.model.family not in ("A", "B"):
            rewards = self.model.rewards(encoded)
            self.advance(len(texts))
            return rewards
        found = [math.nan] * len(texts)
        some = list(batches(encoded, CPU_TOKENS))
        tasks = [self._task(score, (), {"texts": [texts[index] for index in batch]}) for batch in some]
        for batch, rewards in zip(some, self._run(tasks, [len(batch) for batch in some]), strict=True):
            for index, reward in zip(batch, rewards, strict=True):
                found[index] = reward
        return found

    def margins(self, pairs: Sequence[Pair]) -> list[tuple[float, float]]:
        """(chosen, rejected) of each pair, ru: measured, or what a record says; NaN where the record has no such pair.

        A text that stands in several pairs is scored once.
        """
        from lens.models.scores import ScoresModel

        if isinstance(self.model, ScoresModel):
            self.used |= {one.name: one for one in self.model.inputs}
            return [self.model.recorded(pair) or (math.nan, math.nan) for pair in pairs]
        both = [((pair.prompt, pair.chosen), (pair.prompt, pair.rejected)) for pair in pairs]
        texts = {repr(text): text for pair in both for text in pair}
        found = dict(zip(texts, self.rewards(list(texts.values())), strict=True))
        return [(found[repr(chosen)], found[repr(rejected)]) for chosen, rejected in both]

    def over(self, job: Callable[..., R], pairs: Sequence[Pair], *, forwards: int = 2, **options: Any) -> list[R]:
        """`[job(model, pair, **options) for pair in pairs]`, through the engine.

        `job` is a module-level function; its result is of plain types, the same whichever process made it.
        `forwards` is what one pair costs, for the progress bar.
        """
        msgspec.msgpack.encode(options)  # raises TypeError for what would not reach another machine as it is
        tasks = [
            self._task(job, (pair.number, pair.prompt, pair.chosen, pair.rejected, pair.axis, pair.lineage), options)
            for pair in pairs
        ]
        return list(self._run(tasks, [forwards] * len(tasks)))

    def _task(self, job: Callable[..., Any], pair: tuple[Any, ...], options: dict[str, Any]) -> Task:
        model = self.model
        name = f"{job.__module__}:{job.__qualname__}"
        return Task(
            model.spec, model.fingerprint, model.device, model.dtype, self.trust_remote_code, name, pair, options
        )

    def _run(self, tasks: Sequence[Task], forwards: Sequence[int]) -> Iterator[Any]:
        """The tasks' results in order, through the engine; those of this process use the model that is open here."""
        from lens.models.work import hold, run

        hold(self.model)
        for result, count in zip(self.map(run, tasks), forwards, strict=True):
            self.advance(count)
            yield result


def unread(family: str) -> Declined:
    """The decline of an instrument that needs the exact forms of class A, on a model of another class."""
    from lens.reading import Declined

    why = {
        "B": "this network is not causal, pre-norm and linear at its head, so the stream does not add up to the reward",
        "opaque": "this reward is put together from several answers: there is no one stream that adds up to it",
        "scores": "recorded scores have no network behind them here",
    }[family]
    return Declined("not_applicable", why, "read preference, bias and patching by full forwards instead")
