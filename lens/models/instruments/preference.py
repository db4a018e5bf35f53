"""How often a reward model prefers the reply that is labelled the better one, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens.instrument import instrument
from lens.models import price
from lens.models.axes import axis_of
from lens.models.scored import ScoredPair, clusters, scope, scored
from lens.names import kebab
from lens.reading import Columns, Declined, Label, Measured, Quantity, Reading, Result

if TYPE_CHECKING:
    import numpy as np

    from lens.models.inspection import Inspection

_MORE = "give pairs of at least 8 prompts"
_SMOOTH = "give pairs of at least 20 prompts"
Fields = dict[str, Quantity | Label | Declined]


@instrument(
    "preference",
    subjects="models",
    title="What it prefers",
    quantity="pairs on which the labelled reply scores more",
    unit="pairs",
    needs="grader.record gold.record",
    cost="2 × pairs",
    version=1,
    order=20,
    declines="without pairs; its shares and means under 8 prompts, standardised margin under 20",
    source="a tie counts as no preference, as in JudgeBench (arXiv:2410.12784); intervals over prompts",
    price=price.SCORED,
)
def preference(inspection: Inspection) -> Reading | Result:
    """Score every unique pair and compare with its label.

    `accuracy` k of n pairs whose chosen reply scores more; `tied` those with equal scores, counted as not preferred.
    `margin.mean` chosen less rejected, ru, beside `margin.null`: the 95th percentile of its size when each prompt's
    label is turned at random. `margin.standardised` divides by the pooled SD of rewards within a prompt, and is the one
    to compare between models. Controls that read nothing but length: `prefer-longer` and `prefer-shorter` k of n, and
    `over-length-rule`, the accuracy less that of the better of those two rules (picked on these pairs, in its favour).
    `part.NAME` k of n in a part of the set, or on an axis where it has no parts; `parts.lowest`, `parts.highest` their
    range, which is described and not tested.
    Tables: `pairs` (row, digest, part, chosen, rejected, margin, longer), scores in ru and length in characters;
    `parts` (part, pairs, prompts, right, tied, longer, margin).
    """
    rows = scored(inspection)
    if isinstance(rows, Declined):
        return rows
    fields: Fields = {
        "accuracy": _share(inspection, rows, [row.right for row in rows], control="prefer-longer"),
        "tied": _share(inspection, rows, [row.margin == 0 for row in rows]),
        "prefer-longer": _share(inspection, rows, [row.longer > 0 for row in rows]),
        "prefer-shorter": _share(inspection, rows, [row.longer < 0 for row in rows]),
        **_over_length_rule(inspection, rows),
        **_margins(inspection, rows),
    }
    table = _parts(inspection, rows, fields)
    tables = {"pairs": _pairs(rows)} | ({"parts": table} if table["part"] else {})
    return Result(Measured(fields, "accuracy", scope(inspection, rows)), tables)


def _share(
    inspection: Inspection, rows: Sequence[ScoredPair], hits: Sequence[bool], control: str = ""
) -> Quantity | Declined:
    from lens.stats.shares import share_of

    return share_of(hits, clusters(rows), "pairs", seed=inspection.seed, draws=inspection.draws, control=control)


def _over_length_rule(inspection: Inspection, rows: Sequence[ScoredPair]) -> Fields:
    from lens.stats.clusters import interval_of

    longer = sum(row.longer > 0 for row in rows) >= sum(row.longer < 0 for row in rows)
    ruled = [row.longer > 0 if longer else row.longer < 0 for row in rows]
    over = [float(row.right) - float(rule) for row, rule in zip(rows, ruled, strict=True)]
    interval = interval_of(over, clusters(rows), seed=inspection.seed, draws=inspection.draws)
    rule = "the longer reply" if longer else "the shorter reply"
    if interval is None:
        return {"over-length-rule": _few(rows, "a difference", _MORE)}
    return {
        "length-rule": Label(rule, "the better of the two length rules on these pairs"),
        "over-length-rule": Quantity(
            sum(over) / len(over), "share of pairs", "difference", interval=interval, n=len(rows), n_eff=_prompts(rows),
            control="prefer-longer" if longer else "prefer-shorter", note=f"accuracy less that of preferring {rule}",
        ),
    }  # fmt: skip


def _margins(inspection: Inspection, rows: Sequence[ScoredPair]) -> Fields:
    from lens.stats.clusters import interval_of, over_sums
    from lens.stats.coverage import covered

    margins, drawn = [row.margin for row in rows], clusters(rows)
    prompts = len(set(drawn))
    interval = interval_of(margins, drawn, seed=inspection.seed, draws=inspection.draws)
    if interval is None:
        return {"margin.mean": _few(rows, "a mean margin", _MORE)}
    fields: Fields = {
        "margin.mean": Quantity(
            sum(margins) / len(margins), "ru", "score", interval=interval, n=len(rows), n_eff=_prompts(rows),
            control="margin.null", note=covered(prompts),
        ),
        "margin.null": Quantity(
            _turned(margins, drawn, inspection.seed, inspection.draws), "ru", "score", n=len(rows),
            note="95th percentile of the mean margin's size with each prompt's label turned at random",
        ),
    }  # fmt: skip
    sums = _spread_sums(rows)
    across = over_sums(sums, _standardised, seed=inspection.seed, draws=inspection.draws)
    if across is None:
        fields["margin.standardised"] = _few(rows, "a ratio of margin to spread", _SMOOTH)
    else:
        import numpy as np

        value = float(_standardised(np.asarray(sums).sum(axis=0)))
        fields["margin.standardised"] = Quantity(
            value, "within-prompt SD", "ratio", interval=across, n=len(rows), n_eff=_prompts(rows),
            note="mean margin over the pooled SD of rewards within a prompt",
        )  # fmt: skip
    return fields


def _turned(margins: Sequence[float], drawn: Sequence[str], seed: int, draws: int) -> float:
    """95th percentile of |mean margin| when the labels of each cluster are turned, or not, together."""
    import numpy as np

    from lens.stats.clusters import grouped

    sums = np.array([np.asarray(margins)[group].sum() for group in grouped(drawn)])
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(draws, len(sums)))
    return float(np.quantile(np.abs(signs @ sums) / len(margins), 0.95))


def _spread_sums(rows: Sequence[ScoredPair]) -> list[tuple[float, float, float, float]]:
    """A cluster's part of: margins, pairs, squares around the prompt's mean reward, degrees of freedom.

    A reply that stands in several pairs of a prompt counts once.
    """
    prompts: dict[str, dict[str, dict[str, float]]] = {}
    sums: dict[str, list[float]] = {}
    for row in rows:
        part = sums.setdefault(row.pair.cluster, [0.0, 0.0])
        part[0] += row.margin
        part[1] += 1
        replies = prompts.setdefault(row.pair.cluster, {}).setdefault(repr(row.pair.prompt), {})
        replies |= {row.pair.chosen: row.chosen, row.pair.rejected: row.rejected}
    return [(*sums[cluster], *_around(list(prompts[cluster].values()))) for cluster in sums]  # type: ignore[misc]


def _around(prompts: Sequence[dict[str, float]]) -> tuple[float, float]:
    squares, free = 0.0, 0
    for replies in prompts:
        mean = sum(replies.values()) / len(replies)
        squares += sum((reward - mean) ** 2 for reward in replies.values())
        free += len(replies) - 1
    return squares, float(free)


def _standardised(sums: np.ndarray) -> np.ndarray:
    return (sums[..., 0] / sums[..., 1]) / (sums[..., 2] / sums[..., 3]) ** 0.5  # type: ignore[no-any-return]


def _parts(inspection: Inspection, rows: Sequence[ScoredPair], fields: Fields) -> Columns:
    """The table of parts; adds `part.NAME` and the range to `fields`."""
    names = list(dict.fromkeys(part for row in rows if (part := _part(row))))
    on = {name: [row for row in rows if _part(row) == name] for name in names}
    answered: dict[str, float] = {}
    for name, some in on.items():
        found = fields[f"part.{name}"] = _share(inspection, some, [row.right for row in some])
        if isinstance(found, Quantity):
            answered[name] = sum(row.right for row in some) / len(some)
    if len(answered) > 1:
        for which, pick in (("lowest", min), ("highest", max)):
            name = pick(answered, key=answered.__getitem__)
            share = fields[f"part.{name}"]
            assert isinstance(share, Quantity)
            fields[f"parts.{which}"] = Quantity(
                answered[name], "share of pairs", "proportion", interval=share.interval, n=share.n,
                control="accuracy", note=f"{name}; a range is described, not tested",
            )  # fmt: skip
    return {
        "part": names,
        "pairs": [len(some) for some in on.values()],
        "prompts": [len(set(clusters(some))) for some in on.values()],
        "right": [sum(row.right for row in some) for some in on.values()],
        "tied": [sum(row.margin == 0 for row in some) for some in on.values()],
        "longer": [sum(row.longer > 0 for row in some) for some in on.values()],
        "margin": [sum(row.margin for row in some) / len(some) for some in on.values()],
    }


def _pairs(rows: Sequence[ScoredPair]) -> Columns:
    return {
        "row": [row.pair.number for row in rows],
        "digest": [row.pair.digest[:16] for row in rows],
        "part": [_part(row) for row in rows],
        "chosen": [row.chosen for row in rows],
        "rejected": [row.rejected for row in rows],
        "margin": [row.margin for row in rows],
        "longer": [row.longer for row in rows],
    }


def _part(row: ScoredPair) -> str:
    """The part of the set, else the axis, as fields spell it; "" where the pair names neither."""
    return kebab(row.pair.part) if row.pair.part else axis_of(row.pair) if row.pair.axis else ""


def _prompts(rows: Sequence[ScoredPair]) -> int | None:
    """Clusters, where they are fewer than the pairs."""
    found = len(set(clusters(rows)))
    return found if found < len(rows) else None


def _few(rows: Sequence[ScoredPair], what: str, remedy: str) -> Declined:
    return Declined("corpus_inadequate", f"{len(set(clusters(rows)))} prompts are too few for {what}", remedy)
