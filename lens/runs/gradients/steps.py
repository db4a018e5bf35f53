"""Inner products of the steps whose policy is at hand, computed again and held against the run's own numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from lens.reading import Declined
from lens.runs.gradients import policy as policies
from lens.runs.gradients.logged import NORMS
from lens.runs.gradients.loss import normalisation, weights
from lens.runs.gradients.products import Batch, Kl, products, token_logps
from lens.runs.gradients.whole import norm, whole_gradient
from lens.runs.update.steps import Given

if TYPE_CHECKING:
    from lens.runs.gradients.policy import Policy, Rollout
    from lens.runs.record import Record
    from lens.runs.review import Review

PARITY = 0.02  # nats a token between a recorded log-probability and the model's, on average over a step
LOGGED = 1e-2  # relative, between the norm that the trainer logged and the one computed


class Recipe(NamedTuple):
    """The loss, as the record tells it."""

    kind: str
    longest: int | None
    temperature: float
    clip: tuple[float, float]
    beta: float
    corrected: bool


def recipe(record: Record, reference: str) -> Recipe | Declined:
    """Declines for a loss whose normalisation isn't known here, and for terms that can't be computed."""
    settings, config = record.header.settings, record.header.config
    kind = normalisation(settings.loss)
    longest = config.get("max_completion_length") or config.get("max_response_length")
    if kind is None or (kind == "dr_grpo" and not longest):
        told = f"the loss is {settings.loss}" if settings.loss else "the record doesn't say which loss it was"
        return Declined(
            "record_incomplete",
            f"{told}, so how it weighs a rollout's tokens isn't known",
            "give the trainer's configuration with --config: loss_type grpo, bnpo, dapo or dr_grpo",
            needs="loss_type, max_completion_length",
        )
    if settings.entropy:
        return Declined(
            "assumption_violated",
            f"the loss has an entropy bonus of {settings.entropy}, whose gradient isn't computed here",
            "record inner products while training, the bonus's gradient as one row more",
        )
    if settings.beta and not reference:
        return Declined(
            "access_insufficient",
            f"the loss has a KL term (beta {settings.beta}), and its reference wasn't given",
            "lens measure run SUBJECT --model FOLDER --reference FOLDER",
            needs="policy.forward of the reference",
        )
    clip = (settings.clip_low or 0.2, settings.clip_high or settings.clip_low or 0.2)
    return Recipe(
        kind, longest, float(config.get("temperature") or 1.0), clip, settings.beta or 0.0,
        bool(config.get("use_bias_correction_kl")),
    )  # fmt: skip


class Computed(NamedTuple):
    """One step's products with the groups of its rollouts; `parity` nats a token, `logged` relative, or None."""

    given: Given
    groups: dict[int, int]
    way: str
    parity: float | None
    logged: float | None

    def confirmed(self, known: bool) -> Computed:
        """Unverified where neither the settings nor the run's own numbers show that the policy sampled its rollouts."""
        shown = known or self.parity is not None or self.logged is not None or self.given.state
        return self if shown else self._replace(given=self.given._replace(state="unverified"))


def computed(review: Review, how: Recipe) -> Iterator[Computed]:
    """The steps of the record whose policy is in the folder given, each with its own model in memory alone."""
    record = review.record()
    series = record.series(*NORMS)
    reference = policies.open_policy(Path(review.reference)) if how.beta else None
    if reference is not None:
        review.used["reference"] = reference.as_input("reference")
    for step, path in policies.chain(review.model, record).items():
        some = policies.rollouts(record, step)
        if not some:
            continue
        policy = policies.open_policy(path)
        review.used[f"policy.{step}"] = policy.as_input(f"policy at step {step}")
        logged = next((value for name, value in series.get(step, {}).items() if name in NORMS), None)
        yield of_step(step, some, policy, reference, how, record, logged)
        review.advance(len(some))


def of_step(
    step: int,
    some: list[Rollout],
    policy: Policy,
    reference: Policy | None,
    how: Recipe,
    record: Record,
    logged: float | None,
) -> Computed:
    advantage = np.array([np.nan if one.advantage is None else one.advantage for one in some])
    rows, groups = [one.row for one in some], {one.row: one.group for one in some}
    empty = Given(step, rows, advantage, np.zeros((0, 0)), np.zeros(0), float("nan"))
    if not np.isfinite(advantage).all():
        return Computed(empty._replace(state="no-advantage"), groups, "", None, None)
    size, share = record.header.settings.batch_size, record.header.settings.generations or 1
    if size is not None and size // share != len(some):
        return Computed(empty._replace(state="incomplete"), groups, "", None, None)
    tokens = policies.tokenised(policy, some)
    if isinstance(tokens, str):
        return Computed(empty._replace(state="tokens-differ"), groups, "", None, None)
    batch = Batch.of(tokens.prompts, tokens.responses, policy.device)
    away = parity(policy, batch, some, how.temperature)
    if away is not None and away > PARITY:
        return Computed(empty._replace(state="not-its-policy"), groups, "", away, None)
    kl = _kl(reference, batch, how) if reference is not None else None
    made = products(
        policy.network, batch, weights(how.kind, batch.lengths, how.longest), temperature=how.temperature, kl=kl
    )
    whole = whole_gradient(
        policy.network, batch, advantage.tolist(), kind=how.kind, longest=how.longest,
        temperature=how.temperature, clip=how.clip, kl=kl,
    )  # fmt: skip
    full = norm(whole)
    off = abs(full - logged) / logged if logged else None
    given = Given(step, rows, advantage, made.gram, made.term, full)
    if off is not None and off > LOGGED:
        given = given._replace(state="not-the-logged")
    return Computed(given, groups, made.way, away, off)


def kl_of(review: Review, batch: Batch, how: Recipe) -> Kl:
    """The KL term on a batch, of the reference that was given."""
    reference = policies.open_policy(Path(review.reference))
    review.used["reference"] = reference.as_input("reference")
    return _kl(reference, batch, how)


def _kl(reference: Policy, batch: Batch, how: Recipe) -> Kl:
    with torch.no_grad():
        scored = token_logps(reference.network, batch.ids, how.temperature)
    return Kl(how.beta, scored, how.corrected)


def parity(policy: Policy, batch: Batch, some: list[Rollout], temperature: float) -> float | None:
    """Mean distance, nats a token, from the sampling policy's recorded log-probabilities; None where there are none."""
    recorded: list[Any] = [one.logp_old for one in some]
    if None in recorded:
        return None
    with torch.no_grad():
        logps = torch.where(batch.asked, token_logps(policy.network, batch.ids, temperature), 0.0).sum(dim=1)
    away = np.abs(logps.double().cpu().numpy() - np.array(recorded, float)) / np.array(batch.lengths)
    return float(away.mean())
