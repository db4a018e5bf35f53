"""The text of a grader's files, by the names that coverage and survivor tables give them."""

from __future__ import annotations

from collections.abc import Iterable

from lens.graders.subject import resolve


def texts(spec: str, files: Iterable[str]) -> dict[str, str]:
    """Each of `files` that lies in the subject's own folders here. Raises UsageError for an unknown spec."""
    subject = resolve(spec, offline=True)
    found = {}
    for name in files:
        places = [folder / name for folder in subject.paths]
        places += [subject.module_file] if subject.module_file.name == name else []
        place = next((one for one in places if one.is_file()), None)
        if place is not None:
            found[name] = place.read_text("utf-8", errors="replace")
    return found
