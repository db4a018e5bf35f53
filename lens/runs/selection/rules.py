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
            x = self.column("x", of)
            return f"coalesce(({x} - {self.column('mean', of)}) * {self.over(of)}, 0)"
        score, n, zeroed = (f"coalesce(r{of}, 0)", "m", "0") if self.imputed else (f"r{of}", f"n{of}", "")
        away = f"({score} - mean_{'b' if self.family == 'whiten' else 'g'}{zeroed}{of})"
        value = f"coalesce({away} * {self.over(of)}, 0)"
        if self.alone == "kept":
            kept = f"{score} / (1 + {self.epsilon!r})" if self.scaled else score
            value = f"CASE WHEN {n} = 1 THEN coalesce({kept}, 0) ELSE {value} END"
        return value

    def over(self, of: str = "") -> str:
        """The column of `frame` that a distance is multiplied by: 1 over the deviation and eps, 0 where both are 0;
        n over n - 1 for RLOO; 1 where there is nothing."""
        return "1.0" if self.family == "none" else self.column("over", of)

    def column(self, name: str, of: str = "") -> str:
        """A column of `frame` that is this rule's own."""
        zeroed = ".0" if self.imputed else ""
        return f'"{name}.{self.family}.{self.ddof}.{self.epsilon:g}{zeroed}{of}"'

    def computed(self, of: str) -> str:
        """SQL of `over` from the sums over a group, or over a batch."""
        prefix = "" if self.family in ("group", "rloo") else "b"
        n, zeroed = (f"{prefix}m", "0") if self.imputed else (f"{prefix}n{of}", "")
        if self.family == "rloo":
            return f"CASE WHEN {n} > 1 THEN {n} / ({n} - 1) ELSE 0 END"
        return _inverse(f"var_{prefix or 'g'}{zeroed}{of}", n, self.ddof, self.epsilon)


def _inverse(variance: str, n: str, ddof: int, epsilon: float) -> str:
    """SQL of 1 / (sd + eps), 0 where that is 1 / 0; `variance` divides by n."""
    spread = f"CASE WHEN {n} > {ddof} THEN sqrt({variance} * {n} / ({n} - {ddof})) ELSE 0 END"
    return f"coalesce(1 / nullif({spread} + {epsilon!r}, 0), 0)"


def candidates(*, abstains: bool, leaves: int, epsilon: float | None = None) -> list[Rule]:
    """Every rule worth trying on a record: with abstentions both ways to take them, with several leaves `sum` too, and
    with the `epsilon` the trainer was given, where that is none of the usual."""
    families: list[Family] = ["group", "none", "rloo", "batch", "whiten", *(["sum"] if leaves > 1 else [])]  # type: ignore[list-item]
    epsilons = sorted({*EPSILONS, *([epsilon] if epsilon is not None else [])})
    found: list[Rule] = []
    for family in families:
        takes = (False, True) if abstains and family != "sum" else (False,)
        alone: tuple[Literal["zero", "kept"], ...] = ("zero", "kept")
        alone = alone if family in ("group", "none", "rloo") else ("zero",)
        scales = list(itertools.product((0, 1), epsilons)) if family in _SCALED else [(1, 1e-4)]
        for (ddof, eps), imputed, one in itertools.product(scales, takes, alone):
            found.append(Rule(family, ddof, eps, imputed, one))
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


