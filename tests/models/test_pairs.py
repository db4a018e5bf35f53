"""Preference pairs, read from whatever people keep them in."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens.errors import UsageError
from lens.models.layouts import columns_of, read_row
from lens.models.pairs import Pairs
from lens.models.read_pairs import read_pairs

ASK = {"role": "user", "content": "2+2?"}
SYSTEM = {"role": "system", "content": "Be brief."}
FOUR, FIVE = {"role": "assistant", "content": "4"}, {"role": "assistant", "content": "5"}


def _write(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", "utf-8")
    return str(path)


def _read(tmp_path: Path, *rows: dict[str, Any]) -> Pairs:
    return read_pairs(_write(tmp_path / "some_pairs.jsonl", *rows))


@pytest.mark.parametrize(
    ("row", "prompt"),
    [
        ({"prompt": "2+2?", "chosen": "4", "rejected": "5"}, "2+2?"),
        ({"prompt": [ASK], "chosen": [FOUR], "rejected": [FIVE]}, (ASK,)),
        ({"prompt": [ASK], "chosen": "4", "rejected": "5"}, (ASK,)),
        ({"chosen": [SYSTEM, ASK, FOUR], "rejected": [SYSTEM, ASK, FIVE]}, (SYSTEM, ASK)),
        ({"prompt": "2+2?", "chosen": [ASK, FOUR], "rejected": [ASK, FIVE]}, (ASK,)),
        ({"prompt": [SYSTEM], "chosen": [ASK, FOUR], "rejected": [ASK, FIVE]}, (SYSTEM, ASK)),
        ({"prompt": [ASK], "chosen": [ASK, FOUR], "rejected": [ASK, FIVE]}, (ASK,)),
        ({"prompt": "2+2?", "chosen": FOUR, "rejected": FIVE}, "2+2?"),
        ({"question": "2+2?", "response_A": "4", "response_B": "5", "label": "A>B"}, "2+2?"),
        ({"question": "2+2?", "response_A": "5", "response_B": "4", "label": "B>A"}, "2+2?"),
        ({"input": "2+2?", "output_1": "5", "output_2": "4", "label": 2}, "2+2?"),
        ({"instruction": "2+2?", "response1": "4", "response2": "5", "label": 1.0}, "2+2?"),
    ],
)
def test_layouts(tmp_path: Path, row: dict[str, Any], prompt: Any) -> None:
    (pair,) = _read(tmp_path, row)
    assert (pair.prompt, pair.chosen, pair.rejected, pair.number) == (prompt, "4", "5", 1)


def test_axis_lineage_and_key(tmp_path: Path) -> None:
    row = {"prompt": "a", "chosen": "b", "rejected": "c"}
    first, second, third = _read(
        tmp_path,
        {**row, "axis": "length", "lineage": "item 1", "pair_id": 7, "source": "made"},
        {**row, "prompt": "d", "axis": "length", "lineage": "item 1", "subset": "x"},
        {**row, "prompt": "d", "axis": None, "lineage": None},
    )
    assert (first.axis, first.lineage, first.key, first.part) == ("length", "item 1", "7", "made")
    assert first.cluster == second.cluster != third.cluster
    assert third.axis == ""
    (bench,) = _read(tmp_path, {**row, "subset": "alpacaeval-easy", "id": 3})
    assert (bench.axis, bench.part, bench.key) == ("", "alpacaeval-easy", "3")


def test_parquet_reads_as_jsonl(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"chosen": [ASK, FOUR], "rejected": [ASK, FIVE], "axis": "sum"},
        {"chosen": [SYSTEM, FOUR], "rejected": [SYSTEM, FIVE], "axis": "system"},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "pairs.parquet")
    read, text = read_pairs(str(tmp_path / "pairs.parquet")), _read(tmp_path, *rows)
    assert read.pairs == text.pairs
    assert read.digest != text.digest
    assert (read.name, text.name) == ("pairs", "some-pairs")


def test_clones_count_once_and_order_stays(tmp_path: Path) -> None:
    row = {"prompt": "a", "chosen": "b", "rejected": "c"}
    pairs = _read(tmp_path, row, {**row, "chosen": "d"}, row, {**row, "axis": "else"})
    assert [pair.number for pair in pairs.unique] == [1, 2]
    assert pairs.as_input().rows == 4


def test_rows_that_are_no_pairs_are_named_and_kept_out(tmp_path: Path) -> None:
    row = {"question": "q", "response_A": "x", "response_B": "y", "label": "A>B"}
    alike = {**row, "response_B": "x"}
    pairs = _read(tmp_path, alike, row, {**row, "label": "A=B"}, alike, {**row, "label": "tie"})
    assert len(pairs) == 1
    assert pairs.left_out == ("2 with both replies alike (lines 1, 4)", "2 labelled a tie (lines 3, 5)")
    many = _read(tmp_path, row, *[alike] * 9)
    assert many.left_out == ("9 with both replies alike (lines 2, 3, 4, 5, 6 and 4 more)",)


GOOD = {"prompt": "a", "chosen": "b", "rejected": "c"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no pairs: it has no rows"),
        ("\n \n", "has no pairs: it has no rows"),
        (json.dumps(GOOD) + '\n{"prompt": "a", "cho', "line 2: not JSON"),
        (json.dumps({"text": "a", "score": 1}), "has the columns text, score: no layout of pairs fits"),
        ("[1, 2]", "row 1: a list, not an object"),
        (json.dumps({**GOOD, "rejected": "b"}), "no pairs: 1 with both replies alike (line 1)"),
        (json.dumps({**GOOD, "chosen": None}), "line 1: chosen is empty"),
        (json.dumps({**GOOD, "chosen": 3}), "line 1: chosen is a int, neither a text nor messages"),
        (json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "prompt": None}), "line 2: no prompt"),
        (json.dumps({"chosen": "b", "rejected": "c"}), "line 1: no prompt: a column prompt is missing"),
        (json.dumps({"chosen": [ASK], "rejected": [ASK, FOUR]}), "chosen ends with a message of the user"),
        (json.dumps({"chosen": [ASK, FOUR], "rejected": [SYSTEM, FIVE]}), "a pair shares its prompt"),
        (json.dumps({"chosen": [{"role": "user"}], "rejected": [ASK]}), "no chat message"),
        (json.dumps({"prompt": "q", "response_a": "x", "response_b": "y", "label": 0}), "label is 0, none of A>B"),
    ],
)
def test_files_that_are_no_pairs_say_why(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        read_pairs(str(path))
    assert message in caught.value.message
    assert caught.value.remedy


def test_a_parquet_file_of_no_bytes(tmp_path: Path) -> None:
    (tmp_path / "pairs.parquet").write_bytes(b"")
    with pytest.raises(UsageError, match="no whole Parquet file"):
        read_pairs(str(tmp_path / "pairs.parquet"))


def test_names_that_are_nothing() -> None:
    with pytest.raises(UsageError, match="no file of pairs at nowhere"):
        read_pairs("nowhere/pairs.jsonl")
    with pytest.raises(UsageError, match="did you mean judgebench"):
        read_pairs("judgebnch")
    with pytest.raises(UsageError, match="set EVIDENCE_LENS_SHARED"):
        read_pairs("judgebench", Path("/nowhere"))


def test_a_hub_name_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(UsageError, match="pip install datasets"):
        read_pairs("someone/preferences")


class _Split(list[dict[str, Any]]):
    info = types.SimpleNamespace(license="mit")


def _library(monkeypatch: pytest.MonkeyPatch, answer: Any) -> list[tuple[Any, ...]]:
    """A stand-in for `datasets`, whose `load_dataset` notes what it is asked and gives or raises `answer`."""
    asked: list[tuple[Any, ...]] = []

    def load_dataset(name: str, revision: str | None = None, split: str | None = None) -> Any:
        asked.append((name, revision, split))
        if isinstance(answer, Exception):
            raise answer
        return answer[split] if split else answer

    module = types.ModuleType("datasets")
    module.load_dataset = load_dataset  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "datasets", module)
    return asked


def test_a_hub_set(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = _library(monkeypatch, {"train": _Split([GOOD]), "test": _Split([GOOD, {**GOOD, "prompt": "z"}])})
    pairs = read_pairs("someone/Ultra_Pairs@abc123:test")
    assert asked == [("someone/Ultra_Pairs", "abc123", "test")]
    assert (pairs.name, len(pairs), pairs.licence) == ("ultra-pairs", 2, "mit")
    assert pairs.locator == "hf:someone/Ultra_Pairs@abc123:test"
    assert len(read_pairs("hf:someone/Ultra_Pairs")) == 1  # "train", where no split is named
    assert read_pairs("someone/Ultra_Pairs:test").digest == pairs.digest


def test_a_hub_set_that_can_not_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    _library(monkeypatch, ConnectionError("Couldn't reach the Hub\nmore"))
    with pytest.raises(
        UsageError, match="someone/pairs can't be loaded: ConnectionError: Couldn't reach the Hub"
    ) as error:
        read_pairs("someone/pairs")
    assert "network" in error.value.remedy
    _library(monkeypatch, {"filtered": _Split([GOOD]), "raw": _Split([GOOD])})
    with pytest.raises(UsageError, match="has the splits filtered, raw"):
        read_pairs("someone/pairs")


_TEXT = st.text(max_size=12)


@given(_TEXT, st.lists(_TEXT, min_size=2, max_size=2, unique=True), st.booleans())
def test_swapping_replies_and_label_is_the_same_pair(prompt: str, replies: list[str], first: bool) -> None:
    names = {"question": prompt, "response_A": replies[0], "response_B": replies[1], "label": "A>B" if first else "B>A"}
    turned = {
        "question": prompt, "response_A": replies[1], "response_B": replies[0], "label": "B>A" if first else "A>B",
    }  # fmt: skip
    columns = columns_of(names)
    assert columns is not None
    one, other = read_row(names, columns), read_row(turned, columns)
    assert one[:-1] == other[:-1]
    assert one.swapped is not other.swapped
    direct = {"prompt": prompt, "chosen": one.chosen, "rejected": one.rejected}
    again = columns_of(direct)
    assert again is not None
    assert read_row(direct, again)[:3] == one[:3]


@pytest.mark.parametrize(
    ("name", "pairs", "prompts", "parts"),
    [
        ("judgebench", 350, 350, {"knowledge": 154, "reasoning": 98, "math": 56, "coding": 42}),
        ("judgebench-claude", 269, 268, {"knowledge": 154, "reasoning": 51, "math": 34, "coding": 30}),
        ("evalbiasbench", 80, 79, {"length-bias": 17, "concreteness": 14, "empty-reference": 13}),
        ("llmbar", 419, 418, {"natural": 100, "adversarial-neighbor": 134, "adversarial-gptout": 47}),
    ],
)
def test_published_sets(shared: Path, name: str, pairs: int, prompts: int, parts: dict[str, int]) -> None:
    read = read_pairs(name, shared)
    assert (len(read.unique), len({pair.cluster for pair in read})) == (pairs, prompts)
    assert {part: sum(pair.part == part for pair in read.unique) for part in parts} == parts
    assert read.axes == ()  # their replies weren't matched: no axis of a bias battery
    assert read.locator.startswith("shared:corpora/")
    assert read.licence in ("MIT", "BSD-3-Clause")


def test_the_copied_reply_of_judgebench_is_named(shared: Path) -> None:
    assert read_pairs("judgebench-claude", shared).left_out == ("1 with both replies alike (line 265)",)


def test_rm_bench_is_three_styles_by_three(shared: Path) -> None:
    pairs = read_pairs("rm-bench", shared)
    assert len(pairs) == 9 * (129 + 228 + 284 + 157)
    assert len({pair.lineage for pair in pairs}) == 129 + 228 + 284 + 157
    levels = [pair.part.split(".")[1] for pair in pairs]
    assert {level: levels.count(level) for level in set(levels)} == {"easy": 2394, "normal": 2394, "hard": 2394}
    hard = [pair for pair in pairs if pair.part == "chat.hard"]
    assert sum(len(pair.chosen) < len(pair.rejected) for pair in hard) > 0.9 * len(hard)


def test_rm_bench_in_markdown_and_plain_is_matched(shared: Path) -> None:
    from lens.models.matched import counterfactual

    pairs = read_pairs("rm-bench-markdown", shared)
    assert pairs.axes == ("markdown",)
    assert counterfactual(pairs.unique)
    assert len(pairs) == 2 * (129 + 228) - int(pairs.left_out[0].split()[0])
    marked = [
        sum("**" in reply or "```" in reply for reply in side)
        for side in zip(*((p.chosen, p.rejected) for p in pairs), strict=True)
    ]
    assert marked[0] > 2 * marked[1]


def test_a_folders_digest_is_the_stores(shared: Path) -> None:
    from measure.store.locate import Locator

    pairs = read_pairs("llmbar", shared)
    locator = Locator(shared.parent / "site" / "data", lambda _: None)
    assert locator.changed(pairs.locator, pairs.digest)[0] is False
