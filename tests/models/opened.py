"""Tiny models opened as a person would, with pairs to read them on."""

from __future__ import annotations

import dataclasses
import random
from functools import cache
from typing import Any

import torch

from lens.access import Access
from lens.models.inspection import Inspection
from lens.models.pairs import Pair, Pairs
from lens.models.subject import open_model
from lens.models.work import hold
from lens.reading import Measured, Quantity
from tests.models import tiny

WORDS = ("red", "blue", "green", "seven", "eight", "nine", "maybe", "surely", "thanks", "sorry")
WORDS += ("it", "is", "was", "not", "the", "a", "sum", "cat", "dog")


@cache
def model(architecture: str = "llama", dtype: str = "float32", **config: Any) -> Any:
    """A tiny random model, opened once a process."""
    torch.set_num_threads(1)
    folder = tiny.new_folder(architecture)
    tiny.build(folder, architecture, template=False, **config)
    found = open_model(str(folder), device="cpu", dtype=dtype)
    hold(found)
    return found


def again(of: Any) -> Any:
    """The same model with nothing kept of the weights it had before."""
    return dataclasses.replace(of)


def pairs(
    count: int = 24, *, prompts: int | None = None, axes: int = 2, equal: bool = False, seed: int = 0, end: str = ""
) -> Pairs:
    """Random sentences; `equal` has both replies of one length in characters, which is tokens here, and every
    reply ends in `end`."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        prompt = f"question {number % (prompts or count)}: "
        chosen, rejected = (" ".join(draw.choices(WORDS, k=draw.randint(2, 5))) for _ in range(2))
        if equal:
            width = min(len(chosen), len(rejected))
            chosen, rejected = chosen[:width], rejected[:width]
        if chosen != rejected:
            made.append(Pair(number, prompt, chosen + end, rejected + end, f"axis {number % axes}"))
    return Pairs("made", tuple(made), f"made-{count}-{prompts}-{axes}-{equal}-{seed}-{end}")


def preferred(some: Pairs, of: Any) -> Pairs:
    """The same pairs, turned so that the model prefers the chosen side."""
    turned = []
    for pair in some:
        texts = [of.encode(pair.prompt, reply) for reply in (pair.chosen, pair.rejected)]
        first, second = of.rewards(texts)
        sides = (pair.chosen, pair.rejected) if first >= second else (pair.rejected, pair.chosen)
        turned.append(Pair(pair.number, pair.prompt, *sides, pair.axis))
    return Pairs(f"{some.name} preferred", tuple(turned), some.digest + of.fingerprint)


def inspection(of: Any, some: Pairs, **parameters: Any) -> Inspection:
    settings = {"draws": 200, "controls": 3, "sample": 24} | parameters
    hold(of)
    return Inspection(of, some, Access.parse(of.grants()), **settings)


def fields(result: Any) -> dict[str, Any]:
    reading = result.reading
    assert isinstance(reading, Measured), reading
    return reading.fields


def value(result: Any, name: str) -> float:
    field = fields(result)[name]
    assert isinstance(field, Quantity), field
    return float(field.value)
