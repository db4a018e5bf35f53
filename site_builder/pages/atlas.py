"""`atlas/`: every subject by every instrument, a page a kind; what was read, what declined, how far it is trusted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder.context import Body, Job, Page, Site
from site_builder.views.atlas import KINDS, atlas
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    for kind in there(site):
        yield Job(path(site, kind), "", partial(_page, site, kind))


def there(site: Site) -> list[str]:
    """Kinds with a subject that something was measured of; a store with nothing in it has graders, and none of them."""
    found = {one.kind for one in site.subjects.values() if one.audited}
    return [kind for kind in KINDS if kind in found] or [KINDS[0]]


def path(site: Site, kind: str) -> str:
    """The first kind's page is the one that is linked from everywhere."""
    return "atlas/" if kind == there(site)[0] else f"atlas/{kind}/"


def _page(site: Site, kind: str) -> tuple[Page, Body]:
    places = [one for one in atlas(site.lookup, kind) if site.subjects[f"{kind}/{one.slug}"].audited]
    return Writer(site, path(site, kind)).render(
        "atlas.html",
        f"Atlas of {kind}",
        section="Evidence",
        description=f"Every one of the {kind} here by every instrument: read, declined, and how far each is trusted.",
        kind=kind,
        places=places,
        others=[(other, path(site, other)) for other in there(site) if other != kind],
    )
