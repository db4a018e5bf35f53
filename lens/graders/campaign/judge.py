"""Whether a corpus can see the grader at all, from the outcomes observed on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lens.graders.campaign.observe import Observed

if TYPE_CHECKING:
    from lens.graders.audit import Audit


def why_inadequate(audit: Audit, observed: Observed, corpus: str) -> str:
    """What keeps kill rates on this corpus from speaking of the grader; empty where nothing does."""
    from lens.graders.adequacy import adequacy, answered
    from lens.graders.contract import contract

    order = observed.orders[corpus]
    rows = tuple(observed.rows[row] for row in order)
    outcomes = [observed.outcomes[row] for row in order]
    asked = answered(replace(audit.corpora[corpus], rows=rows), outcomes)
    return adequacy(*asked, contract(audit).ceiling).why
