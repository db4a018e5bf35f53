"""What a spec names as it lies on this machine now, told from files alone: nothing is loaded, downloaded or built."""

from __future__ import annotations

from lens.models import spec as specs
from lens.models.adapters import reader_of


def fingerprint_here(spec: str, *, device: str, dtype: str) -> str | None:
    """The fingerprint that `spec` would have if it were opened on `device` in `dtype` (as evidence records them).

    None where it isn't here, and for kinds whose fingerprint takes more than files: those put together from several
    models. Raises UsageError as opening it would.
    """
    kind, place, options = specs.parse(spec)
    options.pop("slug", "")
    if kind == "scores":
        from lens.models.subject import open_model

        return open_model(spec).fingerprint
    if kind == "organism":
        from lens.models.organisms import standing

        path = standing(spec)
        return None if path is None else _of_folder(str(path), {}, device, dtype)
    return _of_folder(place, options, device, dtype) if kind == "scalar" else None


def _of_folder(place: str, options: dict[str, str], device: str, dtype: str) -> str | None:
    """Of a sequence classifier's folder, or one that the hub's cache holds."""
    from lens.models.architectures import attentions
    from lens.models.folder import find_folder
    from lens.models.subject import of_files, of_options

    folder = find_folder(place, offline=True)
    if device != "cpu" and not device.startswith("cuda"):
        return None
    if options and reader_of(folder.config) is not None:
        return None
    attention = attentions().get(folder.config.get("model_type", ""), "eager")
    return of_options(of_files(folder, attention, dtype, 1 if device == "cpu" else 0), **options)
