"""Looking at a module's input or output while the library runs its own forward, and changing it there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor


@contextmanager
def watch(module: Any, before: bool, look: Callable[[Tensor], object]) -> Iterator[None]:
    """`look(tensor)` at a module's output, or its input with `before`, which it may change in place."""

    def on_input(_module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        look(args[0] if args else kwargs["hidden_states"])

    def on_output(_module: Any, _args: Any, output: Any) -> None:
        look(output[0] if isinstance(output, tuple) else output)

    if before:
        handle = module.register_forward_pre_hook(on_input, with_kwargs=True)
    else:
        handle = module.register_forward_hook(on_output)
    try:
        yield
    finally:
        handle.remove()
