"""How scores become advantages: each trainer's rule as one SQL expression over a rollout and its group and batch.

    group       (r - mean_g) / (sd_g + eps)        GRPO, Shao et al. 2024, eq. 3; DAPO and GSPO keep it
    none        r - mean_g                         Dr.GRPO, Liu et al. 2025
    rloo        n/(n-1) (r - mean_g)               RLOO, Kool et al. 2019; Ahmadian et al. 2024
    batch       (r - mean_g) / (sd_b + eps)        TRL's scale_rewards="batch"; Lite PPO, Liu et al. 2025
    whiten      (r - mean_b) / (sd_b + eps)        REINFORCE++, Hu 2025
    sum         (x - mean_b(x)) / (sd_b(x) + eps), x the weighted sum of each leaf's (s - mean_g)/(sd_g + eps)
                                                   TRL's normalize_then_sum; GDPO, Liu et al. 2026

A group is the rollouts of one prompt in one generation, a batch those of one step. sd takes n - ddof. A rollout without
a score is either left out and given 0 (TRL from 1.0 on) or scored 0 (before). A group with one score has no spread:
TRL gives it 0, verl divides by 1 and keeps r.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lens.runs.columns import LEAF

Family = Literal["group", "none", "rloo", "batch", "whiten", "sum"]
EPSILONS = (0.0, 1e-9, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3)
_SCALED = ("group", "batch", "whiten", "sum")
_TITLES = {
    "group": "group mean and deviation",
    "none": "group mean",
    "rloo": "mean of the others in the group",
    "batch": "group mean, batch deviation",
    "whiten": "batch mean and deviation",
    "sum": "each leaf by group, the sum by batch",
}


@dataclass(frozen=True)
class Rule:
    """One rule. `imputed`: a rollout without a score counts as 0. `alone`: what a group of one score gets, 0 or r."""

    family: Family
    ddof: int = 1
    epsilon: float = 1e-4
    imputed: bool = False
    alone: Literal["zero", "kept"] = "zero"

    @property
    def scaled(self) -> bool:
        return self.family in _SCALED

    def __str__(self) -> str:
        parts = [_TITLES[self.family]]
        parts += [f"ddof {self.ddof}", f"eps {self.epsilon:g}"] if self.scaled else []
        parts += ["no score counts as 0"] if self.imputed else []
        parts += ["a single score is kept"] if self.alone == "kept" else []
        return ", ".join(parts)

    def advantage(self) -> str:
        """SQL of the advantage from the columns of `frame`; 0 without a score, or without spread and eps."""
        if self.family == "sum":
            x = _column(self, "x")
            away = f"{x} - mean_{x}"
            return f"CASE WHEN {x} IS NULL THEN 0 ELSE {_over(away, self.scale())} END"
        r, n = ("coalesce(r, 0)", "m") if self.imputed else ("r", "n")
        at = "0" if self.imputed else ""
        away = f"({r} - mean_b{at})" if self.family == "whiten" else f"({r} - mean_g{at})"
        if self.family == "rloo":
            value = f"CASE WHEN {n} > 1 THEN {away} * {n} / ({n} - 1) ELSE 0 END"
        elif self.scaled:
            value = _over(away, self.scale())
        else:
            value = away
        alone = f"{r} / (1 + {self.epsilon!r})" if self.scaled else r
        if self.family in ("whiten", "batch"):
            single = value
        else:
            single = f"CASE WHEN {n} = 1 THEN {alone if self.alone == 'kept' else '0'} ELSE {value} END"
        return single if self.imputed else f"CASE WHEN r IS NULL THEN 0 ELSE {single} END"

    def scale(self) -> str:
        """SQL of what the rule divides by; 1 where it divides by nothing."""
        if not self.scaled:
            return "1.0"
        if self.family == "sum":
            return f"(sd_{_column(self, 'x')} + {self.epsilon!r})"
        size, at = ("m" if self.imputed else "n"), ("0" if self.imputed else "")
        of, size = ("g", size) if self.family == "group" else ("b", f"b{size}")
        spread = f"CASE WHEN {size} > {self.ddof} THEN sqrt(var_{of}{at} * {size} / ({size} - {self.ddof})) ELSE 0 END"
        return f"({spread} + {self.epsilon!r})"


def _over(top: str, bottom: str) -> str:
    return f"CASE WHEN {bottom} > 0 THEN ({top}) / {bottom} ELSE 0 END"


def _column(rule: Rule, name: str) -> str:
    """The column of `frame` that holds a normalised sum: one for each ddof and eps."""
    return f"{name}_{rule.ddof}_{EPSILONS.index(rule.epsilon)}"


def candidates(*, abstains: bool, singles: bool, leaves: int) -> list[Rule]:
    """Every rule worth trying on a record: with abstentions both ways to take them, with several leaves `sum` too."""
    families: list[Family] = ["group", "none", "rloo", "batch", "whiten", *(["sum"] if leaves > 1 else [])]  # type: ignore[list-item]
    found: list[Rule] = []
    for family in families:
        takes = (False, True) if abstains and family != "sum" else (False,)
        alone: tuple[Literal["zero", "kept"], ...] = ("zero", "kept")
        alone = alone if singles and family in ("group", "none", "rloo") else ("zero",)
        scales = list(itertools.product((0, 1), EPSILONS)) if family in _SCALED else [(1, 1e-4)]
        for (ddof, epsilon), imputed, one in itertools.product(scales, takes, alone):
            found.append(Rule(family, ddof, epsilon, imputed, one))
    return found


def frame(reward: str, rules: Sequence[Rule], weights: dict[str, float], *, extra: str = "") -> str:
    """SQL of rollouts joined to what the rules need of their group and batch.

    `reward` is SQL over a rollout; `extra` names further columns to carry. Columns: step, g, row, a (as recorded), r;
    of the group n (scores), m (rollouts), mean_g, var_g (ddof 0), low, high, mean_g0, var_g0 (no score as 0); of its
    batch the same with b. `fsum` adds with compensation, so that order costs no digits.
    """
    sums = sorted({(rule.ddof, rule.epsilon) for rule in rules if rule.family == "sum"})
    parts = [
        f'base AS (SELECT step, "group" AS g, row, {_recorded(extra)}CAST({reward} AS DOUBLE) AS r FROM rollouts)',
        f"of_group AS (SELECT g, {_stats('g', '')}, min(r) AS low, max(r) AS high FROM base GROUP BY g)",
        f"of_batch AS (SELECT step, {_stats('b', 'b')} FROM base GROUP BY step)",
    ]
    joins = ["base JOIN of_group USING (g) JOIN of_batch USING (step)"]
    for ddof, epsilon in sums:
        rule = Rule("sum", ddof, epsilon)
        parts += _normalised(rule, weights)
        joins.append(f"JOIN {_column(rule, 'rows_x')} USING (row) JOIN {_column(rule, 'of_x')} USING (step)")
    return f"WITH {', '.join(parts)} SELECT * FROM {' '.join(joins)}"


def _recorded(extra: str) -> str:
    return f"{extra}, " if extra else ""


def _stats(of: str, prefix: str) -> str:
    zeroed = "coalesce(r, 0)"
    return (
        f"count(r) AS {prefix}n, count(*) AS {prefix}m, fsum(r) / count(r) AS mean_{of}, var_pop(r) AS var_{of}, "
        f"fsum({zeroed}) / count(*) AS mean_{of}0, var_pop({zeroed}) AS var_{of}0"
    )


def _normalised(rule: Rule, weights: dict[str, float]) -> list[str]:
    """CTEs of x and its batch's mean and deviation, for one ddof and eps."""
    terms, given = [], []
    for name, weight in weights.items():
        leaf = f'"{LEAF}{name}"'
        n = f'count({leaf}) OVER (PARTITION BY "group")'
        spread = f'coalesce(sqrt(var_pop({leaf}) OVER (PARTITION BY "group") * {n} / nullif({n} - {rule.ddof}, 0)), 0)'
        away = f'({leaf} - avg({leaf}) OVER (PARTITION BY "group"))'
        terms.append(f"coalesce({weight!r} * {_over(away, f'({spread} + {rule.epsilon!r})')}, 0)")
        given.append(f"{leaf} IS NOT NULL")
    x = _column(rule, "x")
    value = f"CASE WHEN {' OR '.join(given)} THEN {' + '.join(terms)} END"
    spread = f"sqrt(var_pop({x}) * count({x}) / nullif(count({x}) - {rule.ddof}, 0))"
    rows, of = _column(rule, "rows_x"), _column(rule, "of_x")
    return [
        f"{rows} AS (SELECT row, step AS step_x, {value} AS {x} FROM rollouts)",
        f"{of} AS (SELECT step_x AS step, avg({x}) AS mean_{x}, coalesce({spread}, 0) AS sd_{x} "
        f"FROM {rows} GROUP BY step_x)",
    ]
