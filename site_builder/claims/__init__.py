"""The claims check: no number in a text that the store does not back.

run(store, paths)            checks files; `Report.findings` is what is wrong
rules.registry()             every rule, by code
readback.check(site, lookup) the same promise for built HTML
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from site_builder.claims.engine import Checker, Report, run
    from site_builder.claims.finding import Finding

__all__ = ["Checker", "Finding", "Report", "run"]


def __getattr__(name: str) -> Any:
    """A build reads pages back without the engine that checks sources, so that is imported when first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from site_builder.claims import engine, finding

    return getattr(finding if name == "Finding" else engine, name)
