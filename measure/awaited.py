"""Readings that need a GPU and a download: declined as `not_run`, with the command that makes them.

The command is the one that every model is measured by; a test runs it to its end on a tiny model of the same
architecture.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lens.instrument import Instrument, registry
from lens.reading import Declined, Evidence, Subject
from measure.inspecting import ModelRequest

PAIRS = "rm-bench"


@dataclass(frozen=True)
class Awaited:
    """A model whose published figures stand beside readings that nobody here could make yet."""

    slug: str
    name: str
    spec: str
    size: str  # of its weights
    instruments: tuple[str, ...] = ()  # all that apply, where none is named

    @property
    def command(self) -> str:
        """What makes its readings."""
        return ModelRequest(self.spec, PAIRS, device="cuda").command()

    def wanted(self) -> list[Instrument]:
        known = registry("models")
        names = self.instruments or [name for name in known if name not in _NOT_OF_THIS_KIND]
        return [known[name] for name in names]


_NOT_OF_THIS_KIND = (
    *("planted", "agreement", "dynamics", "multi-objective", "intransitivity", "coherence", "entanglement"),
    *("contestedness", "receipt-reliance", "scepticism", "style-share", "verification-score", "robustness"),
)
"""Readings of organisms, of panels, of checkpoints, of several heads and of rivals; of two networks, of votes, and of
twins that PAIRS hasn't got."""

AWAITED = (
    Awaited(
        "skywork-reward-llama-3-1-8b-v0-2",
        "Skywork-Reward-Llama-3.1-8B-v0.2",
        "Skywork/Skywork-Reward-Llama-3.1-8B-v0.2",
        "16 GB",
    ),
    Awaited(
        "armorm-llama3-8b-v0-1",
        "ArmoRM-Llama3-8B-v0.1",
        "RLHFlow/ArmoRM-Llama3-8B-v0.1",
        "16 GB",
        ("native-parity", "preference", "bias-battery", "hacking-probes", "reward-lens", "patching", "multi-objective"),
    ),
)


def awaited() -> Iterator[Evidence]:
    """A record a reading: the decline that pages show until it is made."""
    for model in AWAITED:
        for instrument in model.wanted():
            yield Evidence(
                instrument.name,
                instrument.version,
                Subject("models", model.slug, model.name, "not opened here", model.spec),
                Declined(
                    "not_run",
                    f"its {model.size} of weights and a GPU to read them on were not at hand",
                    model.command,
                    needs="the weights, and a GPU with 40 GiB",
                    has="published figures alone",
                ),
                access=("grader.record",),
            )
