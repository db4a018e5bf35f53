"""`declined/`: what could not be measured of graders, by reason, each with what would mend it; models and runs have
pages of their own under it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from lens.reading import REASONS
from site_builder import naming, wording
from site_builder.card import LOG
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = False
KINDS = {"graders": "declined/", "models": "declined/models/", "runs": "declined/runs/"}

_WHY = {
    "access_insufficient": "The subject would answer, but not to somebody with this access.",
    "record_incomplete": "The field was never written down.",
    "not_run": "It needs a machine, a download or time; the remedy is the exact command.",
    "assumption_violated": "The instrument rests on an assumption that does not hold here.",
    "corpus_inadequate": "The answers can’t tell the grader from something trivial.",
    "no_control": "There is nothing to read the number against.",
    "below_detection": "Too small to tell from nothing; a bound is given.",
    "budget_exceeded": "It costs more than the budget that was set.",
    "void": "The measurement was spoiled.",
}


@dataclass
class Group:
    """Declines that share instrument, access, reason, detail and remedy but for the subject's name: one line."""

    title: str
    order: tuple[int, str]
    key: str
    subjects: list[tuple[str, str]] = field(default_factory=list)  # (name, id)


def jobs(site: Site) -> Iterator[Job]:
    for kind in _kinds(site):
        yield Job(KINDS[kind], "", partial(_page, site, kind))


def _kinds(site: Site) -> list[str]:
    """Kinds of which something declined; the first page is there whatever did."""
    there = {record.evidence.subject.kind for record, _, _ in site.declines}
    return [kind for kind, path in KINDS.items() if kind in there or path == "declined/"]


def _page(site: Site, kind: str) -> tuple[Page, Body]:
    reasons: dict[str, dict[tuple[str, ...], Group]] = {reason: {} for reason in REASONS}
    for record, name, declined in site.declines:
        evidence = record.evidence
        if (evidence.subject.kind if evidence.subject.kind in KINDS else "graders") != kind:
            continue
        slug = evidence.subject.slug
        detail, remedy = (text.replace(slug, "SUBJECT") for text in (declined.detail, declined.remedy))
        what = (evidence.instrument, evidence.variant, detail, remedy)
        groups = reasons[declined.reason]
        if what not in groups:
            groups[what] = Group(
                wording.of(evidence.instrument).title + (", from the training log" if evidence.variant == LOG else ""),
                (wording.of(evidence.instrument).order, evidence.variant),
                f"{record.id}#{name}",
            )
        one = (naming.of(evidence.subject), record.id)
        if one not in groups[what].subjects:
            groups[what].subjects.append(one)
    return Writer(site, KINDS[kind]).render(
        "declined.html",
        f"What declined of {kind}, and what would mend it",
        section="Declined",
        description=f"Every measurement of {kind} that could not be made, with its reason and a remedy.",
        kind=kind,
        others=[(other.capitalize(), KINDS[other]) for other in _kinds(site) if other != kind],
        reasons=[
            (
                reason,
                _WHY.get(reason, ""),
                sorted(groups.values(), key=lambda group: (group.order, group.key)),
            )
            for reason, groups in reasons.items()
            if groups
        ],
    )
