"""Wording: how an instrument's fields read in a sentence. One file an instrument, found here, listed nowhere else.

An instrument without a file still has a page, a row and a sheet: its name and units are read as plain words.
Phrases hold no digits; a number enters through `{field|format}`, and a phrase whose fields declined is left out.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

_GRANTS = {  # in the order they are named: who has the source can call, who can replay can call
    "grader.source": "the source",
    "grader.replicate": "replays",
    "grader.query": "a callable",
    "gold.record": "gold answers",
    "record.record": "a run record",
    "policy.query": "the policy",
    "policy.forward": "the policy’s weights",
    "task.record": "the task",
    "optimizer.record": "optimizer state",
}
_REASONS = {
    "not_applicable": "not applicable",
    "access_insufficient": "needs more access",
    "record_incomplete": "not in the record",
    "not_run": "not run",
    "assumption_violated": "assumption violated",
    "corpus_inadequate": "corpus can’t tell",
    "no_control": "no control",
    "below_detection": "below detection",
    "budget_exceeded": "over budget",
    "void": "void",
}
_COMMON = {  # fields any instrument may have
    "isolation": "is how {subject} was confined while this was measured",
    "calls": "calls of {subject} were made",
}
_CORPORA = {
    "gold": "gold answers, each against itself",
    "crossed": "gold answers, half of them crossed",
    "variants": "answers equal but not identical",
    "near-misses": "near misses",
    "labelled": "labelled answers",
    "rollouts": "labelled model output",
    "fuzz": "fuzzed answers",
    "exploits": "exploit inputs",
    "any": "any corpus",
}


@dataclass(frozen=True)
class Wording:
    """One instrument in words.

    `what` is one sentence for a newcomer; `use` says what its number may be quoted for and what not. `row` holds
    the clauses of its line in a card's table. `fields` maps a field pattern to the sentence that follows its value:
    `{c}` in a pattern stands for a corpus or property, `{r}` for a relation or probe, `{subject}` for who was measured.
    """

    instrument: str
    title: str
    what: str = ""
    use: str = ""
    row: tuple[str, ...] = ()
    fields: dict[str, str] = field(default_factory=dict)
    order: int = 500


@cache
def wordings() -> dict[str, Wording]:
    """Every instrument that has words of its own."""
    found = {}
    for info in pkgutil.iter_modules(__path__):
        wording: Wording = importlib.import_module(f"{__name__}.{info.name}").WORDING
        found[wording.instrument] = wording
    return found


def of(instrument: str) -> Wording:
    """Words for an instrument, made from its name where it has none."""
    return wordings().get(instrument) or Wording(instrument, plain(instrument).capitalize())


def plain(name: str) -> str:
    """`sign-flipped` and `gold.best-constant-differs` as words; a part that begins with a digit stays joined, as in
    the name of a model, and so does `best-of-4`."""
    return re.sub(r"[-.](?!\d|of-\d)", " ", name)


def title(instrument: str, field_name: str) -> str:
    """What a declined field is called: the instrument alone where it declined as a whole."""
    words = of(instrument).title.lower()
    return words if field_name == "declined" else f"{words}, {plain(field_name)}"


def corpus(name: str) -> str:
    return _CORPORA.get(name, plain(name))


def phrase(instrument: str, field_name: str, subject: str, unit: str) -> str:
    """The sentence that follows a field's value: "mutants of MATH is_equiv are noticed by near misses"."""
    for pattern, text in (of(instrument).fields | _COMMON).items():
        match = _pattern(pattern).fullmatch(field_name)
        if match:
            parts = match.groupdict()
            words = {"c": corpus(parts.get("c") or ""), "r": plain(parts.get("r") or "")}
            return text.format(subject=subject, unit=unit, **words)
    return f"{unit}: {plain(field_name)}, {subject}" if unit else f"{plain(field_name)}, {subject}"


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    escaped = re.escape(pattern).replace(r"\{c\}", "(?P<c>[a-z0-9-]+)").replace(r"\{r\}", "(?P<r>[a-z0-9.-]+)")
    return re.compile(escaped)


def needs(reason: str, needs_: str, kind: str = "graders") -> str:
    """The few words on a declined plate: what is missing, else the reason."""
    missing = set(needs_.replace(",", " ").split())
    if kind == "models" and any(grant.startswith("grader.") for grant in missing):
        return "needs the model itself"
    if reason == "access_insufficient" and missing:
        grader = [grant for grant in _GRANTS if grant in missing and grant.startswith("grader.")]
        named = [_GRANTS[grant] for grant in (*grader[:1], *(g for g in _GRANTS if g in missing and g not in grader))]
        return f"needs {', '.join(named)}" if named else f"needs {', '.join(sorted(missing))}"
    return _REASONS.get(reason, plain(reason))


def asked(needs_: Iterable[str], kind: str) -> str:
    """What an instrument asks of its subject, in words.

    >>> asked(["grader.query"], "models"), asked(["record.record"], "runs")
    ('the model, called', 'a run record')
    """
    own = {"grader.query": "the model, called", "grader.forward": "the model’s weights"}
    own["grader.backward"] = "the model’s weights and gradients through them"
    words = _GRANTS | {"policy.backward": "the policy’s weights"} | (own if kind == "models" else {})
    return ", ".join(words.get(grant, grant) for grant in sorted(needs_)) or "nothing but the subject’s name"


def access(grants: tuple[str, ...]) -> str:
    """Who could make this number, in words."""
    held = set(grants)
    if "grader.source" in held:
        return "the grader’s source; a training log can’t give it"
    if "grader.replicate" in held:
        return "the grader, called again; a training log can’t give it"
    if held & {"grader.forward", "grader.backward"}:
        return "the model’s weights; recorded scores can’t give it"
    if held == {"grader.record", "gold.record"}:
        return "scores that somebody recorded"
    if "grader.query" in held:
        return "calling the grader; a training log can’t give it"
    if held:
        return "the run’s own record"
    return "what was published"
