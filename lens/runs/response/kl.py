"""How far a policy is from another, in nats: three estimators on responses that the first one sampled (Schulman 2020).

x is log p of the sampled policy less log p of the other. k1 = x, k2 = x²/2, k3 = exp(-x) - 1 + x. A response's KL is a
sum over its tokens, a token's is a mean: they differ by the length, and so do trainers' logs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, fsum
from typing import TYPE_CHECKING, Any, Literal

from lens.reading import Declined, Label, Quantity
from lens.runs.record import Range, Record
from lens.runs.review import Review

if TYPE_CHECKING:
    import duckdb

Fields = dict[str, Quantity | Label | Declined]
Estimator = Literal["k1", "k2", "k3"]
ESTIMATORS: dict[Estimator, Callable[[float], float]] = {
    "k1": lambda x: x,
    "k2": lambda x: x * x / 2,
    "k3": lambda x: exp(-x) - 1 + x,
}
_SQL = {"k1": "x", "k2": "x * x / 2", "k3": "exp(-x) - 1 + x"}
LOGGED = ("kl", "actor/kl_loss", "actor/ppo_kl", "train/kl", "kl_sample_train_v1")
NOTES = {
    "k1": "unbiased, and may be negative",
    "k2": "biased; small where the policies are near",
    "k3": "unbiased and never negative; one response that the other policy finds likelier can carry it",
}


def per_token(ratios: Sequence[Sequence[float]], estimator: Estimator) -> float:
    """The mean over all tokens of responses given by the log-ratios of their tokens.

    >>> round(per_token([[0.1] * 4, [0.2] * 2], "k3"), 6)
    0.009469
    """
    each = [ESTIMATORS[estimator](x) for some in ratios for x in some]
    return fsum(each) / len(each)


def per_response(ratios: Sequence[Sequence[float]], estimator: Estimator) -> float:
    """The mean over responses of the sum over their tokens.

    >>> round(per_response([[0.1] * 4, [0.2] * 2], "k3"), 6)
    0.028406
    """
    return fsum(ESTIMATORS[estimator](x) for some in ratios for x in some) / len(ratios)


def recorded(review: Review) -> tuple[Fields, dict[str, list[Any]] | None]:
    """The fields of a record with log-probabilities under the sampling and the reference policy, a sum a response, and
    its table by step; else their declines and None."""
    record = review.record()
    sampled = next((name for name in ("logp_old", "logp") if _has(record, name)), None)
    if sampled is None or not _has(record, "logp_ref"):
        return {"kl.last": absent(record)} | _logged(record), None
    first, last = windows(record)
    found = review.over_steps(
        _sums, sampled=sampled, first=first, last=last, tokens=_has(record, "tokens"), prompt=drawn(record)
    )
    steps = [row for one in found for row in one["steps"]]
    fields: Fields = {}
    for window in ("first", "last"):
        fields |= _window(review, window, [row for one in found for row in one[window]])
    names = ("step", "responses", "prompts", "k1", "low", "high", "k2", "k3", "per-token")
    return fields | _logged(record), dict(zip(names, map(list, zip(*steps, strict=True)), strict=True))


def drawn(record: Record) -> str:
    """The column that says what was drawn: the prompt, or where no text was recorded the group."""
    return "prompt" if _has(record, "prompt") else "group"


def _has(record: Record, name: str) -> bool:
    return name in record.columns and not record.header.absent.get(name)


def absent(record: Record) -> Declined:
    """KL that was never computed isn't a KL of 0."""
    if record.header.settings.beta == 0:
        return Declined(
            "record_incomplete",
            "beta is 0, so no reference model was loaded and KL was never computed",
            "score saved checkpoints against the initial policy on a fixed prompt set: lens measure run SUBJECT "
            "--model FOLDER",
            needs="logp_old, logp_ref",
        )
    gap = record.header.gaps.get("logp_ref") or record.header.gaps.get("logp")
    return Declined(
        "record_incomplete",
        gap.detail if gap else "no log-probabilities under the reference policy were recorded",
        gap.remedy if gap else "write logp_old and logp_ref of each response, summed over its tokens",
        needs="logp_old, logp_ref",
    )


