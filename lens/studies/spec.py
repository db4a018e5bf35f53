"""What a study says before anything is measured: `content/studies/<id>.toml`.

A metric is `id#field` of the record the study will write, `project/study-<id>/<science>#<value>.<arm>`, or a contrast
of arms that the science declares; a later version's record is that id with its variant.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from lens.canonical import digest
from lens.errors import UsageError

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_FORMAT = "tests/studies holds small ones; content/studies the published ones"


class _Spec(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True, omit_defaults=True):
    """Keys are kebab words; unknown ones are refused, since a misspelt one would be left out of the freeze."""


class Kill(_Spec, frozen=True):
    """The rule that ends it: `above` or `below` are of the estimate, `holds` of its interval."""

    comparator: Literal["above", "below", "holds"]
    threshold: float


class Arm(_Spec, frozen=True):
    """Subjects built alike: `units` of them, with what is planted in each."""

    name: str
    units: int
    plant: dict[str, float] = {}


class Sealed(_Spec, frozen=True):
    """A subject that exists already, by the name a person types. Subjects of one `cluster` count as one."""

    spec: str
    arm: str = "sealed"
    cluster: str = ""


class Hypothesis(_Spec, frozen=True):
    """One prediction about one field. `control` is a field on which the same rule must not hold.

    `smallest` is the smallest effect of interest, in the metric's own units: where power is simulated. `margin` is of
    `within` alone. `spread` is the standard deviation between units where no pilot can be run.
    """

    name: str
    says: str
    metric: str
    comparator: Literal["above", "below", "within"]
    threshold: float
    control: str
    smallest: float
    kill: Kill
    margin: float = 0.0
    spread: float | None = None

    @property
    def field(self) -> str:
        return self.metric.partition("#")[2]

    @property
    def control_field(self) -> str:
        return self.control.partition("#")[2]


class Spec(_Spec, frozen=True):
    """A study. `unit` is the cluster unit: what was drawn. `family` names the hypotheses that Holm's rule joins.

    `named` says what whoever runs it must name, where the predictions are of subjects that weren't at hand: a `model`,
    on which every unit of every arm is drawn, or `runs`, each a unit of its arm. It is frozen without them, and once
    more with them.

    `cites` are scorecards that must stand in the store: a reading beyond the doses, sizes or subjects of its
    instrument's counts for the study only where one of them is cited. `amends` says what a later version changed, and
    why.
    """

    id: str
    title: str
    question: str
    prediction: str
    refuted_by: str
    science: str
    unit: str
    family: tuple[str, ...]
    hypothesis: tuple[Hypothesis, ...]
    arm: tuple[Arm, ...] = ()
    subject: tuple[Sealed, ...] = ()
    version: int = 1
    alpha: float = 0.05
    pilot: int = 24
    named: Literal["", "model", "runs"] = ""
    cites: tuple[str, ...] = ()
    amends: str = ""

    @property
    def slug(self) -> str:
        """Its place under `project/`."""
        return f"study-{self.id}"

    @property
    def variant(self) -> str:
        """Of its records: amended versions stand beside the first."""
        return f"v{self.version}" if self.version > 1 else ""

    def record(self, instrument: str) -> str:
        """The id of one of its records."""
        return f"project/{self.slug}/{instrument}" + (f"~{self.variant}" if self.variant else "")

    @property
    def units(self) -> str:
        """Several of its unit, in words: trunks under raters."""
        return re.sub(r"^(.+?)(?= (?:of|under) |$)", r"\1s", self.unit, count=1)

    @property
    def arms(self) -> dict[str, int]:
        """Units by arm, in the order given; of sealed subjects, clusters."""
        if not self.each:
            return {one.name: one.units for one in self.arm}
        found = {one.name: 0 for one in self.arm}
        for number, one in enumerate(self.subject):
            found.setdefault(one.arm, 0)
            found[one.arm] += not one.cluster or self._first(number)
        return found

    @property
    def each(self) -> bool:
        """Whether every subject is a unit."""
        return bool(self.subject) and self.named != "model"

    @property
    def waits(self) -> bool:
        """Whether nobody has named its subjects yet."""
        return bool(self.named) and not self.subject

    def _first(self, number: int) -> bool:
        """Whether a sealed subject is the first of its cluster in its arm."""
        at = self.subject[number]
        return all((one.arm, one.cluster) != (at.arm, at.cluster) for one in self.subject[:number])

    @property
    def digest(self) -> str:
        return digest(self.plain)

    @property
    def plain(self) -> dict[str, Any]:
        """The spec as plain data, which a freeze keeps whole."""
        return dict(msgspec.to_builtins(self))


def read(path: Path) -> Spec:
    """A spec from its file, checked for what can be told without running anything. Raises UsageError."""
    try:
        plain = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", remedy="lens study ls names the studies there are") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not TOML: {error}", remedy=_FORMAT) from error
    return parse(plain, str(path))


def parse(plain: Mapping[str, Any], name: str = "the spec") -> Spec:
    """A spec from plain data, as a freeze keeps it. Raises UsageError naming what is missing or off."""
    for one in plain.get("hypothesis", ()):
        if isinstance(one, dict) and not one.get("control"):
            raise UsageError(
                f"{name}: hypothesis {one.get('name', '?')!r} has no control",
                remedy='control = "<id>#<field>", a field on which the same rule must not hold',
            )
    try:
        spec = msgspec.convert(plain, Spec)
    except msgspec.ValidationError as error:
        raise UsageError(f"{name}: {error}", remedy=_FORMAT) from error
    problems = _problems(spec)
    if problems:
        raise UsageError(f"{name}: {'; '.join(problems)}", remedy=_FORMAT)
    return spec


def _problems(spec: Spec) -> list[str]:
    """What is off in the spec by itself."""
    found = []
    names = [one.name for one in spec.hypothesis]
    for word in (spec.id, spec.science, *names, *spec.arms):
        if not _WORD.fullmatch(word):
            found.append(f"{word!r} is not lower-case words joined by hyphens")
    if not names:
        found.append("it has no hypothesis")
    if sorted(spec.family) != sorted(names):
        found.append(f"its family must name every hypothesis once: {', '.join(names)}")
    found += _named(spec)
    if spec.arm and spec.subject and not spec.named:
        found.append("its subjects are either built after the freeze (arm) or there already (subject), not both")
    if not spec.arm and not spec.subject:
        found.append("it has no subjects: name an arm or a subject")
    if len({one.name for one in spec.arm}) != len(spec.arm):
        found.append("two arms have one name")
    if not 0 < spec.alpha <= 0.05:
        found.append(f"alpha is {spec.alpha:g}: above 0 and at most .05")
    if spec.version > 1 and not spec.amends:
        found.append("a later version says in `amends` what changed and why")
    return found + [problem for one in spec.hypothesis for problem in _of_hypothesis(one)]


def _named(spec: Spec) -> list[str]:
    """What is off in the subjects that somebody named."""
    if not spec.named or not spec.subject:
        return ["its units, by arm, are missing"] if spec.named and not spec.arm else []
    if spec.named == "model":
        return [f"it is of one model, and {len(spec.subject)} are named"] if len(spec.subject) > 1 else []
    found, wanted = spec.arms, {one.name: one.units for one in spec.arm}
    strange = sorted(found.keys() - wanted.keys())
    return [f"it has no arm called {name}: {', '.join(wanted)}" for name in strange] + [
        f"arm {name} takes {count} runs or more, and {found.get(name, 0)} are named"
        for name, count in wanted.items()
        if found.get(name, 0) < count
    ]


def _of_hypothesis(one: Hypothesis) -> list[str]:
    found = []
    for role, ref in (("metric", one.metric), ("control", one.control)):
        if ref.count("#") != 1 or not all(ref.partition("#")[::2]):
            found.append(f"the {role} of {one.name} is {ref!r}, not id#field")
    if one.metric == one.control:
        found.append(f"{one.name} is its own control")
    if (one.comparator == "within") != (one.margin > 0):
        found.append(f"{one.name}: a margin belongs to `within`, and `within` needs one")
    if not _on_its_side(one):
        found.append(f"{one.name}: the smallest effect of interest, {one.smallest:g}, is not on the predicted side")
    return found


def _on_its_side(one: Hypothesis) -> bool:
    match one.comparator:
        case "above":
            return one.smallest > one.threshold
        case "below":
            return one.smallest < one.threshold
    return abs(one.smallest - one.threshold) < one.margin
