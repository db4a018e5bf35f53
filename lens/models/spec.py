"""What a person types to name a reward model, taken apart.

kind:place?option=value&option=value      the kind may be left out: a folder or a Hugging Face id with a scalar head
kind:[spec?option=value]+[spec]           a spec inside another stands in brackets where it has options of its own
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from lens.errors import UsageError

_KIND = re.compile(r"(?P<kind>[a-z]+):(?P<place>.+)", re.DOTALL)


class Named(NamedTuple):
    kind: str
    place: str
    options: dict[str, str]


def parse(spec: str) -> Named:
    """The kind, place and options of a spec. A folder that exists under the whole name is that folder.

    >>> parse("dpo:policy+reference?beta=0.2")
    Named(kind='dpo', place='policy+reference', options={'beta': '0.2'})
    >>> parse("ensemble:[org/a?readout=0]+org/b").place
    '[org/a?readout=0]+org/b'
    """
    if Path(spec).is_dir():
        return Named("scalar", spec, {})
    match = _KIND.fullmatch(spec)
    kind, rest = (match["kind"], match["place"]) if match else ("scalar", spec)
    place, query = rest, ""
    for at in _outside(rest, "?"):
        place, query = rest[:at], rest[at + 1 :]
        break
    return Named(kind, place, dict(parse_qsl(query, keep_blank_values=True)))


def parts(place: str) -> list[str]:
    """The specs joined by + in a place, without the brackets around them.

    >>> parts("[judge:org/a?yes=Yes]+org/b")
    ['judge:org/a?yes=Yes', 'org/b']
    """
    cuts = [-1, *_outside(place, "+"), len(place)]
    return [bare(place[start + 1 : end]) for start, end in pairwise(cuts)]


def bare(spec: str) -> str:
    """A spec without the one pair of brackets around it."""
    return spec[1:-1] if spec.startswith("[") and spec.endswith("]") and not list(_outside(spec, "+")) else spec


def only(options: Iterable[str], known: Iterable[str], spec: str) -> None:
    """Raises UsageError for an option that the kind doesn't have."""
    known = tuple(known)
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise UsageError(
                f"{spec}: no option is called {name!r}" + (f": did you mean {near[0]}?" if near else ""),
                remedy=f"one of {', '.join(known) or '(none)'}; a spec inside another takes its options in brackets",
            )


def number(options: dict[str, str], name: str, default: float, spec: str) -> float:
    """An option as a finite number. Raises UsageError for anything else."""
    text = options.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise UsageError(f"{spec}: {name} is {text!r}, no number", remedy=f"for example ?{name}={default:g}")
    return value


def choice(options: dict[str, str], name: str, known: tuple[str, ...], spec: str) -> str:
    """An option as one of `known`, whose first is the default. Raises UsageError for any other word."""
    word = options.get(name, known[0])
    if word not in known:
        raise UsageError(f"{spec}: {name} can't be {word!r}", remedy=f"{name}= one of {', '.join(known)}")
    return word


def _outside(text: str, mark: str) -> Iterator[int]:
    """Where `mark` stands outside of brackets."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == mark and depth == 0:
            yield at
