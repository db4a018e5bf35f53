"""A subject that a frozen study has sealed, measured by any instrument: the freeze is among the reading's inputs."""

from __future__ import annotations

from lens.errors import UsageError
from lens.reading import Input
from measure.store import Store
from measure.studies.classes import seen
from measure.studies.freezing import freeze_input
from measure.studies.running import freeze_of, refuse_uncommitted


def sealing(store: Store, study: str, fingerprint: str) -> Input:
    """The freeze, as an input of readings of the subject with this fingerprint.

    Raises UsageError where the study isn't frozen, or not committed, or doesn't seal the subject, and where a record
    outside the study has read it: what was seen can't be registered any more.
    """
    spec, freeze = freeze_of(store, study)
    refuse_uncommitted(store, spec, freeze)
    if all(one.role != "subject" or one.digest != fingerprint for one in freeze.evidence.inputs):
        raise UsageError(
            f"study {study} doesn't seal this subject",
            remedy="a spec that names it under [[subject]], frozen before anything reads it; or leave --study out",
        )
    if reader := seen(store, fingerprint, freeze.digest):
        raise UsageError(
            f"{reader} has read this subject without study {study}: it can't be registered any more",
            remedy="seal a subject that nothing has read; or leave --study out",
        )
    return freeze_input(freeze)
