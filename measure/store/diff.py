"""What differs between two readings, path by path, at full precision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from lens.reading import Evidence, fields_of
from measure.store.text import shown


class Change(NamedTuple):
    """`path` read `old` in the first and `new` in the second; empty where it isn't there."""

    path: str
    old: str
    new: str


def diff(old: Evidence, new: Evidence) -> list[Change]:
    """Every path whose value differs, sorted. Notes and effective sizes count: all the content digest covers."""
    left, right = dict(_flat(old)), dict(_flat(new))
    return [
        Change(path, left.get(path, ""), right.get(path, ""))
        for path in sorted(left.keys() | right.keys())
        if left.get(path) != right.get(path)
    ]


def _flat(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Leaves by dotted path; a field that reads the same in words still shows each part that differs."""
    plain = msgspec.to_builtins(evidence)
    fields = plain["reading"].pop("fields", {})
    yield from _leaves(plain, "")
    for name, field in fields_of(evidence.reading).items():
        yield f"#{name}", shown(field)
        yield from ((f"#{name}.{path}", text) for path, text in _leaves(fields.get(name, {}), "") if path in _BESIDE)


_BESIDE = {"n", "n_eff", "control", "note", "kind", "remedy", "needs", "has"}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _leaves(one, f"{path}.{name}" if path else name)
    elif isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value):
        for number, one in enumerate(value):
            yield from _leaves(one, f"{path}[{one.get('name', number) if isinstance(one, dict) else number}]")
    else:
        yield path, value if isinstance(value, str) else msgspec.json.encode(value).decode()
