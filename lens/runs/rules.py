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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

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
    def plain(self) -> list[Any]:
        """Its fields in plain types, for another process: `Rule(*plain)` is the rule."""
        return [self.family, self.ddof, self.epsilon, self.imputed, self.alone]

    @property
    def scaled(self) -> bool:
        return self.family in _SCALED

    def __str__(self) -> str:
        parts = [_TITLES[self.family]]
        parts += [f"ddof {self.ddof}", f"eps {self.epsilon:g}"] if self.scaled else []
        parts += ["no score counts as 0"] if self.imputed else []
        parts += ["a single score is kept"] if self.alone == "kept" else []
        return ", ".join(parts)

    def advantage(self, of: str = "") -> str:
        """SQL of the advantage from the columns of `frame`; 0 without a score, or without spread and eps.

        `of` is the suffix of the reward it is computed from.
        """
        if self.family == "sum":
            x = _column(self, "x") + of
            return f"CASE WHEN {x} IS NULL THEN 0 ELSE {_over(f'{x} - mean_{x}', self.scale(of))} END"
        score, n, zeroed = (f"coalesce(r{of}, 0)", "m", "0") if self.imputed else (f"r{of}", f"n{of}", "")
        away = f"({score} - mean_{'b' if self.family == 'whiten' else 'g'}{zeroed}{of})"
        if self.family == "rloo":
            value = f"CASE WHEN {n} > 1 THEN {away} * {n} / ({n} - 1) ELSE 0 END"
        else:
            value = _over(away, self.scale(of)) if self.scaled else away
        if self.family not in ("whiten", "batch"):
            kept = f"{score} / (1 + {self.epsilon!r})" if self.scaled else score
            value = f"CASE WHEN {n} = 1 THEN {kept if self.alone == 'kept' else '0'} ELSE {value} END"
        return value if self.imputed else f"CASE WHEN r{of} IS NULL THEN 0 ELSE {value} END"

    def scale(self, of: str = "") -> str:
        """SQL of what the rule divides by; 1 where it divides by nothing."""
        if not self.scaled:
            return "1.0"
        if self.family == "sum":
            return f"(sd_{_column(self, 'x')}{of} + {self.epsilon!r})"
        side, prefix = ("g", "") if self.family == "group" else ("b", "b")
        size, zeroed = (f"{prefix}m", "0") if self.imputed else (f"{prefix}n{of}", "")
        unbiased = f"sqrt(var_{side}{zeroed}{of} * {size} / ({size} - {self.ddof}))"
        return f"(CASE WHEN {size} > {self.ddof} THEN {unbiased} ELSE 0 END + {self.epsilon!r})"


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


class Scored(NamedTuple):
    """One reward in SQL over a rollout: the total, and the (score, weight) of each leaf it sums; `of` is the suffix of
    its columns."""

    reward: str
    leaves: Mapping[str, tuple[str, float]]
    of: str = ""


class Frame(NamedTuple):
    """`parts` are common table expressions, among them `of_group` (a row a group); `joined` what rollouts come from."""

    parts: list[str]
    joined: str

    def select(self, what: str) -> str:
        return f"WITH {', '.join(self.parts)} SELECT {what} FROM {self.joined}"

    def __str__(self) -> str:
        return self.select("*")


def frame(rules: Sequence[Rule], rewards: Sequence[Scored], *, extra: str = "") -> Frame:
    """SQL of rollouts joined to what the rules need of their group and batch.

    `extra` names further columns to carry. Columns: step, g, row; for each reward, with its suffix: r; of the group n
    (scores), mean_g, var_g (ddof 0), low, high, and mean_g0, var_g0 with no score as 0; of its batch the same with b. m
    is the group's rollouts, bm the batch's, first its first step. `fsum` adds with compensation, so that order costs no
    digits.
    """
    imputed = any(rule.imputed for rule in rules)
    batched = any(rule.family in ("batch", "whiten") for rule in rules)
    sums = sorted({(rule.ddof, rule.epsilon) for rule in rules if rule.family == "sum"})
    totals = ", ".join(f"CAST({one.reward} AS DOUBLE) AS r{one.of}" for one in rewards)
    of_group = ", ".join(
        f"{_stats(one, 'g', '', imputed)}, min(r{one.of}) AS low{one.of}, max(r{one.of}) AS high{one.of}"
        for one in rewards
    )
    parts = [
        f'base AS (SELECT step, "group" AS g, row, {f"{extra}, " if extra else ""}{totals} FROM rollouts)',
        f"of_group AS (SELECT g, min(step) AS first, count(*) AS m, {of_group} FROM base GROUP BY g)",
    ]
    joins = ["base JOIN of_group USING (g)"]
    if batched:
        of_batch = ", ".join(_stats(one, "b", "b", imputed) for one in rewards)
        parts.append(f"of_batch AS (SELECT step, count(*) AS bm, {of_batch} FROM base GROUP BY step)")
        joins.append("JOIN of_batch USING (step)")
    for (ddof, epsilon), one in itertools.product(sums, rewards):
        rule = Rule("sum", ddof, epsilon)
        parts += _normalised(rule, one)
        joins.append(
            f"JOIN {_column(rule, 'rows_x')}{one.of} USING (row) JOIN {_column(rule, 'of_x')}{one.of} USING (step)"
        )
    return Frame(parts, " ".join(joins))


def _stats(one: Scored, side: str, prefix: str, imputed: bool) -> str:
    r, of = f"r{one.of}", one.of
    mean = f"CASE WHEN min({r}) = max({r}) THEN min({r}) ELSE fsum({r}) / count({r}) END"  # of equal scores exactly
    told = f"count({r}) AS {prefix}n{of}, {mean} AS mean_{side}{of}, var_pop({r}) AS var_{side}{of}"
    if imputed:
        zeroed = f"coalesce({r}, 0)"
        told += f", fsum({zeroed}) / count(*) AS mean_{side}0{of}, var_pop({zeroed}) AS var_{side}0{of}"
    return told


def _normalised(rule: Rule, one: Scored) -> list[str]:
    """CTEs of x and its batch's mean and deviation, for one ddof and eps."""
    terms, given = [], []
    for score, weight in one.leaves.values():
        n = f'count({score}) OVER (PARTITION BY "group")'
        spread = f'coalesce(sqrt(var_pop({score}) OVER (PARTITION BY "group") * {n} / nullif({n} - {rule.ddof}, 0)), 0)'
        away = f'({score} - avg({score}) OVER (PARTITION BY "group"))'
        terms.append(f"coalesce({weight!r} * {_over(away, f'({spread} + {rule.epsilon!r})')}, 0)")
        given.append(f"({score}) IS NOT NULL")
    x = _column(rule, "x") + one.of
    value = f"CASE WHEN {' OR '.join(given)} THEN {' + '.join(terms)} END"
    spread = f"sqrt(var_pop({x}) * count({x}) / nullif(count({x}) - {rule.ddof}, 0))"
    rows, of = f"{_column(rule, 'rows_x')}{one.of}", f"{_column(rule, 'of_x')}{one.of}"
    return [
        f"{rows} AS (SELECT row, step AS step_{x}, {value} AS {x} FROM rollouts)",
        f"{of} AS (SELECT step_{x} AS step, avg({x}) AS mean_{x}, coalesce({spread}, 0) AS sd_{x} "
        f"FROM {rows} GROUP BY step_{x})",
    ]
