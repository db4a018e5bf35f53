"""*Measurements you can trust* does what it says, and so does what *Limits* and *How to cite* say of the evidence."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from built_site import tree

from lens.exam import Exam, exams
from lens.reading import Declined, Label, Quantity
from lens.runs.adapter import adapters
from measure.store import Store

pytestmark = pytest.mark.xdist_group("trust")
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "content/docs/measurements-you-can-trust.md"
SHELL = 'lens() { "$PYTHON" -c "from measure.cli import main; main()" "$@"; }\n'
CIRCLE = "models/organism-cycle/intransitivity"
FAILING = {"lens evidence verify --data forged": 3, "lens claims forged.md": 1}


def fences() -> Iterator[tuple[str, str]]:
    """Every fence of the tutorial that is typed, written or printed: its language and its text."""
    yield from re.findall(r"^```(console|markdown|text)\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def printed(shown: str) -> re.Pattern[str]:
    """Output as the page shows it: a line of `…` stands for any lines, `…` in a line for the rest of a word."""
    lines = [
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", r"\S*") + ".*\n"
        for line in shown.splitlines()
    ]
    return re.compile("".join(lines))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder after the tutorial's commands; each printed what the page shows, and ended as the page says."""
    pytest.importorskip("torch", reason="torch is not installed: pip install 'evidence-lens[models]'")
    folder = tmp_path_factory.mktemp("trust")
    environment = os.environ | {"PYTHON": sys.executable}
    steps = [*fences(), ("", "")]
    for (kind, text), (then, shown) in itertools.pairwise(steps):
        if kind == "markdown":
            (folder / "paper.md").write_text(text, "utf-8")
        elif kind == "console" and not text.startswith("$ pip "):
            commands = [line.removeprefix("$ ") for line in text.splitlines()]
            done = subprocess.run(
                ["bash", "-ec", SHELL + "\n".join(commands)],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            assert done.returncode == FAILING.get(commands[-1], 0), (text, done.stdout[-2000:])
            if then == "text":
                assert printed(shown).search(done.stdout), (text, shown, done.stdout[-3000:])
    return folder


def test_the_reading_is_what_was_planted_and_the_examination_made_it_calibrated(folder: Path) -> None:
    store = Store.open(folder / "data")
    cyclic = store.record(CIRCLE).fields["cyclic"]
    assert isinstance(cyclic, Quantity)
    assert cyclic.value == pytest.approx(0.3, abs=1e-4)
    assert store.trust(CIRCLE).level == "calibrated"


def test_the_paper_holds_the_number_and_the_forgery_another(folder: Path) -> None:
    assert ">30 %<" in (folder / "paper.md").read_text("utf-8")
    assert ">45 %<" in (folder / "forged.md").read_text("utf-8")


def test_what_stands_for_output_is_held_to_it() -> None:
    shown = printed("a\n…\nvalue 0.29…\n")
    assert shown.search("a\nb\nc\nvalue 0.29999\n")
    assert shown.search("a\nvalue 0.29\n")
    assert not shown.search("a\nvalue 0.31\n")


@pytest.fixture(scope="module")
def store() -> Store:
    """The published evidence."""
    return Store.open(ROOT / "data")


def test_every_exam_has_its_scorecard(store: Store) -> None:
    held = [id_.partition("/scorecard~") for id_ in store.ids() if "/scorecard~" in id_]
    assert sorted(f"{head.removeprefix('project/')}~{variant}" for head, _, variant in held) == sorted(exams())


def test_concepts_failed_and_faithfulness_was_held_against_its_limit(store: Store) -> None:
    assert "failed its newest scorecard" in store.trust("models/organism-length/concepts").why
    assert "concepts~spurious" in exams()
    assert not exams()["concepts~spurious"].limit
    assert exams()["faithfulness~spurious"].limit
    passed = store.record("project/erasure/scorecard~faint").fields
    assert isinstance(passed["smallest-dose"], Declined)


def _passed(store: Store, exam: Exam) -> bool:
    """Whether the exam's card passed; one of a limit calibrates nothing, and takes nothing back."""
    passed = store.record(f"project/{exam.instrument}/scorecard~{exam.variant}").fields["passed"]
    return bool(exam.limit) or passed == Label("yes")


def test_limits_are_those_of_the_published_evidence(store: Store) -> None:
    trust = {id_: store.trust(id_).level for id_ in store.ids()}
    passed = {(exam.subjects, exam.instrument) for exam in exams().values() if not exam.limit} - {
        (exam.subjects, exam.instrument) for exam in exams().values() if not _passed(store, exam)
    }
    calibrated = {tuple(id_.split("/")[::2]) for id_, level in trust.items() if level == "calibrated"}
    assert {(kind, name.partition("~")[0]) for kind, name in calibrated} <= passed
    assert ("runs", "replay") in calibrated
    assert ("graders", "exploits") in calibrated
    assert ("runs", "alarms") not in passed
    assert {trust[id_] for id_ in trust if id_.endswith("/branch-coverage")} == {"exploratory"}
    moved = [store.record(id_).fields for id_ in store.ids() if id_.endswith("/policy-response")]
    assert moved
    assert all(isinstance(fields.get("movement", fields.get("declined")), Declined) for fields in moved)
    skywork = [store.record(id_) for id_ in store.ids() if "/skywork-reward-llama-3-1-8b-v0-2/" in id_]
    ours = [record for record in skywork if not record.evidence.variant]
    assert ours
    assert all("declined" in record.fields for record in ours)


def test_limits_name_the_trainers_whose_runs_were_not_at_hand() -> None:
    text = " ".join((ROOT / "content/limits.md").read_text("utf-8").split())
    named = re.search(r"The second kind, (.*?), has seen no training", text)
    assert named is not None
    untrained = {one.title.partition(",")[0] for one in adapters().values() if one.tested == "writer code"}
    assert set(re.split(r", | and ", named[1])) == untrained
    assert not [one.name for one in adapters().values() if one.tested == "documentation"]


def test_how_to_cite_shows_the_entry_of_the_page_it_links_to(published: Path) -> None:
    page = tree(published / "cite/index.html")
    one, whole = (entry.text() for entry in page.css("pre.bib"))
    record = tree(published / "evidence/graders/math-is-equiv/kill-matrix/index.html")
    assert one == record.css_first("pre.bib").text()
    assert whole.startswith("@misc{evidence-lens,")
    assert "year = {20" in whole
    again = tree(published / "evidence/graders/verl-prime-math/kill-matrix/index.html")
    history = [row.text() for row in again.css("tbody")[-1].css("tr")]
    assert len(history) > 1
    assert "the live one" in history[0]


def test_the_pages_are_linked_from_every_page_and_say_what_is_declined(published: Path) -> None:
    footer = {link.attributes["href"] for link in tree(published / "index.html").css("footer a")}
    assert {"limits/index.html", "cite/index.html", "docs/measurements-you-can-trust/index.html"} <= footer
    limits = tree(published / "limits/index.html").css_first("main")
    assert [plate.text() for plate in limits.css("button.plate")] == [
        "not run",
        "needs the policy’s weights",
        "not run",
    ]
    assert {"../declined/index.html", "../ledger/index.html"} <= {a.attributes["href"] for a in limits.css("p a")}
