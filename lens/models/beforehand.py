"""What an instrument would decline before it asks the model anything: it is run where nothing answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from lens.reading import Declined, Result

if TYPE_CHECKING:
    from lens.instrument import Instrument
    from lens.models.inspection import Inspection


class AskedError(Exception):
    """The instrument began to ask: it reads, as far as can be known without an answer."""


def declined(instrument: Instrument, inspection: Inspection) -> Declined | None:
    """The instrument's decline, where neither the model's answers nor anything computed of them is needed for it."""
    silent = dataclasses.replace(inspection, map=_ask, advance=lambda _: None, used={}, noted={}, memo={})
    with _unanswered(inspection):
        try:
            result = instrument.run(silent)
        except AskedError:
            return None
    reading = result.reading if isinstance(result, Result) else result
    return reading if isinstance(reading, Declined) else None


def _ask(*_: Any) -> NoReturn:
    raise AskedError


@contextmanager
def _unanswered(inspection: Inspection) -> Iterator[None]:
    """No network of this process can be called; a record of scores has none."""
    if inspection.model.family == "scores":
        yield
        return
    from torch.nn.modules.module import register_module_forward_pre_hook

    hook = register_module_forward_pre_hook(_ask)
    try:
        yield
    finally:
        hook.remove()
