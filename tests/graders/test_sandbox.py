"""The box itself: what goes in and comes out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from lens.errors import LensError
from lens.graders import subject as subjects
from lens.graders.corpus import Row
from lens.graders.outcome import Outcome
from lens.graders.sandbox import procfs
from lens.graders.sandbox.limits import Limits
from lens.graders.sandbox.session import Session


@pytest.fixture
def grader(tmp_path: Path):
    """A subject from source text; its entry is `reward`."""

    def make(text: str) -> subjects.GraderSubject:
        path = tmp_path / "written.py"
        path.write_text(textwrap.dedent(text))
        return subjects.resolve(f"{path}:reward")

    return make


def rows(*pairs: tuple[object, object]) -> list[Row]:
    return [Row(number, response, gold) for number, (response, gold) in enumerate(pairs)]  # type: ignore[arg-type]


# --- rows, values, output -----------------------------------------------------------------------------------------


def test_rows_and_values_arrive_as_they_were_sent(grader) -> None:
    subject = grader("def reward(response, gold, **columns):\n    return [response, gold, columns]")
    texts = ["", "\x00", "\ud800", "日本語 \u2028", "a\nb", "x" * 50_000]
    golds = [None, True, 0, -1.5, 1e300, ["a", [1]], {"k": {"n": None}}, "text"]
    asked = [Row(n, text, gold, columns={"n": n}) for n, (text, gold) in enumerate(product(texts, golds))]
    with Session(subject) as session:
        outcomes = session.evaluate(asked)
    assert [outcome.value for outcome in outcomes] == [[row.response, row.gold, row.columns] for row in asked]


def test_many_rows_go_in_chunks_and_come_out_in_order(grader) -> None:
    subject = grader("def reward(response, gold):\n    return int(response)")
    with Session(subject) as session:
        outcomes = session.evaluate(rows(*((str(number) + " " * 5000, "") for number in range(2000))))
        assert session.evaluate([]) == []
    assert [outcome.value for outcome in outcomes] == list(range(2000))


def test_printed_characters_are_counted_whoever_prints(grader) -> None:
    subject = grader(
        """
        import os, subprocess, sys
        print("while loading")
        def reward(response, gold):
            if response == "python":
                print("four"); print("é", file=sys.stderr)
            if response == "descriptor":
                os.write(1, b"12345")
            if response == "child":
                subprocess.run(["/bin/echo", "hello"])
            return 1.0
        """
    )
    with Session(subject) as session:
        outcomes = session.evaluate(rows(*((kind, "") for kind in ("none", "python", "none", "descriptor", "child"))))
    assert [outcome.printed for outcome in outcomes] == [0, 7, 0, 5, 6]


def test_cpu_seconds_are_those_of_the_call(grader) -> None:
    subject = grader(
        """
        import time
        def reward(response, gold):
            end = time.process_time() + float(response)
            while time.process_time() < end: pass
        """
    )
    with Session(subject) as session:
        idle, busy = session.evaluate(rows(("0", ""), ("0.05", "")))
    assert 0 < idle.cpu < 0.01
    assert 0.05 <= busy.cpu < 0.06


# --- how it is asked ----------------------------------------------------------------------------------------------


def test_a_worker_thread_is_not_the_main_thread(grader) -> None:
    subject = grader(
        """
        import signal
        def reward(response, gold):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            return 1.0
        """
    )
    with Session(subject) as session:
        main, thread = session.evaluate(rows(("", "")))[0], session.evaluate(rows(("", "")), thread=True)[0]
    assert (main.status, thread.status, thread.type) == ("value", "exception", "ValueError")


COUNTS = """
    calls = 0
    def reward(response, gold):
        global calls
        calls += 1
        return calls
