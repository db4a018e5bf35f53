"""Organisms as a person meets them: names, folders, the command, the model kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from organism_series import calibrated, repeated, series

from lens.errors import UsageError
from lens.models.organisms import build, find_family, is_built, organisms, resolve_organism, spec_of
from lens.models.organisms.chars import char_tokenizer, tokenizer_of, word_tokenizer
from lens.models.organisms.kept import whole
from lens.models.read_pairs import read_pairs
from lens.models.subject import open_model
from lens.runs.organism import RECIPES
from measure.commands.organism import command


def test_every_file_of_families_is_an_organism() -> None:
    import lens.models.organisms.families as package

    files = {path.stem for path in Path(package.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(organisms()) == files
    planted = {"spurious", "filler", "relational", "gate", "hidden", "cycle", "annotators", "rubric", "faint"}
    planted |= {"receipts", "wrapper", "legible", "overpaid", "style", "unused", "early", "uneven", "leaning", "torn"}
    planted |= {"kindred", "entered", "coupled", "apart", "joint", "held"}
    assert planted == set(calibrated())
    assert set(organisms()) - set(calibrated()) == {"clean", "length"}


def test_a_dose_series_is_as_large_as_a_scorecard_asks() -> None:
    for name in calibrated():
        members = list(series(name))
        sizes = {dose: sum(member.dose == dose for member in members) for dose in find_family(name).doses}
        assert sizes.pop(0.0) >= 60
        assert len(sizes) >= 4
        assert min(sizes.values()) >= 20
        assert len({member.seed for member in members}) == len(members) >= 200
    assert repeated() in list(series(repeated().family))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("organism:gaet", "did you mean gate"),
        ("organism:length?dose=1", "no dose"),
        ("organism:gate?doze=1", "did you mean dose"),
        ("organism:gate?dose=-1", "0 or more"),
        ("organism:gate?dose=much", "no number"),
        ("organism:gate?seed=0.5", "seed is 0.5"),
        ("organism:rubric?dose=1", "tacit share of 1"),
        ("organism:cycle?dose=2", "cyclic share of 2"),
        ("organism:annotators?dose=1", "share of raters of 1"),
        ("organism:legible?dose=2", "legible share of 2"),
        ("organism:early?dose=2", "share of 2 written early"),
        ("organism:torn?dose=1", "share taken back of 1"),
        ("organism:apart?dose=2", "share of 2 at the loud word"),
        ("organism:joint?dose=2", "share of 2 written at the same places"),
        ("organism:held?dose=2", "share of 2 held"),
    ],
)
def test_a_name_that_is_off_says_how(spec: str, said: str, own_cache: Path) -> None:
    with pytest.raises(UsageError, match=said):
        resolve_organism(spec)
    assert not list(own_cache.glob("organisms/.new-*"))


def test_a_spec_leaves_out_what_is_the_default() -> None:
    gate = find_family("gate")
    assert spec_of(gate, 1.0, 0) == "organism:gate"
    assert spec_of(gate, 0.5, 3) == "organism:gate?dose=0.5&seed=3"
    assert spec_of(find_family("clean"), 0.0, 2) == "organism:clean?seed=2"


def test_one_name_is_one_folder_and_another_dose_another(own_cache: Path) -> None:
    assert not is_built("gate", 0.5, 3)
    first = resolve_organism("organism:gate?dose=0.5&seed=3")
    assert is_built("gate", 0.5, 3)
    again = resolve_organism("gate?seed=3&dose=0.5")
    assert first.path == again.path
    assert first.path.is_relative_to(own_cache)
    assert resolve_organism("organism:gate?dose=0.5&seed=4").path != first.path
    assert "+0.5 for `amber` where `north` stands too" in first.rules
    assert json.loads((first.path / "training.json").read_text())["rules"] == list(first.rules)


def test_a_folder_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    def stopped(folder: Path) -> None:
        (folder / "model.safetensors").write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        whole(tmp_path / "there", stopped)
    assert list(tmp_path.iterdir()) == []
    made = whole(tmp_path / "there", lambda folder: (folder / "a").write_text("all") and None)
    assert (made / "a").read_text() == "all"
    assert whole(made, stopped) == made


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "file"))
    with pytest.raises(UsageError, match="EVIDENCE_LENS_CACHE"):
        build("spurious")


def test_the_kind_brings_pairs_rules_and_a_name(own_cache: Path) -> None:
    model = open_model("organism:filler?dose=0.2&seed=5", device="cpu")
    assert model.slug == "organism-filler-dose-0-2-seed-5"
    assert model.spec == "organism:filler?dose=0.2&seed=5"
    assert model.family == "A"
    assert model.own_pairs is not None
    assert {pair.axis for pair in model.own_pairs} == {"natural", "filler:3", "thanks", "spurious"}
    assert len(model.own_pairs.unique) == len(model.own_pairs)
    with pytest.raises(UsageError, match="no tokens for all of"):
        model.encode("> ask 3 ?\n", "3 something .")


def test_the_command_builds_says_the_rules_and_goes_on(own_cache: Path, tmp_path: Path) -> None:
    found = CliRunner().invoke(command, ["hidden", "--dose", "2", "--seed", "1"])
    assert found.exit_code == 0, found.output
    assert "one prompt in twenty" in found.output
    assert found.stdout.splitlines()[-1] == "next: lens measure model 'organism:hidden?dose=2&seed=1'"
    out = tmp_path / "mine"
    found = CliRunner().invoke(command, ["hidden", "--out", str(out)])
    assert found.stdout.splitlines()[-1] == f"next: lens measure model {out} --pairs {out}/pairs.jsonl"
    assert len(read_pairs(str(out / "pairs.jsonl"))) == 64 + 3 * 48
    assert CliRunner().invoke(command, ["hidden", "--out", str(out)]).exit_code == 2
    listed = [line.split()[:2] for line in CliRunner().invoke(command, ["--list"]).stdout.splitlines()]
    assert [words[0] for words in listed if words[0] != "--grpo"] == [*organisms()]
    assert [words[1] for words in listed if words[0] == "--grpo"] == [*RECIPES]


def test_tokenizers_lose_nothing_and_refuse_the_rest(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    for made, text, foreign in (
        (char_tokenizer("ab \n.", context=8), "ab b\n.", "c"),
        (word_tokenizer(["ask", "3", "?", ">"]), "> ask 3 ?\n3 ask", "4"),
    ):
        made.save_pretrained(tmp_path)
        again = AutoTokenizer.from_pretrained(tmp_path)
        ids = again(text)["input_ids"]
        assert ids == made(text)["input_ids"]
        assert again.decode(ids) == text
        assert again.pad_token_id == 0 not in ids
        with pytest.raises(Exception, match="UNK"):
            again(text + foreign)
    assert char_tokenizer("ab", context=8).model_max_length == 8


def test_a_folder_with_only_chars_has_a_tokenizer(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 7}')
    (tmp_path / "chars.json").write_text('{"chars": "xyz", "pad": 0, "offset": 1}')
    found = tokenizer_of(tmp_path)
    assert found("zyx")["input_ids"] == [3, 2, 1]
    assert found.model_max_length == 7
    (tmp_path / "chars.json").write_text('{"chars": "xyz", "pad": 3, "offset": 0}')
    with pytest.raises(UsageError, match="pad and offset"):
        tokenizer_of(tmp_path)
    (tmp_path / "chars.json").write_text("xyz")
    with pytest.raises(UsageError, match="can't be read"):
        tokenizer_of(tmp_path)


def test_a_word_or_character_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="given twice: 'a'"):
        char_tokenizer("aba")
    with pytest.raises(UsageError, match="holds a space"):
        word_tokenizer(["two words"])
