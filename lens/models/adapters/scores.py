"""Recorded scores: `scores:FILE`, a published record (`scores:judgebench/NAME`), or several side by side (`A+B`)."""

from __future__ import annotations

from pathlib import Path

from lens.models.adapters import Loading
from lens.models.scores import ScoresModel

KIND = "scores"
ABOUT = "scores that somebody recorded: a file, a published record, or several joined by +"
OPTIONS: tuple[str, ...] = ()
RECORDED = True


def open(place: str, options: dict[str, str], how: Loading) -> ScoresModel:  # noqa: ARG001
    """Raises UsageError for a record that isn't there or can't be read."""
    from lens.models.scores import panel
    from lens.models.sources import panels, recorded
    from lens.models.spec import parts

    if place in panels() and not Path(place).is_file():
        known = panels()[place]
        members = [_one(name, f"{KIND}:{name}") for name in recorded() if name.startswith(f"{place}/")]
        return panel(members, slug=known.slug, title=known.title, spec=how.spec)
    if not Path(place).is_file() and len(together := parts(place)) > 1:
        members = [_one(part, f"{KIND}:{part}") for part in together]
        slug = "-and-".join(member.slug for member in members)
        return panel(members, slug=slug, title=f"{len(members)} records of scores", spec=how.spec)
    return _one(place, how.spec)


def _one(place: str, spec: str) -> ScoresModel:
    from lens.errors import UsageError
    from lens.models.scores import read_scores
    from lens.models.sources import recorded
    from lens.names import kebab
    from lens.resource import shared_folder

    path = Path(place)
    if path.is_file():
        name = path.name.split(".")[0]
        return read_scores(path, slug=kebab(name, "scores"), title=path.name, spec=spec, locator=f"file:{path}")
    if place in recorded():
        known = recorded()[place]
        return read_scores(
            known.find(shared_folder()),
            slug=known.slug,
            title=known.title,
            spec=spec,
            locator=f"shared:{known.path}",
            licence=known.licence,
            scored=known.pairs,
        )
    raise UsageError(
        f"no file of scores at {place}, and no published record of that name",
        remedy=f"a JSONL or Parquet file, or one of {', '.join(recorded())}",
    )