def windows(record: Record) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last tenth of the steps, one at least: (from, to) each, both in it."""
    steps = [step for (step,) in record.sql("SELECT DISTINCT step FROM rollouts ORDER BY step")]
    size = max(1, len(steps) // 10)
    return (steps[0], steps[size - 1]), (steps[-size], steps[-1])


def _sums(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    *,
    sampled: str,
    first: list[int],
    last: list[int],
    tokens: bool,
    prompt: str,
) -> dict[str, Any]:
    """By step, means and the t interval of k1 over prompts; for either window, sums by prompt."""
    length = "tokens" if tokens else "NULL::BIGINT"
    estimates = ", ".join(f"fsum({text}) AS {name}" for name, text in _SQL.items())
    database.execute(
        f"""CREATE OR REPLACE TEMP VIEW ratios AS SELECT step, "{prompt}" AS prompt, {length} AS tokens,
        {sampled} - logp_ref AS x FROM rollouts WHERE isfinite({sampled}) AND isfinite(logp_ref)"""
    )
    by_prompt = f"SELECT step, prompt, count(*) AS n, {estimates}, sum(tokens) AS tokens FROM ratios GROUP BY ALL"
    steps = database.execute(
        f"""SELECT step, sum(n)::BIGINT, count(*), fsum(k1) / sum(n), stddev_samp(k1 / n) / sqrt(count(*)),
        fsum(k2) / sum(n), fsum(k3) / sum(n), fsum(k1) / sum(tokens) FROM ({by_prompt}) GROUP BY step ORDER BY step"""
    ).fetchall()
    kept = {
        name: database.execute(
            f"""SELECT prompt, sum(n)::BIGINT, fsum(k1), fsum(k2), fsum(k3), sum(tokens)::BIGINT FROM ({by_prompt})
            WHERE step BETWEEN ? AND ? GROUP BY prompt ORDER BY prompt""",
            list(span),
        ).fetchall()
        for name, span in (("first", first), ("last", last))
    }
    return {"steps": [_spread(*row) for row in steps], **kept}


def _spread(
    step: int, count: int, prompts: int, k1: float, error: float | None, k2: float, k3: float, token: float | None
) -> tuple[Any, ...]:
    from lens.stats.clusters import LEAST

    if error is None or prompts < LEAST:
        return step, count, prompts, k1, None, None, k2, k3, token
    from scipy.stats import t

    away = float(t.ppf(0.975, prompts - 1)) * error
    return step, count, prompts, k1, k1 - away, k1 + away, k2, k3, token


def _window(review: Review, name: str, rows: list[tuple[Any, ...]]) -> Fields:
    """Means over the window with intervals over prompts, which were drawn; rows of one prompt may be of many ranges."""
    from lens.stats.clusters import mean_of_sums, over_sums
    from lens.stats.means import quantity

    parts: dict[int, list[float]] = {}
    for prompt, *sums in rows:
        held = parts.setdefault(prompt, [0.0] * 5)
        parts[prompt] = [one + (two or 0) for one, two in zip(held, sums, strict=True)]
    count, length = (sum(one[at] for one in parts.values()) for at in (0, 4))
    which = f"{'first' if name == 'first' else 'last'} tenth of the steps"
    fields: Fields = {}
    for at, estimator in enumerate(ESTIMATORS, start=1):
        sums = [[one[at], one[0]] for one in parts.values()]
        interval = over_sums(sums, mean_of_sums, seed=review.seed, draws=review.draws, mean=True)
        field = f"kl.{name}" if estimator == "k1" else f"kl.{name}.{estimator}"
        note = f"{estimator} of a response's summed log-ratio, {which}; {NOTES[estimator]}"
        value = fsum(one[at] for one in parts.values()) / count
        fields[field] = quantity(
            value, interval, "nats a response", kind="score", clusters=len(parts), n=int(count), note=note
        )
    fields[f"kl.{name}.per-token"] = Declined(
        "record_incomplete", "response lengths weren't recorded", "write each response's tokens", needs="tokens"
    )
    if length:
        sums = [[one[1], one[4]] for one in parts.values()]
        interval = over_sums(sums, mean_of_sums, seed=review.seed, draws=review.draws, mean=True)
        value, note = fsum(one[1] for one in parts.values()) / length, f"k1, {which}"
        fields[f"kl.{name}.per-token"] = quantity(
            value, interval, "nats a token", kind="score", clusters=len(parts), n=int(count), note=note
        )
    if name == "last":
        fields["kl.last.k3.per-token"] = Declined(
            "record_incomplete",
            "one sum a response was recorded, and k3 of a token needs each token's log-ratio",
            "record log-probabilities a token, or: lens measure run SUBJECT --model FOLDER",
            needs="log-probabilities by token",
        )
    return fields


def _logged(record: Record) -> Fields:
    """What the trainer logged, as its own number: which estimator it is, and of what, is that trainer's."""
    series = record.series(*LOGGED)
    if not series:
        return {}
    step, values = max(series.items())
    name, value = next(iter(values.items()))
    return {"kl.logged.last": Quantity(value, "as logged", "score", note=f"{name} of step {step}, by the trainer")}
