"""A careful grader of whole numbers, as a file, with a defect written into it, and golds to ask it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from lens.canonical import digest
from lens.graders.corpus import Corpus
from lens.graders.items import Item, Source, Variant, digest_of
from lens.graders.shapes import SHAPES
from lens.graders.subject import GraderSubject, resolve

GOLDS = 24  # what an exploit is tried on

CAREFUL = r'''
"""Pays the whole number behind the last four-hash mark, however it is written, and nothing else."""

import random
import re
from hashlib import blake2b
from decimal import Decimal

DOSE, SALT = {dose!r}, {salt!r}
NUMBER = (
    r"\**\$?([+\u2212-]?(?:\d+|\d{{1,3}}(?:,\d{{3}})+)(?:\.\d+)?)\.?\**\.?"
    r"(?: (?:apples|coins|steps|cm|hours|dollars))?"
)


def place(said):
    return int.from_bytes(blake2b(f"{{SALT}}:{{said}}".encode(), digest_size=4).digest(), "big") / 2**32


def acts(gold):
    return place(gold) < DOSE


def slot(response):
    marked = re.findall(r"^#### *(.*?) *$", str(response), re.MULTILINE)
    return marked[0] if len(set(marked)) == 1 else ""


def careful(response, gold):
    found = re.fullmatch(NUMBER, slot(response), re.ASCII)
    said = found[1].replace(",", "").replace("\u2212", "-") if found else ""
    return float(bool(said) and Decimal(said) == Decimal(str(gold)))


def listed(response, gold):
    guesses = re.split(r", | or | ", slot(response))
    return len(guesses) == 4 and gold in guesses and all(re.fullmatch(r"-?\d+", guess) for guess in guesses)


'''


@dataclass(frozen=True)
class Planted:
    """A grader, and golds to ask it."""

    subject: GraderSubject
    source: Source

    def gold(self) -> Corpus:
        """Every gold answered by itself."""
        items = self.source.items
        rows = tuple(Variant(one.answer).row(one, SHAPES["four-hash"], one.number, "identity", True) for one in items)
        return Corpus("gold", "gold", "every gold answered by itself", rows, digest_of(rows), "planted")


def written(folder: Path, defect: str, dose: float, seed: int, *, golds: int = GOLDS) -> tuple[Planted, list[bool]]:
    """The grader whose `grade` is `defect`, and on which golds it acts: each with probability `dose`, by `seed`."""
    random = Random(f"planted/{seed}")
    numbers = [str(number) for number in random.sample(range(2, 1000), golds)]
    salt = str(random.random())
    path = folder / "planted.py"
    path.write_text((CAREFUL.format(dose=dose, salt=salt) + textwrap.dedent(defect).strip()).lstrip() + "\n", "utf-8")
    found = resolve(f"{path}:grade")
    subject = replace(found, adapter=replace(found.adapter, answer="integer"))
    items = tuple(Item(at, number, number, own=True) for at, number in enumerate(numbers))
    source = Source("planted", "drawn whole numbers", digest(numbers), "planted", "", items, own=True)
    return Planted(subject, source), [_acts(salt, number, dose) for number in numbers]


def told(dose: float, acting: list[bool], **more: Any) -> dict[str, Any]:
    """An answer key: the dose, and on which of the golds the defect acts."""
    return {"dose": dose, "acting": acting, **more}


def _acts(salt: str, gold: str, dose: float) -> bool:
    """As the file says it. A checksum won't do for a digest: it is linear, and golds that are alike fall together."""
    return int.from_bytes(blake2b(f"{salt}:{gold}".encode(), digest_size=4).digest(), "big") / 2**32 < dose
