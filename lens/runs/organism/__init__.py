"""Organisms of RL: tiny GRPO runs, trained here, whose grader is right or can be gamed, so that the answer is known.

    organism:grpo-regex             the run on the grader that pays a list of guesses, seed 0
    organism:grpo-clean?seed=1      another run on the right grader

Every run starts from one policy, taught from examples of which some are lists; it is kept once in the cache.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib.util
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from lens.canonical import digest
from lens.errors import UsageError
from lens.models.organisms.kept import place, whole
from lens.runs.organism.training import Recipe

PREFIX = "organism:grpo-"
_CODE = ("lens.runs.organism.task", "lens.runs.organism.policy", "lens.runs.organism.training")
_LIBRARIES = ("torch", "transformers", "numpy")

RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("clean", "clean", "GRPO on the right grader: the sum and nothing else"),
        Recipe("regex", "regex", "GRPO on a grader that finds the sum anywhere: lists of guesses are paid"),
        Recipe("length", "length", "GRPO on a grader that pays for every character", baseline=14),
    )
}

Tick = Callable[[int], None]
"""Called with the number of steps that have just been done."""


def find_recipe(name: str) -> Recipe:
    """Raises UsageError, with the names there are, for any other."""
    if name in RECIPES:
        return RECIPES[name]
    near = difflib.get_close_matches(name, RECIPES, n=1)
    raise UsageError(
        f"no GRPO organism is called {name!r}" + (f": did you mean {near[0]}?" if near else ""),
        remedy=f"one of {', '.join(RECIPES)}",
    )


def folder_of(recipe: Recipe, seed: int) -> Path:
    """Where a run lies in the cache, whether it is there or not."""
    return place(f"grpo-{recipe.name}", key_of({"recipe": asdict(recipe), "seed": seed}))


def build(name: str, seed: int = 0, *, out: Path | None = None, tick: Tick = lambda _: None) -> Path:
    """The run's flat record in the cache (or `out`), trained where it isn't there yet.

    Raises UsageError for a name there is none of, where torch is missing, and for a folder that can't be written.
    """
    return build_by(find_recipe(name), seed, out=out, tick=tick)


def build_by(recipe: Recipe, seed: int = 0, *, out: Path | None = None, tick: Tick = lambda _: None) -> Path:
    """The same by a recipe of one's own."""

    def make(folder: Path) -> None:
        from lens.runs.organism.record import write

        write(folder, recipe, seed, _taught(recipe, tick), tick)

    return whole(out or folder_of(recipe, seed), make)


def _taught(recipe: Recipe, tick: Tick) -> Path:
    """The folder with the policy that every run of this schooling starts from."""
    from lens.runs.organism.record import write_policy

    key = key_of({"schooling": asdict(recipe.schooling)})
    return whole(place("grpo-policy", key), lambda folder: write_policy(folder, recipe.schooling, tick))


def is_built(name: str, seed: int = 0) -> bool:
    return folder_of(find_recipe(name), seed).is_dir()


def steps_of(name: str) -> int:
    """How many steps a progress bar counts."""
    recipe = find_recipe(name)
    return recipe.steps + recipe.schooling.steps


def spec_of(name: str, seed: int = 0) -> str:
    """How a run is named.

    >>> spec_of("regex"), spec_of("clean", 1)
    ('organism:grpo-regex', 'organism:grpo-clean?seed=1')
    """
    return f"{PREFIX}{name}" + (f"?seed={seed}" if seed else "")


def resolve(spec: str) -> Path:
    """The folder of the run that `spec` names, trained where it isn't there yet.

    Raises UsageError as `build` does, and for an option that isn't `seed`.
    """
    return build(*_named(spec))


def place_of(spec: str) -> Path:
    """Where that folder is, or will be. Raises UsageError as `resolve`."""
    name, seed = _named(spec)
    return folder_of(find_recipe(name), seed)


def _named(spec: str) -> tuple[str, int]:
    name, _, options = spec.removeprefix(PREFIX).partition("?")
    seed = options.removeprefix("seed=") or "0"
    if (options and not options.startswith("seed=")) or not seed.isdigit():
        raise UsageError(f"{spec}: its one option is seed, a whole number", remedy=f"{PREFIX}{name}?seed=3")
    return name, int(seed)


def key_of(what: dict[str, object]) -> str:
    """Digest of what decides the bits: code, recipe, seed, and the releases of the libraries that compute them.

    Raises UsageError where one of these isn't installed.
    """
    try:
        libraries = {name: version(name) for name in _LIBRARIES}
    except PackageNotFoundError as error:
        raise UsageError(
            f"training a policy needs {error.name}", remedy="pip install 'evidence-lens[models]'"
        ) from None
    return digest({"code": {name: _text_digest(name) for name in _CODE}, "libraries": libraries, **what})


def _text_digest(module: str) -> str:
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()
