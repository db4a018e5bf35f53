"""Inner products of rollouts' gradients from each layer's inputs and what comes back through it.

The gradient of a matrix is a sum over tokens of (what came back) x (what went in), so that the inner product of two
rollouts' is a sum over pairs of tokens of two small products. A weight with several uses (embedding and head tied)
adds the gradients of its uses. Norms and biases have few numbers: their gradients are formed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from lens.runs.gradients.products import STORED, Batch, Kl, kl_term, policy_term, token_logps

if TYPE_CHECKING:
    from collections.abc import Sequence

_AT_ONCE = 2**24  # numbers of token pairs held at once


class Unknown(Exception):
    """A layer whose inputs aren't one row a rollout, so that rollouts' parts of its gradient can't be told apart."""


class Call(NamedTuple):
    """One call of one layer: its module, first input and output."""

    module: Any
    given: torch.Tensor
    output: torch.Tensor


class Use(NamedTuple):
    """One use of one parameter. `left` [n, T, rows], or [n, T] numbers of rows (an embedding), and `right`
    [n, T, columns]; a gradient that was formed is `left` None and `right` [n, 1, all]."""

    left: torch.Tensor | None
    right: torch.Tensor


Uses = dict[int, list[Use]]  # by the parameter's identity


def ghost(
    model: Any, batch: Batch, scale: torch.Tensor, temperature: float, kl: Kl | None
) -> tuple[np.ndarray, np.ndarray]:
    """`gram` and `term` of `gradients.Products`. Raises Unknown."""
    with _watched(model) as calls, torch.enable_grad():
        logps = token_logps(model, batch.ids, temperature)
    for call in calls:
        if len(call.given) != len(batch.ids):
            raise Unknown(type(call.module).__name__)
    own = _uses(calls, policy_term(logps, batch.asked, scale), keep=kl is not None)
    gram = between(own, own, len(batch.ids))
    if kl is None:
        return gram, np.zeros(0)
    other = _uses(calls, kl_term(logps, batch.asked, scale, kl), keep=False)
    cross = between(other, own, len(batch.ids)).sum(axis=0)
    return gram, np.append(cross, between(other, other, len(batch.ids)).sum())


@contextmanager
def _watched(model: Any) -> Iterator[list[Call]]:
    """The calls, while inside, of modules that have parameters of their own; gradients start where embeddings end."""
    calls: list[Call] = []

    def note(module: Any, given: tuple[Any, ...], output: Any) -> Any:
        if not given or not isinstance(given[0], torch.Tensor) or not isinstance(output, torch.Tensor):
            raise Unknown(type(module).__name__)
        if not output.requires_grad:
            output = output.requires_grad_()
        calls.append(Call(module, given[0].detach(), output))
        return output

    hooks = [
        module.register_forward_hook(note)
        for module in model.modules()
        if next(module.parameters(recurse=False), None) is not None
    ]
    try:
        yield calls
    finally:
        for hook in hooks:
            hook.remove()


def _uses(calls: Sequence[Call], loss: torch.Tensor, *, keep: bool) -> Uses:
    outputs = [call.output for call in calls]
    back = torch.autograd.grad(loss, outputs, retain_graph=keep, allow_unused=True)
    uses: Uses = {}
    for call, gradient in zip(calls, back, strict=True):
        if gradient is None:
            continue
        for parameter, use in _of_call(call, gradient):
            uses.setdefault(id(parameter), []).append(use)
    return uses


def _of_call(call: Call, back: torch.Tensor) -> Iterator[tuple[Any, Use]]:
    module, given = call.module, call.given
    if isinstance(module, torch.nn.Embedding):
        dropped = given == module.padding_idx if module.padding_idx is not None else torch.zeros_like(given).bool()
        yield module.weight, Use(given, (_scale(module) * back.float()).masked_fill(dropped[..., None], 0.0))
        return
    came, went = _by_token(back), _by_token(given)
    if isinstance(module, torch.nn.Linear):
        if type(module).forward is not torch.nn.Linear.forward:
            raise Unknown(type(module).__name__)
        yield module.weight, Use(came, went)
    elif type(module).__name__ == "Conv1D":  # GPT-2's linear layer, its weight the other way round
        yield module.weight, Use(went, came)
    else:
        yield from _formed(call, back)
        return
    if module.bias is not None:
        yield module.bias, Use(None, came.sum(dim=1, keepdim=True))


