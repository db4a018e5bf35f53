"""Corpora: embedded, derived, published, and files of somebody's own with everything that can be wrong with them."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.graders import corpora
from lens.graders.corpus_file import load
from lens.graders.formats import formats
from lens.graders.items import Rollout
from lens.graders.shapes import SHAPES
from lens.graders.sources import sources
from tests.graders.direct import careful, direct, golds, unfilled

INTEGER, LATEX, QA = (formats()[name] for name in ("integer", "latex", "qa"))
HASH, BOXED, BARE = (SHAPES[name] for name in ("four-hash", "boxed", "bare"))


def test_the_same_golds_make_the_same_rows() -> None:
    first, again = (corpora.default(LATEX, BOXED) for _ in range(2))
    assert {name: one.source_digest for name, one in first.items()} == {
        name: one.source_digest for name, one in again.items()
    }
    other = corpora.default(LATEX, BOXED, seed=1)
    assert first["gold"].source_digest == other["gold"].source_digest
    assert first["crossed"].source_digest != other["crossed"].source_digest


def test_corpora_carry_their_labels() -> None:
    made = corpora.default(INTEGER, HASH)
    assert {row.label for row in made["gold"].rows} == {True}
    assert [row.label for row in made["crossed"].rows] == [True, False] * 60
    assert {row.label for row in made["variants"].rows} == {True}
    assert {row.label for row in made["near-misses"].rows} == {False}
    assert {row.label for row in made["fuzz"].rows} == {None}
    assert all(careful(row.response, row.gold) == row.label for row in made["labelled"].rows)


def test_labelled_is_every_labelled_row_once() -> None:
    made = corpora.default(INTEGER, HASH)
    asked = {
        (row.response, row.gold) for name in ("gold", "crossed", "variants", "near-misses") for row in made[name].rows
    }
    labelled = made["labelled"].rows
    assert {(row.response, row.gold) for row in labelled} == asked
    assert [row.number for row in labelled] == list(range(len(asked)))


def test_crossed_answers_are_wrong_in_value_too() -> None:
    source = golds(*["4", "4.0", "04", "5"] * 5)
    rows = corpora.crossed(LATEX, BARE, source)
    assert all(float(row.answer or "") != float(row.gold) for row in rows if row.label is False)


def test_variants_are_equal_but_not_identical_in_a_bare_contract() -> None:
    rows = corpora.default(formats()["latex-bare"], BARE)["variants"].rows
    assert all(row.response != row.gold for row in rows)


def test_a_limit_bounds_the_golds_of_each_relation() -> None:
    rows = corpora.derive(INTEGER, HASH, corpora.embedded(INTEGER), limit=7)
    golds_of: dict[str, set[str]] = {}
    for one in rows:
        golds_of.setdefault(one.relation.name, set()).add(one.row.cluster)
    assert max(map(len, golds_of.values())) == 7


def test_derived_rows_and_corpora_number_alike() -> None:
    audit = direct(careful)
    for one in corpora.derived(audit):
        name = "variants" if one.relation.direction == "invariant" else "near-misses"
        assert audit.corpora[name].rows[one.row.number] == one.row


def test_instruments_before_the_corpora_say_what_to_call() -> None:
    with pytest.raises(LookupError, match=r"corpora\.fill"):
        corpora.derived(unfilled(careful))


def test_rollouts_are_marked_again_in_the_contracts_shape() -> None:
    source = replace(
        golds("7"),
        rollouts=(
            Rollout(0, "7", "Three and four.", "7", True, "a"),
            Rollout(1, "7", "so \\boxed{8}", None, False, "a"),
        ),
    )
    assert [row.response for row in corpora.rollouts(source, HASH).rows] == ["Three and four.\n#### 7", "so \\boxed{8}"]
    assert [row.response for row in corpora.rollouts(source, BARE).rows] == ["7", "8"]
    dressed = replace(BOXED, dress="$")
    assert [row.gold for row in corpora.rollouts(source, dressed).rows] == ["$7$", "$7$"]
    assert [row.answer for row in corpora.rollouts(source, BOXED).rows] == ["7", "8"]


@pytest.mark.parametrize(
    ("name", "items", "distinct"),
    [("gsm8k", 1319, 351), ("math500", 500, 301), ("math500-240", 240, 165), ("nq-open", 3610, None)],
)
def test_published_golds(shared: Path, name: str, items: int, distinct: int | None) -> None:
    source = corpora.named(name, shared)
    assert len(source.items) == items
    assert not any(item.own for item in source.items)
    assert source.locator.startswith("shared:")
    if distinct is not None:
        assert len({item.cluster for item in source.items}) == distinct


def test_published_solutions_are_labelled(shared: Path) -> None:
    rollouts = corpora.named("gsm8k-solutions", shared).rollouts
    assert len(rollouts) == 5276
    assert [sum(one.label is label for one in rollouts) for label in (True, False)] == [2001, 3275]
    assert len({one.cluster for one in rollouts}) == 1319
    right = [one for one in rollouts if one.label]
    assert all(one.answer is not None and one.answer.replace(",", "") == one.gold for one in right)


def test_an_unknown_corpus_and_a_missing_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no corpus is called 'gsm9k'") as error:
        corpora.named("gsm9k", tmp_path)
    assert all(name in error.value.remedy for name in sources())
    with pytest.raises(UsageError, match="isn't there"):
        corpora.named("gsm8k", tmp_path)


ROWS = [
    {"question": "Two and two?", "answer": "4", "completion": "It is\n#### 4", "is_correct": True, "level": 3},
    {"question": "Two and five?", "answer": "7", "completion": "It is\n#### 8", "is_correct": False, "level": 1},
]


def _written(folder: Path, kind: str) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in ROWS)
    path = folder / f"mine.{kind}"
    if kind == "jsonl":
        path.write_text(text)
    elif kind == "jsonl.gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif kind == "json":
        path.write_text(json.dumps({"rows": ROWS}))
    elif kind == "csv":
        names = list(ROWS[0])
        lines = [",".join('"' + str(row[name]) + '"' for name in names) for row in ROWS]
        path.write_text("\n".join([",".join(names), *lines]))
    else:
        import pyarrow
        import pyarrow.parquet

        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), path)
    return path


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "json", "csv", "parquet"])
def test_a_file_of_ones_own_is_fitted_by_its_column_names(tmp_path: Path, kind: str) -> None:
    source = load(_written(tmp_path, kind), None)
    assert [(item.gold, item.question) for item in source.items] == [("4", "Two and two?"), ("7", "Two and five?")]
    assert [(one.body, one.label) for one in source.rollouts] == [("It is\n#### 4", True), ("It is\n#### 8", False)]
    assert [str(one.columns["level"]) for one in source.rollouts] == ["3", "1"]
    assert len({one.cluster for one in source.rollouts}) == 2


def test_golds_alone_make_no_rollouts(tmp_path: Path) -> None:
    path = tmp_path / "golds.jsonl"
    path.write_text('{"ground_truth": "so\\n#### 1,200"}\n\n{"ground_truth": "#### 5"}\n')
    source = load(path, INTEGER)
    assert [item.gold for item in source.items] == ["1200", "5"]
    assert source.rollouts == ()


def test_chat_completions_give_their_last_message(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps({"completions": [{"role": "assistant", "content": "#### 5"}], "solution": "5"}))
    assert load(path, INTEGER).rollouts[0].body == "#### 5"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"gold": "1"}\n{"gold": \n', "a.jsonl, line 2: not JSON"),
        ("a.jsonl", '{"gold": "1"}\n\n{"gold": ""}\n', "a.jsonl, line 3: gold is empty"),
        ("a.jsonl", '{"gold": "1"}\n[1, 2]\n', "a.jsonl, row 2: a list, not an object"),
        ("a.jsonl", '{"gold": "one"}\n', "a.jsonl, line 1: gold doesn't fit a whole number"),
        ("a.jsonl", '{"gold": "1", "response": null}\n', "a.jsonl, line 1: response is empty"),
        ("a.jsonl", '{"gold": "1", "response": "1", "label": "perhaps"}\n', "neither right nor wrong"),
        ("a.jsonl", '{"wanted": "1", "said": "1"}\n', "has the columns wanted, said: none of them is a gold"),
        ("a.jsonl", "", "a.jsonl has no rows"),
        ("a.json", '{"rows": [', "a.json, line 1: not JSON"),
        ("a.csv", "gold\n", "a.csv has no rows"),
        ("a.tsv", "gold\n1\n", "can't tell what kind of file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        load(path, INTEGER)
    assert message in error.value.message
    assert error.value.remedy


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cut.jsonl.gz", gzip.compress(b'{"gold": "1"}\n' * 99, mtime=0)[:-9]),
        ("cut.parquet", b"PAR1 half"),
        ("odd.jsonl", b'{"gold": "\xff"}'),
    ],
)
def test_files_cut_short_or_of_another_encoding_are_usage_errors(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UsageError, match=name):
        load(path, INTEGER)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no corpus file"):
        load(tmp_path / "nowhere.jsonl", INTEGER)


def test_real_golds_get_the_same_derived_rows(shared: Path) -> None:
    made: dict[str, Any] = corpora.default(formats()["latex-bare"], BARE, corpora.named("math500", shared))
    assert len(made["gold"].rows) == 500
    assert len(made["labelled"].rows) > 4000
    assert {row.relation for row in made["variants"].rows} >= {"fraction-size", "line-form", "trailing-zeros"}
