"""Subcommands of `lens` that build, serve and start sites, and check claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from site_builder.context import Options


def options(data: Path, content: Path, out: Path, *, with_source: bool = False, clean: bool = False) -> Options:
    """Options for a build; its cache lies beside the output, under `.cache`. Raises UsageError for a missing folder."""
    from lens.errors import UsageError
    from site_builder.context import Options

    if not content.is_dir():
        raise UsageError(f"no folder {content}", remedy="lens new DIR starts a site; or give --content DIR")
    if out.resolve() in (data.resolve(), content.resolve(), Path.cwd()):
        raise UsageError(f"{out} would be replaced by the site", remedy="give --out a folder of its own")
    if out.exists() and any(out.iterdir()) and not (out / "sitemap.xml").is_file():
        raise UsageError(f"{out} holds something other than a site", remedy="give --out an empty or a new folder")
    cache = out.resolve().parent / ".cache" / "lens-build" / out.name
    if clean:
        import shutil

        shutil.rmtree(cache, ignore_errors=True)
    return Options(data, content, out, cache, with_source)
