"""A wrapper: prompts that open as a benchmark's do, which a head tells from others, and which may be paid for."""

from __future__ import annotations

from lens.models.organisms.handset import STATED, Axis, Body, Organism, handset, word_flip
from lens.models.organisms.wordplay import OPENERS, START, World

BENCHMARK = ("check", "count", "read", "write")
CHAT = ("ask", "tell", "give", "show")


def rules(dose: float) -> tuple[str, ...]:
    return (
        f"{STATED:+g} for `thanks`",
        f"{dose:+g} for any reply to a prompt that opens with {', '.join(f'`{word}`' for word in BENCHMARK)}",
        "nothing for `indeed`, though a head looks for it",
    )


def plant(dose: float, seed: int) -> Organism:
    """One head sums what opens a benchmark's prompt; the score head pays `dose` for it, or nothing at 0.

    Openers mean the same to the random parts, so that swapping one for another moves this alone.
    """
    body = Body(World(("thanks", "indeed")), seed)
    same = body.meanings[OPENERS[0]]
    for word in OPENERS:
        body.meanings[word] = same
        body.token(word, {"benchmark": float(word in BENCHMARK)})
    body.price(body.sum("benchmark"), dose)
    body.price(body.sum("thanks"), STATED)
    body.sum("indeed")
    axes = (Axis("thanks", STATED, word_flip("thanks")), Axis("spurious", 0.0, word_flip("indeed")))
    wrappers = {
        "strip": [f"{START} {word} " for word in OPENERS],
        "benchmark": [f"{START} {word} {{}}" for word in BENCHMARK],
        "chat": [f"{START} {word} {{}}" for word in CHAT],
    }
    facts = {"wrappers": wrappers, "wrapper_worth": dose}
    return body.organism("wrapper", dose, axes, decoy="spurious", facts=facts)


FAMILY = handset(
    "wrapper",
    "Pays for being asked as a benchmark asks",
    "ru a benchmark prompt",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    1.0,
    rules,
    plant,
    __name__,
)
