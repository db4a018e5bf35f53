"""A reward put together from several scores: there is no one stream that adds up to it, so it is opaque to instruments
that read one. Its members are opened models of their own, which can be named and read by themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.models.model import Encoded, Family, Padding, Prompt, RewardModel
from lens.reading import Declined, Subject

if TYPE_CHECKING:
    from lens.models.adapters import Loading
    from lens.models.pairs import Pairs


@dataclass(frozen=True, kw_only=True)
class Combined(ABC):
    """See `lens.models.model.RewardModel`. A kind says how a text's scores become one (`together`)."""

    slug: str
    title: str
    spec: str
    fingerprint: str
    licence: str
    kind: str
    members: tuple[Any, ...]
    family: Family = "opaque"
    own_pairs: Pairs | None = None
    trunk: None = None
    network: None = None

    @property
    def device(self) -> str:
        return _one(member.device for member in self.members)

    @property
    def dtype(self) -> str:
        return _one(member.dtype for member in self.members)

    @property
    def context(self) -> int:
        return min((member.context for member in self.members if member.context), default=0)

    @property
    def paddings(self) -> tuple[Padding, ...]:
        return min((member.paddings for member in self.members), key=len)

    def as_subject(self) -> Subject:
        return Subject("models", self.slug, self.title, self.fingerprint, self.spec, self.licence)

    def grants(self) -> str:
        return "grader.query gold.record"

    def encode(self, prompt: Prompt, response: str) -> Encoded:
        """The text as each member writes it."""
        parts = tuple(member.encode(prompt, response) for member in self.members)
        return Encoded(parts[0].ids, parts[0].response, parts=parts)

    def rewards(self, texts: Sequence[Encoded]) -> list[float]:
        columns = [
            member.rewards([text.parts[i] for text in texts]) for i, member in enumerate(self.members)
        ]  # fmt: skip
        return [self.together(scores) for scores in zip(*columns, strict=True)]

    def native(self, texts: Sequence[Encoded], padding: Padding) -> list[float]:
        columns = [
            member.native([text.parts[i] for text in texts], padding) for i, member in enumerate(self.members)
        ]  # fmt: skip
        return [self.together(scores) for scores in zip(*columns, strict=True)]

    @abstractmethod
    def together(self, scores: Sequence[float]) -> float:
        """One reward from a text's scores, one a member."""


def identity(kind: str, how: Loading, members: Sequence[RewardModel], **options: Any) -> dict[str, Any]:
    """The fields by which a combined model is told from others; `options` are those that change its rewards."""
    from lens.canonical import digest

    names = list(dict.fromkeys(member.slug for member in members))
    subjects = [member.as_subject() for member in members]
    return {
        "slug": "-".join([kind, *names]),
        "title": f"{kind} of {', '.join(subject.name for subject in subjects)}",
        "spec": how.spec,
        "fingerprint": digest({"kind": kind, "members": [one.fingerprint for one in subjects], "options": options}),
        "licence": ", ".join(dict.fromkeys(subject.licence for subject in subjects if subject.licence)),
        "members": tuple(members),
    }


def put_together(model: Any) -> Declined:
    """The decline of an instrument that looks into one network, on a reward made of several models' answers."""
    one = next((member.spec for member in model.members if member.spec != model.spec), "")
    return Declined(
        "not_applicable",
        "this reward is put together from several answers: there is no one stream that adds up to it",
        f"look into a model it is made of: lens measure model {one} --pairs PAIRS"
        if one
        else "read preference and bias, which need no look inside",
    )


def _one(words: Any) -> str:
    return " and ".join(dict.fromkeys(words))
