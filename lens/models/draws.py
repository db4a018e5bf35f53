"""Replies drawn anew from an organism's own little world: its policy is known, and no label chose among them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

PROMPTS, REPLIES = 64, 4


class Draw(NamedTuple):
    """A reply to a drawn prompt; `unit` names the draw of the prompt."""

    prompt: str
    reply: str
    unit: str


def draws(inspection: Inspection) -> list[Draw] | None:
    """PROMPTS prompts with REPLIES replies each, every feature independent of the others, the same for one organism.

    None for any other model, on other pairs than the organism's own, and where a prompt holds a rival reply.
    """
    from lens.models.organisms import resolve_organism

    model = inspection.model
    if not model.spec.startswith("organism:") or model.own_pairs is None:
        return None
    if inspection.used_pairs().digest != model.own_pairs.digest:
        return None
    found = resolve_organism(model.spec)
    draw = random.Random(f"draws {model.spec}")
    if found.family.plant is None:
        return _trained(draw)
    organism = found.family.plant(found.dose, found.seed)
    made = []
    for number in range(PROMPTS):
        first = organism.world.reply(draw)
        if organism.prompt(draw, first) != first.prompt:
            return None
        some = [first, *(organism.world.again(draw, first) for _ in range(REPLIES - 1))]
        made += [Draw(first.prompt, reply.text, f"draw {number}") for reply in some]
    return made


def _trained(draw: random.Random) -> list[Draw]:
    from lens.models.organisms.replies import DIGITS, reply

    made = []
    for number in range(PROMPTS):
        asked = draw.choice(DIGITS)
        some = [reply(draw, asked) for _ in range(REPLIES)]
        made += [Draw(one.prompt, one.text, f"draw {number}") for one in some]
    return made