def frame(rules: Sequence[Rule], rewards: Sequence[Scored], *, extra: str = "row") -> Frame:
    """SQL of rollouts joined to what the rules need of their group and batch.

    `extra` names further columns of rollouts to carry; each costs. Columns: step, g; for each reward, with its suffix:
    r; of the group n (scores), mean_g, var_g (ddof 0), low, high, and mean_g0, var_g0 with no score as 0; of its batch
    the same with b. m is the group's rollouts, bm the batch's, first the group's first step. `fsum` adds with
    compensation, so that order costs no digits.
    """
    imputed = any(rule.imputed for rule in rules)
    summed = [rule for rule in rules if rule.family == "sum"]
    leaves = [leaf for one in rewards for leaf in _leaves(one)] if summed else []
    totals = ", ".join(
        f"CAST({score} AS DOUBLE) AS {name}"
        for name, score in [
            *((f"r{one.of}", one.reward) for one in rewards),
            *((leaf.name, leaf.score) for leaf in leaves),
        ]
    )
    of_group = ", ".join([*(_stats(one, "g", "", imputed) for one in rewards), *(leaf.stats for leaf in leaves)])
    ends = ", ".join(f"min(r{one.of}) AS low{one.of}, max(r{one.of}) AS high{one.of}" for one in rewards)
    parts = [
        f'base AS (SELECT step, "group" AS g, {", ".join(filter(None, (extra, totals)))} FROM rollouts)',
        f"group_sums AS (SELECT g, min(step) AS first, count(*) AS m, {of_group}, {ends} FROM base GROUP BY g)",
        f"of_group AS (SELECT *{_overs(rules, rewards, ('group', 'rloo'))} FROM group_sums)",
    ]
    joined = "base JOIN of_group USING (g)"
    if summed:
        parts += _normalised(summed, rewards, joined)
        joined = "normalised JOIN of_x USING (step)"
    if any(rule.family in ("batch", "whiten") for rule in rules):
        of_batch = ", ".join(_stats(one, "b", "b", imputed) for one in rewards)
        parts.append(f"batch_sums AS (SELECT step, count(*) AS bm, {of_batch} FROM base GROUP BY step)")
        parts.append(f"of_batch AS (SELECT *{_overs(rules, rewards, ('batch', 'whiten'))} FROM batch_sums)")
        joined += " JOIN of_batch USING (step)"
    return Frame(parts, joined)


def _overs(rules: Sequence[Rule], rewards: Sequence[Scored], families: Sequence[Family]) -> str:
    """Columns of what these families multiply by, each once."""
    wanted = [rule for rule in rules if rule.family in families]
    told = {rule.over(one.of): rule.computed(one.of) for rule in wanted for one in rewards}
    return "".join(f", {value} AS {name}" for name, value in told.items())


def _stats(one: Scored, side: str, prefix: str, imputed: bool) -> str:
    r, of = f"r{one.of}", one.of
    mean = f"CASE WHEN min({r}) = max({r}) THEN min({r}) ELSE fsum({r}) / count({r}) END"  # of equal scores exactly
    told = f"count({r}) AS {prefix}n{of}, {mean} AS mean_{side}{of}, var_pop({r}) AS var_{side}{of}"
    if imputed:
        zeroed = f"coalesce({r}, 0)"
        told += f", fsum({zeroed}) / count(*) AS mean_{side}0{of}, var_pop({zeroed}) AS var_{side}0{of}"
    return told


class _Leaf(NamedTuple):
    name: str  # its column in `base`
    score: str
    weight: float

    @property
    def stats(self) -> str:
        name = self.name
        return f"count({name}) AS n_{name}, fsum({name}) / count({name}) AS mean_{name}, var_pop({name}) AS var_{name}"

    def term(self, rule: Rule) -> str:
        over = _inverse(f"var_{self.name}", f"n_{self.name}", rule.ddof, rule.epsilon)
        return f"coalesce({self.weight!r} * ({self.name} - mean_{self.name}) * {over}, 0)"


def _leaves(one: Scored) -> list[_Leaf]:
    return [_Leaf(f"leaf{at}{one.of}", score, weight) for at, (score, weight) in enumerate(one.leaves.values())]


def _normalised(rules: Sequence[Rule], rewards: Sequence[Scored], joined: str) -> list[str]:
    """Tables of each rule's weighted sum of normalised leaves, x, by rollout, and of its batch's mean and deviation."""
    sums, batches = [], []
    for rule, one in itertools.product(rules, rewards):
        leaves = _leaves(one)
        x, given = rule.column("x", one.of), " OR ".join(f"{leaf.name} IS NOT NULL" for leaf in leaves)
        sums.append(f"CASE WHEN {given} THEN {' + '.join(leaf.term(rule) for leaf in leaves)} END AS {x}")
        batches.append(f"avg({x}) AS {rule.column('mean', one.of)}")
        batches.append(f"{_inverse(f'var_pop({x})', f'count({x})', rule.ddof, rule.epsilon)} AS {rule.over(one.of)}")
    return [
        f"normalised AS (SELECT *, {', '.join(sums)} FROM {joined})",
        f"of_x AS (SELECT step, {', '.join(batches)} FROM normalised GROUP BY step)",
    ]
