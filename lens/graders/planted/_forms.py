"""A grader that pays an answer in twelve forms, a function each, and rows that test all but a planted share of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from lens.canonical import digest
from lens.graders.corpus import Corpus, Row
from lens.graders.items import Item, Source, digest_of
from lens.graders.planted._careful import Planted
from lens.graders.subject import resolve

WORDS = ("about", "almost", "at", "barely", "before", "exactly", "fully", "just", "maybe", "nearly", "only", "up")
GOLDS = 3  # what each form is tested on
HEAD = '''"""Pays the gold behind four hashes, with or without one of some words before it."""


def plain(response, gold):
    return response.endswith("#### " + gold)


'''
FORM = """def {word}(response, gold):
    return response.endswith("{word} " + gold)


"""
TAIL = """FORMS = ({names})


def grade(response, gold):
    return 1.0 if any(form(response, gold) for form in FORMS) else 0.0
"""


@dataclass(frozen=True)
class Tested(Planted):
    """Asked on `rows`."""

    rows: tuple[Row, ...]

    def gold(self) -> Corpus:
        return Corpus(
            "gold", "gold", "answers in the forms that are tested", self.rows, digest_of(self.rows), "planted"
        )


def written(folder: Path, dose: float, seed: int, *, more: str = "") -> tuple[Tested, list[str]]:
    """The grader, with the source text of `more` forms, and the words whose forms no row tests: each with probability
    `dose`, by `seed`."""
    random = Random(f"forms/{seed}")
    numbers = [str(number) for number in random.sample(range(100, 1000), GOLDS + 1)]
    untested = [word for word in WORDS if random.random() < dose]
    names = ["plain", *WORDS, *([more.split("(")[0].removeprefix("def ")] if more else [])]
    path = folder / "planted.py"
    forms = "".join(FORM.format(word=word) for word in WORDS)
    path.write_text(HEAD + forms + more + TAIL.format(names=", ".join(names)), "utf-8")
    found = resolve(f"{path}:grade")
    subject = replace(found, adapter=replace(found.adapter, answer="integer"))
    items = tuple(Item(at, number, number, own=True) for at, number in enumerate(numbers[:GOLDS]))
    source = Source("planted", "drawn whole numbers", digest(numbers), "planted", "", items, own=True)
    return Tested(subject, source, tuple(_rows(numbers, [word for word in WORDS if word not in untested]))), untested


def told(dose: float, untested: list[str], **more: Any) -> dict[str, Any]:
    return {"dose": dose, "untested": untested, **more}


def _rows(numbers: list[str], tested: list[str]) -> list[Row]:
    """Every gold in every tested form, another number and none in the same, and all three in a form that isn't paid."""
    rows: list[Row] = []
    *golds, other = numbers
    for gold in golds:
        for word in ("", "never ", *(f"{word} " for word in tested)):
            for said in (gold, other, ""):
                right = said == gold and word != "never "
                rows.append(Row(len(rows), f"We get #### {word}{said}", gold, right, word + said, gold, "form"))
    return rows