def _scale(module: torch.nn.Embedding) -> float:
    """What an embedding multiplies its rows by: Gemma's do. Raises Unknown for one with another forward of its own."""
    if type(module).forward is torch.nn.Embedding.forward:
        return 1.0
    scale = getattr(module, "embed_scale", None)
    if scale is None:
        raise Unknown(type(module).__name__)
    return float(scale)


def _by_token(values: torch.Tensor) -> torch.Tensor:
    return values.float().reshape(len(values), -1, values.shape[-1])


def _formed(call: Call, back: torch.Tensor) -> Iterator[tuple[Any, Use]]:
    """The gradients of a module's own parameters, a rollout each, by its own derivative."""
    own = dict(call.module.named_parameters(recurse=False))
    if len(back) * sum(value.numel() for value in own.values()) > STORED:
        raise Unknown(type(call.module).__name__)

    def one(given: torch.Tensor, came: torch.Tensor) -> dict[str, torch.Tensor]:
        def called(parameters: dict[str, torch.Tensor]) -> torch.Tensor:
            made: torch.Tensor = torch.func.functional_call(call.module, parameters, (given[None],))
            return made[0]

        _, pull = torch.func.vjp(called, {name: value.detach() for name, value in own.items()})  # type: ignore[misc]
        found: dict[str, torch.Tensor] = pull(came)[0]
        return found

    try:
        each = torch.func.vmap(one)(call.given, back)
    except (RuntimeError, NotImplementedError, TypeError) as error:
        raise Unknown(type(call.module).__name__) from error
    for name, parameter in own.items():
        yield parameter, Use(None, each[name].float().reshape(len(back), 1, -1))


def between(some: Uses, others: Uses, count: int) -> np.ndarray:
    """<gradient of i by `some`, gradient of j by `others`> over all parameters, [n, n]."""
    total = torch.zeros((count, count), dtype=torch.float64)
    for parameter in some.keys() & others.keys():
        for one in some[parameter]:
            for two in others[parameter]:
                total += _inner(one, two)
    return total.numpy()


def _inner(one: Use, two: Use) -> torch.Tensor:
    """[n, n]: sums over pairs of tokens, a piece of the pairs at a time."""
    count, tokens = one.right.shape[:2]
    most = max(1, _AT_ONCE // max(1, tokens * two.right.shape[1]))
    found = torch.zeros((count, count), dtype=torch.float64)
    for at in range(count):
        for start in range(0, count, most):
            span = slice(start, min(start + most, count))
            right = torch.einsum("sd,jtd->jst", one.right[at], two.right[span])
            left = _left(one.left, two.left, at, span)
            found[at, span] = (right if left is None else right * left).double().sum(dim=(1, 2)).cpu()
    return found


def _left(one: torch.Tensor | None, two: torch.Tensor | None, at: int, span: slice) -> torch.Tensor | None:
    """Products of the left factors [j, s, t]; rows of an embedding are 1 where they are the same row."""
    if one is None and two is None:
        return None
    if one is None or two is None:  # one weight, used in a way that is formed and in one that isn't
        raise Unknown("a shared weight")
    if one.dim() == 2 and two.dim() == 2:
        return (one[at][None, :, None] == two[span][:, None, :]).float()
    if one.dim() == 2:
        return two[span][:, :, one[at]].transpose(1, 2)
    if two.dim() == 2:
        return one[at][:, two[span]].transpose(0, 1)
    return torch.einsum("so,jto->jst", one[at], two[span])
