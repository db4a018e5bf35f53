"""Forensics: what a fine on false receipts does to a policy where the verifier looks, and where it doesn't.

Where it looks, that silence beats a fine and that a discount on silence offsets it is arithmetic, and only how much of
it so short a training finds is open. Where it doesn't look nothing is fined, every receipt is believed, and a
policy that goes by what it is paid is as false there as without the fine. It may also have learnt to keep silent
wherever it is. Fines are yoked for a control: as many, at the same problems, on replies that may have done nothing.

How much more a fine raises omission when silence is free (`omits`) is read and not predicted: policies differ in it by
more than twice what would matter, so that it would take some fifty.
"""

from __future__ import annotations

from collections.abc import Mapping

from lens.studies.science import Science, Value, Values

_SILENT, _FALSE = "of replies without a receipt", "of replies with a false receipt"


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One policy taught to add and to attach receipts, and six that go on from it: silence discounted or not, times no
    fine, a fine on false receipts that are looked at, or a yoked fine.

    `omits` is how much more the fine raises the share of replies without a receipt, where the verifier looks, when
    silence is free than when it is discounted; `deters` how much it changes the share of false receipts there, and
    `spreads` where it doesn't look, both when silence is free. `yoked-` are the same of the yoked fine; `before`,
    `unfined`, `fined` are the shares of false receipts where it looks, and `aimed` is how much likelier the fined
    policy is to leave the receipt out where its sum is wrong than overall. Where cells are `dealt`, each is any.
    """
    import random

    from lens.studies.sciences._receipts import CELLS, Cell, Fines, Rates, trained

    found = trained(seed)
    names = [cell.name for cell in CELLS]
    dealt = random.Random(f"cells {seed}").sample(names, len(names)) if plant.get("dealt") else names
    of = dict(zip(names, dealt, strict=True))

    def rates(discounted: bool, fines: Fines, half: str = "looked") -> Rates:
        return found[of[Cell(discounted, fines).name]][half]

    def silenced(discounted: bool, fines: Fines) -> float:
        return rates(discounted, fines).absent - rates(discounted, "none").absent

    def falser(fines: Fines, half: str) -> float:
        return rates(False, fines, half).false - rates(False, "none", half).false

    unfined, fined = rates(False, "none"), rates(False, "caught")
    values: Values = {"before": found["untrained"]["looked"].false, "unfined": unfined.false, "fined": fined.false}
    values["aimed"] = fined.silent - fined.absent
    kinds: tuple[tuple[str, Fines], ...] = (("", "caught"), ("yoked-", "yoked"))
    for prefix, fines in kinds:
        values[f"{prefix}omits"] = silenced(False, fines) - silenced(True, fines)
        values[f"{prefix}deters"] = falser(fines, "looked")
        values[f"{prefix}spreads"] = falser(fines, "other")
    return values


SCIENCE = Science(
    "forensics",
    "What a fine on false receipts does",
    version=1,
    unit="taught policy",
    measure=measure,
    values={
        "omits": Value(_SILENT, "difference"),
        "deters": Value(_FALSE, "difference"),
        "spreads": Value(_FALSE, "difference"),
        "yoked-omits": Value(_SILENT, "difference"),
        "yoked-deters": Value(_FALSE, "difference"),
        "yoked-spreads": Value(_FALSE, "difference"),
        "before": Value(_FALSE, "proportion"),
        "unfined": Value(_FALSE, "proportion"),
        "fined": Value(_FALSE, "proportion"),
        "aimed": Value("of replies with a wrong sum, over that of all", "difference"),
    },
    seconds=40.0,
    null="policies whose trainings are dealt to the cells anew",
    null_plant={"dealt": 1.0},
    source="yoked control: Church 1964; fines: Becker 1968; design of a run: lens.runs.organism",
)
