"""Internal links: each leads to a page or file of the site, and to an anchor that is there."""

from __future__ import annotations

import posixpath
from pathlib import Path


def broken(anchors: dict[str, list[str]], links: dict[str, list[str]], staging: Path) -> list[str]:
    """A sentence for each internal link that leads nowhere. Keys are page paths."""
    found = []
    known = {f"{path}index.html": set(ids) for path, ids in anchors.items()}
    exists: dict[str, bool] = {}
    for path, hrefs in links.items():
        for href in hrefs:
            if ":" in href.split("/")[0] or not href:
                continue
            target, _, fragment = href.partition("#")
            file = posixpath.normpath(posixpath.join(path, target)) if target else f"{path}index.html"
            if file not in exists:
                exists[file] = file in known or (not file.startswith("..") and (staging / file).is_file())
            if not exists[file]:
                found.append(f"{path}index.html: broken link {href}")
            elif fragment and file in known and fragment not in known[file]:
                found.append(f"{path}index.html: no place #{fragment} in {file}")
    return found
