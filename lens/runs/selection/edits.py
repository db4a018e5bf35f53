"""Counterfactual rewards: the same rollouts scored by a reward that differs in one leaf, without asking any grader.

drop:LEAF                the leaf taken out
weight:LEAF=W            another weight
clamp:LEAF=LOW..HIGH     scores held between two bounds; either may be left out
gate:LEAF>=T             the whole reward kept where the leaf reaches T, else 0; also <=, > and <
swap:gold                what the trusted grader says, in place of the whole reward
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from lens.errors import UsageError
from lens.names import kebab
from lens.runs.selection.composition import Composition, total
from lens.runs.selection.rules import Scored

if TYPE_CHECKING:
    from lens.runs.record import Record

Kind = Literal["drop", "weight", "clamp", "gate", "swap"]
GOLD = "gold"
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_FORMS: dict[Kind, re.Pattern[str]] = {
    "drop": re.compile(r"drop:(?P<leaf>.+)"),
    "weight": re.compile(rf"weight:(?P<leaf>.+)=(?P<low>{_NUMBER})"),
    "clamp": re.compile(rf"clamp:(?P<leaf>.+)=(?P<low>{_NUMBER})?\.\.(?P<high>{_NUMBER})?"),
    "swap": re.compile(r"swap:(?P<leaf>gold)"),
    "gate": re.compile(rf"gate:(?P<leaf>.+?)(?P<sign>>=|<=|>|<)(?P<low>{_NUMBER})"),
}


@dataclass(frozen=True)
class Edit:
    """One counterfactual reward; `text` as it is typed."""

    text: str
    kind: Kind
    leaf: str
    low: float | None = None
    high: float | None = None
    sign: str = ""

    @property
    def name(self) -> str:
        """Its place in field names.

        >>> parse("clamp:length_reward=..2.5").name
        'clamp-length-reward-2-5'
        """
        return kebab(self.text)

    @property
    def whole(self) -> bool:
        """Whether it puts another total in place of a sum of leaves."""
        return self.kind in ("gate", "swap")

    def scored(self, composed: Composition, of: str = "_e") -> Scored:
        """The edited reward: null where every leaf that is left abstained. A gated one has no leaves of its own."""
        if self.kind == "swap":
            return Scored(GOLD, {}, of)
        terms = composed.leaves
        leaf, weight = terms[self.leaf]
        if self.kind == "gate":
            whole = total(terms)
            gated = (
                f"CASE WHEN ({whole}) IS NULL THEN NULL WHEN {leaf} {self.sign} {self.low!r} THEN {whole} ELSE 0 END"
            )
            return Scored(gated, {}, of)
        if self.kind == "drop":
            del terms[self.leaf]
        elif self.kind == "weight":
            terms[self.leaf] = (leaf, float(self.low or 0.0))
        else:
            held = f"greatest({leaf}, {self.low!r})" if self.low is not None else leaf
            held = f"least({held}, {self.high!r})" if self.high is not None else held
            terms[self.leaf] = (f"CASE WHEN {leaf} IS NOT NULL THEN {held} END", weight)
        return Scored(total(terms), terms, of)


def parse(text: str) -> Edit:
    """An edit as it is typed. Raises UsageError for a form that isn't one."""
    for kind, form in _FORMS.items():
        if match := form.fullmatch(text):
            found = match.groupdict()
            low, high = (float(found[name]) if found.get(name) else None for name in ("low", "high"))
            if low is not None and high is not None and low > high:
                raise UsageError(f"{text!r} holds scores between {low:g} and {high:g}, which nothing is")
            return Edit(text, kind, found["leaf"], low, high, found.get("sign") or "")
    raise UsageError(
        f"{text!r} is no edit of a reward",
        remedy="--edit drop:LEAF, weight:LEAF=0.5, clamp:LEAF=0..1 or gate:LEAF>=0.5, swap:gold",
    )


def checked(texts: Sequence[str], composed: Composition, record: Record | None = None) -> list[Edit]:
    """The edits a person asked for. Raises UsageError where one names no leaf of the reward, or leaves none, and where
    the record lacks what it needs."""
    leaves = list(composed.leaves)
    found = [parse(text) for text in texts]
    for edit in found:
        if edit.kind == "swap":
            if record is None or GOLD not in record.columns:
                raise UsageError(f"--edit {edit.text}: the record has no gold", remedy="write `gold`, a trusted score")
            continue
        if edit.leaf not in leaves:
            near = difflib.get_close_matches(edit.leaf, leaves, n=1, cutoff=0.4)
            hint = f"did you mean {near[0]}?" if near else f"one of {', '.join(leaves)}"
            raise UsageError(f"--edit {edit.text}: the reward has no leaf {edit.leaf!r}: {hint}")
        if edit.kind == "drop" and len(leaves) == 1:
            raise UsageError(
                f"--edit {edit.text} leaves nothing of the reward", remedy=f"clamp or gate {edit.leaf} instead"
            )
    return found