"""


def test_fresh_workers_remember_nothing(grader) -> None:
    with Session(grader(COUNTS)) as session:
        kept = session.evaluate(rows(*[("", "")] * 4))
        pairs = session.evaluate(rows(*[("", "")] * 4), fresh=2)
        session.restart()
        after = session.evaluate(rows(("", "")))
    assert [outcome.value for outcome in kept] == [1, 2, 3, 4]
    assert [outcome.value for outcome in pairs] == [5, 6, 1, 2]
    assert after[0].value == 1


def test_watching_names_the_state_a_call_changed(grader) -> None:
    with Session(grader(COUNTS)) as session:
        outcomes, effects = session.evaluate(rows(("", ""), ("", "")), watch=True)
    assert [outcome.value for outcome in outcomes] == [1, 2]
    assert [each.changed for each in effects] == [("module",), ("module",)]
    assert effects[0].detail == {"module": "calls"}


def test_a_placeholder_for_numpy_has_no_state_to_watch(grader) -> None:
    subject = grader(
        """
        import numpy
        def reward(response, gold):
            return 1.0
        """
    )
    with Session(subject) as session:
        outcomes, effects = session.evaluate(rows(("", "")), watch=True)
    assert outcomes[0].value == 1.0
    assert effects[0].changed == ()


def test_a_session_is_repeatable_and_another_seed_is_another_replay(grader) -> None:
    subject = grader(
        """
        import random
        def reward(response, gold):
            return [random.random(), list({"one", "two", "three", "four", "five"})]
        """
    )
    found = []
    for seed in (0, 0, 1):
        with Session(subject, seed=seed) as session:
            found.append([outcome.value for outcome in session.evaluate(rows(("", ""), ("", "")))])
    assert found[0] == found[1]
    assert found[0] != found[2]


def test_the_session_says_what_was_in_force(grader) -> None:
    with Session(grader("def reward(response, gold):\n    return 1.0")) as session:
        assert set(session.isolation) == {"network", "files", "limits", "user", "writes", "tcp", "signals"}
        assert all(session.isolation.values())


# --- jobs ---------------------------------------------------------------------------------------------------------


def test_a_job_goes_on_behind_an_item_that_ended_it(grader) -> None:
    subject = grader(
        """
        import os
        def reward(response, gold):
            if response == "loop":
                while True: pass
            if response == "exit":
                os._exit(4)
            return response
        """
    )
    payload = {"rows": [[text, "", {}] for text in ("a", "loop", "b", "exit", "exit", "c")]}
    with Session(subject) as session:
        results = dict(session.run("rows", payload, 6, cpu=0.2))
        assert session.restarts == 3
    assert list(results) == list(range(6))
    assert [results[at][2] for at in (0, 2, 5)] == ["a", "b", "c"]
    assert [results[at].type for at in (1, 3, 4)] == ["cpu", "code 4", "code 4"]


def test_a_job_may_be_left_half_done(grader) -> None:
    with Session(grader(COUNTS)) as session:
        for index, _ in session.run("rows", {"rows": [["", "", {}]] * 100}, 100):
            if index == 3:
                break
        assert session.evaluate(rows(("", "")))[0].value == 1


def test_a_fault_of_the_job_itself_is_no_outcome(grader) -> None:
    with Session(grader(COUNTS)) as session, pytest.raises(LensError, match="sandbox job 'rows' failed: KeyError"):
        list(session.run("rows", {}, 1))


# --- placeholders -------------------------------------------------------------------------------------------------


def test_a_missing_module_may_be_named_but_not_used(grader) -> None:
    subject = grader(
        """
        from __future__ import annotations
        from typing import Optional
        import nowhere, absent.deeply.nested as nested
        from nowhere.utils.data import Dataset
        from absent import Model, AbsentError, register
        from dataclasses import dataclass

        Alias = Optional[nowhere.Tensor] | None

        @register("name")
        @dataclass
        class Config(Model):
            value: int = 1

        class Rows(Dataset, dict):
            def size(self): return 3

        @nowhere.no_grad()
        def decorated(x: nowhere.Tensor): return x + 1

        def reward(response, gold):
            try:
                if response == "call": return nowhere.tensor([1.0])
                if response == "truth": return 1.0 if nested.flag else 0.0
                if response == "iterate": return [x for x in nested.rows]
                if response == "base": return Rows()
                if response == "isinstance": return isinstance(response, (nowhere.Tensor, str))
                if response == "except":
                    try: raise KeyError
                    except (AbsentError, KeyError): return "caught"
                return decorated(41)
            except Exception:
                return 0.0
        """
    )
    asked = ("call", "truth", "iterate", "base", "isinstance", "except", "plain")
    with Session(subject) as session:
        outcomes = session.evaluate(rows(*((kind, "") for kind in asked)))
    found = [outcome.type if outcome.status == "placeholder" else outcome.value for outcome in outcomes]
    expected = [
        "nowhere.tensor",
        "absent.deeply.nested.flag",
        "absent.deeply.nested.rows",
        "nowhere.utils.data.Dataset",
    ]
    assert found == [*expected, True, "caught", 42]


def test_code_that_provides_for_a_missing_module_is_told_the_truth(grader) -> None:
    subject = grader(
        """
        import contextlib, importlib.util
        found = []
        try:
            import absent_one
        except ImportError:
            found.append("try")
        with contextlib.suppress(ImportError):
            import absent_two
            found.append("wrong")
        if importlib.util.find_spec("absent_three") is None:
            found.append("find_spec")
        try:
            __import__("absent_four")
        except ModuleNotFoundError:
            found.append("__import__")
        def reward(response, gold):
            try:
                import absent_five
            except (ImportError, AttributeError):
                return found
        """
    )
    with Session(subject) as session:
        assert session.evaluate(rows(("", "")))[0].value == ["try", "find_spec", "__import__"]


def test_a_package_above_runs_only_when_a_name_in_it_is_needed(tmp_path: Path) -> None:
    for name, text in {
        "stack/__init__.py": "import heavy\nheavy.start\nVERSION = '1'\nlog = open('/dev/null')\n",
        "stack/tools.py": "LIMIT = 3\n",
        "stack/graders/__init__.py": "raise RuntimeError('never needed')\n",
        "stack/graders/exact.py": "from stack import tools\nfrom .. import VERSION\n"
        "def reward(response, gold):\n    return [tools.LIMIT, VERSION]\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with Session(subjects.resolve(f"{tmp_path / 'stack/graders/exact.py'}:reward")) as session:
        assert session.evaluate(rows(("", "")))[0].value == [3, "1"]


# --- processes ----------------------------------------------------------------------------------------------------


def test_a_grader_may_use_processes_semaphores_and_alarms(grader) -> None:
    subject = grader(
        """
        import multiprocessing, signal
        from concurrent.futures import ProcessPoolExecutor

        def double(x): return 2 * x

        def alarmed():
            def late(*_): raise TimeoutError
            signal.signal(signal.SIGALRM, late)
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                while True: pass
            except TimeoutError:
                return "alarm"

        def reward(response, gold):
            found = [alarmed()]
            for method in ("fork", "spawn"):
                with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as pool:
                    found.append(pool.submit(double, 21).result())
            with multiprocessing.Manager() as manager:
                shared = manager.list([1])
                process = multiprocessing.Process(target=shared.append, args=(2,))
                process.start(); process.join()
                found.append(list(shared))
            return found
        """
    )
    with Session(subject) as session:
        outcome = session.evaluate(rows(("", "")))[0]
    assert outcome.value == ["alarm", 42, 42, [1, 2]], outcome


def test_nothing_outlives_a_killed_command(grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = grader("def reward(response, gold):\n    while True: pass")
    script = textwrap.dedent(
        f"""
        from lens.graders.corpus import Row
        from lens.graders.sandbox.session import Session
        from lens.graders.subject import resolve
        with Session(resolve({subject.spec!r})) as session:
            print(session._worker.process.pid, flush=True)
            session.evaluate([Row(0, "", "")])
        """
    )
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment)
    assert command.stdout is not None
    with command.stdout:
        worker = int(command.stdout.readline())
    time.sleep(0.1)
    running = procfs.process(worker)
    assert running is not None
    command.send_signal(signal.SIGKILL)
    command.wait()
    deadline = time.monotonic() + 5
    while (left := procfs.process(worker)) and left.started == running.started and left.state != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.01)
    with suppress(ChildProcessError):
        os.waitpid(worker, os.WNOHANG)  # it was inherited by whoever is a subreaper: this process, by now
    assert len(list(tmp_path.glob("lens-*"))) == 1
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Session(subject):
        assert len(list(tmp_path.glob("lens-*"))) == 1
    assert list(tmp_path.glob("lens-*")) == []


def test_an_interrupt_leaves_nothing(grader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "folders").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "folders"))
    subject = grader("def reward(response, gold):\n    while True: pass")
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), Session(subject, Limits(cpu=10)) as session:
            session.evaluate(rows(("", "")))
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert list((tmp_path / "folders").iterdir()) == []


def test_outcomes_say_what_counts_as_the_same() -> None:
    assert Outcome("value", "int", 1, cpu=1.0).verdict == Outcome("value", "int", 1, printed=5).verdict
    assert Outcome("exception", "KeyError", detail="a").verdict == Outcome("exception", "KeyError", detail="b").verdict
    assert Outcome("value", "float:nan").verdict != Outcome("value", "float:inf").verdict
