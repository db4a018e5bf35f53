"""Two branches that each measured something merge in git without a conflict, and the merged store verifies."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from store_samples import bare, item

from lens.errors import StoreError
from measure.store import Store

ATTRIBUTES = Path(__file__).parent.parent.parent / ".gitattributes"


class Repository:
    """A checkout with a store under `data/`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "-q", "-b", "main")
        shutil.copy(ATTRIBUTES, root / ".gitattributes")

    def git(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.autocrlf=true"]
        done = subprocess.run(["git", *who, *words], cwd=self.root, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    @property
    def store(self) -> Store:
        return Store.open(self.root / "data")

    def measure(self, *items: object) -> None:
        self.store.write(items)  # type: ignore[arg-type]
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "measured")

    def branch(self, name: str, *items: object) -> None:
        self.git("checkout", "-q", "-b", name, "main")
        self.measure(*items)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.measure(item("a", 1), item("m", 1), item("z", 1))
    return made


def test_new_subjects_on_both_sides(repository: Repository) -> None:
    repository.branch("one", item("b", 1), item("n", 1))
    repository.branch("two", item("c", 1), item("o", 1))
    repository.git("merge", "-q", "--no-edit", "one")
    assert repository.store.verify() == []
    assert repository.store.ids() == [f"graders/{slug}/kill-matrix" for slug in "abcmnoz"]


def test_each_side_measured_something_again(repository: Repository) -> None:
    repository.branch("one", item("a", 2), item("b", 1))
    repository.measure(item("a", 3))
    repository.branch("two", item("m", 2), bare("a", 9, instrument="survivors"))
    repository.git("merge", "-q", "--no-edit", "one")
    store = repository.store
    assert store.verify() == []
    assert len(store.history("graders/a/kill-matrix")) == 3
    assert len(store.history("graders/m/kill-matrix")) == 2
    assert store.record("graders/a/kill-matrix").fields["gold.killed"].value == 3  # type: ignore[union-attr]
    assert store.record("graders/m/kill-matrix").fields["gold.killed"].value == 2  # type: ignore[union-attr]


def test_many_neighbouring_lines(repository: Repository) -> None:
    """Lines that fall between one another in the sorted file."""
    repository.branch("one", *(bare(f"s{number}") for number in range(0, 40, 2)))
    repository.branch("two", *(bare(f"s{number}") for number in range(1, 40, 2)))
    repository.git("merge", "-q", "--no-edit", "one")
    assert len(repository.store.ids()) == 43
    assert repository.store.verify() == []
    before = (repository.root / "data/manifest.jsonl").read_bytes().splitlines()
    repository.measure(bare("t"))
    after = (repository.root / "data/manifest.jsonl").read_bytes().splitlines()
    assert after == sorted(after)
    assert set(before) < set(after)


def test_bytes_survive_a_checkout_that_rewrites_line_endings(repository: Repository) -> None:
    for path in (repository.root / "data").rglob("*"):
        if path.is_file():
            path.unlink()
    repository.git("checkout", "-q", "--", "data")
    assert repository.store.verify() == []


def test_one_id_measured_on_both_sides_is_asked_about(repository: Repository) -> None:
    """That is a conflict in the record itself; once git's is settled, the manifest says what is left to settle."""
    repository.branch("one", item("a", 2))
    repository.branch("two", item("a", 3))
    assert repository.git("merge", "-q", "--no-edit", "one", check=False).returncode == 1
    repository.git("checkout", "--ours", "--", "data")
    with pytest.raises(StoreError, match="two lines for graders/a/kill-matrix follow the same one") as caught:
        _ = repository.store
    assert "delete the other" in caught.value.remedy
    path = repository.root / "data/manifest.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b'"gold.killed":"2 of 374' not in line))
    assert repository.store.verify() == []
    assert repository.store.record("graders/a/kill-matrix").fields["gold.killed"].value == 3  # type: ignore[union-attr]
