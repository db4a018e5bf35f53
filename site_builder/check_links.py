"""Internal links: each leads to a page or file of the site, and to an anchor that is there."""

from __future__ import annotations

import posixpath
from collections.abc import Container

from site_builder import links


def broken(pages: dict[str, tuple[list[str], list[str]]], files: Container[str]) -> list[str]:
    """A sentence for each internal link that leads nowhere. `pages` holds each page's anchors and links."""
    found = []
    anchors = {f"{path}index.html": set(ids) for path, (ids, _) in pages.items()}
    for path, (_, hrefs) in pages.items():
        root = links.root(path)
        for href in hrefs:
            if ":" in href.partition("/")[0] or not href:
                continue
            target, _, fragment = href.partition("#")
            if not target:
                file = f"{path}index.html"
            elif target.startswith(root) and target[len(root) :] in files:  # as the templates write it
                file = target[len(root) :]
            else:
                file = posixpath.normpath(posixpath.join(path, target))
            if file not in files:
                found.append(f"{path}index.html: broken link {href}")
            elif fragment and fragment not in anchors.get(file, ()):
                found.append(f"{path}index.html: no place #{fragment} in {file}")
    return found
