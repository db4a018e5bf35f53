"""The claims check: no number in a text that the store does not back.

run(store, paths)            checks files; `Report.findings` is what is wrong
rules.registry()             every rule, by code
readback.check(site, lookup) the same promise for built HTML
"""

from site_builder.claims.engine import Checker, Report, run
from site_builder.claims.finding import Finding

__all__ = ["Checker", "Finding", "Report", "run"]
