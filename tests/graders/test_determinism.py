"""Determinism and side effects on graders with one planted effect each."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import answered, fields, planted

from lens.graders.instruments.determinism import determinism
from lens.reading import Label, Quantity

GOLDS = [str(number) for number in range(40)]
EFFECTS = {
    "random": ("import random\ndef grade(response, gold):\n    random.random()\n    return 1.0\n", "consumes-random"),
    "environment": (
        "import os\ndef grade(response, gold):\n    os.environ['SEEN'] = response\n    return 1.0\n",
        "global-state",
    ),
    "file": ("def grade(response, gold):\n    open('seen', 'a').write('x')\n    return 1.0\n", "files-written"),
}


@pytest.mark.parametrize("effect", EFFECTS)
def test_a_planted_effect_shows_in_its_field_and_in_no_other(tmp_path: Path, effect: str) -> None:
    source, field = EFFECTS[effect]
    found = fields(determinism(planted(tmp_path, source, answered(GOLDS))))
    said = {name: one.value for name, one in found.items() if isinstance(one, Label)}
    assert "of 40 rows" in said.pop(field)
    assert sorted(said.values()) == sorted(
        {
            "consumes-random": "no global generator advances",
            "global-state": "nothing else changes",
            "files-written": "no file is written",
        }[name]
        for name in said
    )


def test_verdicts_drawn_from_the_global_generator_differ_between_replays(tmp_path: Path) -> None:
    source = "import random\ndef grade(response, gold):\n    return random.random()\n"
    found = fields(determinism(planted(tmp_path, source, answered(GOLDS))))
    assert found["replay-differences"] == _count(found["replay-differences"], 40)


def test_a_grader_that_only_works_on_the_main_thread(tmp_path: Path) -> None:
    source = """
        import signal
        def grade(response, gold):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            return 1.0
    """
    threads = fields(determinism(planted(tmp_path, source, answered(GOLDS))))["thread-differences"]
    assert isinstance(threads, Quantity)
    assert (threads.value, threads.of) == (40, 40)
    assert threads.note == "float becomes ValueError"


def test_search_r1_consumes_the_global_generator() -> None:
    from audits import FULL, corpus

    from lens.access import Access
    from lens.graders.audit import Audit
    from lens.graders.corpus import Row
    from lens.graders.subject import resolve

    rows = [Row(at, f"<answer>{at}</answer>", {"target": [str(at)]}, True) for at in range(70)]
    audit = Audit(resolve("verl-search-r1-em"), {"gold": corpus("gold", rows)}, Access.parse(FULL))
    found = fields(determinism(audit))
    assert found["consumes-random"] == Label("random on 70 of 70 rows")
    replays = found["replay-differences"]
    assert isinstance(replays, Quantity)
    assert replays.value == 0


def _count(field: object, n: int) -> Quantity:
    assert isinstance(field, Quantity)
    return Quantity(n, "rows", "count", of=n, interval=field.interval, n=n, n_eff=n)
