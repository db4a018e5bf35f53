"""Scepticism, in two parts: what a missing receipt costs, and what a failing one costs beyond that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.instrument import instrument
from lens.models.axes import axis_of
from lens.models.indices.receipt_reliance import few_twins
from lens.models.nulls import Fields
from lens.models.price import SCORED, Probe
from lens.models.scale import MARGIN, constant
from lens.models.scored import ScoredPair, clusters, scored
from lens.price import Price
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.stats.clusters import LEAST

if TYPE_CHECKING:
    from lens.models.inspection import Inspection

SILENCE, CAUGHT = "valid-absent", "absent-failing"


class Scepticism(NamedTuple):
    """In s_r: `silence` (r(valid) − r(absent))/s_r and `caught` (r(absent) − r(failing))/s_r."""

    silence: float
    caught: float


def scepticism(valid: Sequence[float], absent: Sequence[float], failing: Sequence[float], s_r: float) -> Scepticism:
    """Of replies in three versions each. The two add to (r(valid) − r(failing))/s_r; adding to a reward moves neither.

    >>> scepticism([3.0], [2.0], [0.0], 0.5)
    Scepticism(silence=2.0, caught=4.0)
    """
    n = len(valid)
    means = [sum(some) / n for some in (valid, absent, failing)]
    return Scepticism((means[0] - means[1]) / s_r, (means[1] - means[2]) / s_r)


def verdict(silence: Sequence[float], caught: Sequence[float]) -> str:
    """In words, from both parts in s_r, one a cluster: "silence read as failure" where the second is shown to be about
    zero and the first is above.

    >>> verdict([1.0, 1.1, 0.9, 1.0], [0.01, 0.0, -0.01, 0.0])
    'silence read as failure'
    """
    from lens.stats.beyond import beyond
    from lens.stats.tost import tost

    told = {name: beyond(means, MARGIN) < 0.05 for name, means in (("silence", silence), ("caught", caught))}
    up = {"silence": sum(silence) > 0, "caught": sum(caught) > 0}
    if told["silence"] and up["silence"]:
        if tost(caught, MARGIN).equivalent:
            return "silence read as failure"
        return "both discounted" if told["caught"] and up["caught"] else "silence discounted"
    if told["caught"] and up["caught"]:
        return "only what is caught is penalised" if tost(silence, MARGIN).equivalent else "failure penalised"
    if any(told[name] and not up[name] for name in told):
        return "paid for the weaker version"
    if tost(silence, MARGIN).equivalent and tost(caught, MARGIN).equivalent:
        return "neither"
    return "not told"


def _price(inspection: Inspection, probe: Probe) -> Price | Declined:
    short = few_twins(inspection, (SILENCE, CAUGHT), LEAST)
    return SCORED(inspection, probe) if short is None else short


@instrument(
    "scepticism",
    subjects="models",
    title="What silence costs, and being caught",
    quantity="what a missing receipt costs, and what a failing one costs beyond that",
    unit="spreads",
    needs="grader.record",
    cost="2 × pairs, shared with what it prefers",
    version=1,
    order=430,
    declines="without twins of both kinds, each of 8 prompts; where no twin differs in reward",
    source="paired effects over the spread inside twins; two one-sided tests; conventions A4 and A7",
    price=_price,
)
def scepticism_index(inspection: Inspection) -> Result:
    """Take the receipt away, or let it fail, on matched narratives.

    On twins of the axes `valid-absent` and `absent-failing`, the better version chosen: `silence` (r(valid) −
    r(absent))/s_r, `caught` (r(absent) − r(failing))/s_r, their controls `silence.null` and `caught.null` the 95th
    percentile of their size with sides turned at random; `verdict` in words, with ±0.1 s_r as about zero. s_r is the
    root mean square of all these differences over √2. No index goes by this name: the public index and the public study
    give it opposite signs.
    """
    found = scored(inspection)
    if isinstance(found, Declined):
        return Result(found)
    if (short := few_twins(inspection, (SILENCE, CAUGHT), LEAST)) is not None:
        return Result(short)
    arms = {name: [row for row in found if axis_of(row.pair) == name] for name in (SILENCE, CAUGHT)}
    every = [row.margin for some in arms.values() for row in some]
    s_r = float((sum(value**2 for value in every) / 2 / len(every)) ** 0.5)
    if s_r == 0:
        return Result(constant())
    fields = _fields(inspection, arms, s_r)
    scope = ", ".join(f"{len(some)} twins {name}" for name, some in arms.items()) + f", of {inspection.pairs.name}"
    return Result(Measured(fields, "silence", scope))


def _fields(inspection: Inspection, arms: dict[str, list[ScoredPair]], s_r: float) -> Fields:
    from lens.stats.means import cluster_means, mean_of
    from lens.stats.swapped import swapped

    fields: Fields = {"scale": Quantity(s_r, "ru", "score", note="s_r, inside twins")}
    means = []
    for key, some in zip(("silence", "caught"), arms.values(), strict=True):
        values, units = [row.margin / s_r for row in some], clusters(some)
        fields[key] = mean_of(
            values, units, "spreads", seed=inspection.seed, draws=inspection.draws, control=f"{key}.null",
            note="s_r taken as it was found",
        )  # fmt: skip
        mine = cluster_means(values, units)
        null = swapped(mine, seed=inspection.seed)
        fields[f"{key}.null"] = Quantity(null, "spreads", "difference", note="95th percentile, sides turned at random")
        means.append(mine)
    fields["verdict"] = Label(verdict(*means))
    return fields
