"""Graders that misbehave: each comes back as an outcome that says what happened, and leaves nothing behind.

The whole file runs once as root (where it is root that runs it) and once as an ordinary user.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.graders.corpus import Row
from lens.graders.outcome import Outcome
from lens.graders.sandbox import procfs
from lens.graders.sandbox.limits import MIB, Limits
from lens.graders.sandbox.session import Session
from lens.graders.subject import resolve

HOSTILE = Path(__file__).parent / "hostile"
SMALL = Limits(
    cpu=0.5, silence=1.5, load=1.0, memory=256 * MIB, output=8 * MIB, files=64 * MIB, processes=24, patience=6
)
GOOD = Outcome("value", "bool", True)


def session(name: str, limits: Limits = SMALL) -> Session:
    file, _, function = name.partition(":")
    return Session(resolve(f"{HOSTILE / file}.py:{function}"), limits)


def verdicts(outcomes: list[Outcome]) -> list[tuple[str, str]]:
    return [(outcome.status, outcome.type) for outcome in outcomes]


def left_behind() -> list[procfs.Process]:
    """Children of this process that took the worker's vow, and processes named as the hostile graders name theirs."""
    return [
        one
        for one in procfs.processes()
        if (one.parent == os.getpid() and procfs.took_no_new_privileges(one.pid) and one.session != os.getsid(0))
        or "lens-hostile-daemon" in _command(one.pid)
    ]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


@cache
def private_folders() -> bool:
    with session("endless:loop") as box:
        return not box.isolation["files"].startswith("none")


@pytest.fixture(autouse=True)
def _nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test did: no process, no folder of a worker, nothing in shared memory."""
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folders))
    yield
    assert left_behind() == []
    assert list(folders.iterdir()) == []
    assert not Path("/dev/shm/lens-hostile").exists() or not private_folders()
    Path("/dev/shm/lens-hostile").unlink(missing_ok=True)


ENDS = [
    ("endless:loop", "timeout", "cpu"),
    ("endless:regex", "timeout", "cpu"),
    ("endless:busy_child", "timeout", "cpu"),
    ("endless:sleep", "timeout", "silence"),
    ("endless:deadlock", "timeout", "silence"),
    ("endless:stop", "timeout", "silence"),
    ("greedy:forks", "exception", "BlockingIOError"),
    ("greedy:bomb", "value", "bool"),
    ("greedy:memory", "memory", "MemoryError"),
    ("greedy:memory_of_children", "memory", ""),
    ("greedy:prints", "output", ""),
    ("greedy:writes_descriptors", "output", ""),
    ("greedy:fills_disk", "exception", "OSError"),
    ("greedy:recursion", "exception", "RecursionError"),
    ("greedy:c_stack", "exit", "SIGSEGV"),
    ("leaving:hard_exit", "exit", "code 3"),
    ("leaving:soft_exit", "exit", "SystemExit"),
    ("leaving:segfault", "exit", "SIGSEGV"),
    ("leaving:kills_itself", "exit", "SIGKILL"),
    ("leaving:base_exception", "exception", "leaving.Odd"),
    ("leaving:interrupt", "exception", "KeyboardInterrupt"),
    ("leaving:unprintable", "exception", "leaving.Unprintable"),
    ("leaving:kills_parent", "exception", "PermissionError"),
    ("leaving:fork_returns_twice", "value", "bool"),
    ("leftovers:thread", "value", "bool"),
    ("leftovers:handlers", "value", "bool"),
    ("leftovers:daemon", "value", "bool"),
    ("leftovers:background", "value", "bool"),
    ("leftovers:inside", "value", "bool"),
    ("leftovers:no_folder", "value", "bool"),
    ("leftovers:poison", "value", "bool"),
    ("nosy:reads_stdin", "exception", "EOFError"),
    ("nosy:closes_descriptors", "exit", "result pipe"),
    ("nosy:scribbles", "exit", "result pipe"),
    ("nosy:floods", "exit", "result pipe"),
]


NEEDS = {
    "signals": ["leaving:kills_parent"],
    "limits": ["greedy:forks"],
    "files": ["greedy:fills_disk"],
}


@pytest.mark.parametrize(("grader", "status", "kind"), ENDS, ids=[name for name, _, _ in ENDS])
def test_it_says_what_happened_and_goes_on(grader: str, status: str, kind: str) -> None:
    rows = [Row(0, "42", "42"), Row(1, "attack", "42"), Row(2, "42", "42"), Row(3, "41", "42")]
    with session(grader) as box:
        for needs, users in NEEDS.items():
            if grader in users and box.isolation[needs].startswith("none"):
                pytest.skip(f"{needs}: {box.isolation[needs]}")
        outcomes = box.evaluate(rows)
    assert verdicts(outcomes) == [("value", "bool"), (status, kind), ("value", "bool"), ("value", "bool")]
    assert [outcomes[at].value for at in (0, 2, 3)] == [True, True, False]


def test_details_name_the_cause() -> None:
    attack = [Row(0, "attack", "42")]
    said = {}
    for name in ("leaving:soft_exit", "leaving:unprintable", "leftovers:thread", "leftovers:handlers", "greedy:prints"):
        with session(name) as box:
            said[name] = box.evaluate(attack)[0].detail
    assert said == {
        "leaving:soft_exit": "enough",
        "leaving:unprintable": "its text raised SystemExit",
        "leftovers:thread": "left 1 thread(s) running",
        "leftovers:handlers": "left a timer armed",
        "greedy:prints": "printed 67108864 characters or more",
    }


def test_a_thread_that_ends_the_process_later_spoils_no_other_row() -> None:
    with session("leaving:exits_later") as box:
        first = box.evaluate([Row(0, "attack", "42")])
        time.sleep(0.4)
        second = box.evaluate([Row(1, "42", "42")])
    assert verdicts(first + second) == [("value", "bool")] * 2
    assert second[0].value is True
    assert box.restarts == 1


RETURNS = {
    "nan": ("float:nan", None),
    "inf": ("float:-inf", None),
    "none": ("NoneType", None),
    "tuple": ("tuple", [1, "two", None]),
    "numpy": ("numpy.float32", 0.5),
    "numpy-bool": ("numpy.bool", True),
    "numpy-nan": ("float:nan", None),
    "array": ("numpy.ndarray", None),
    "no-float": ("returns.NoFloat", None),
    "number": ("returns.Number", 0.5),
    "masked": ("returns.Masked", None),
    "decimal": ("decimal.Decimal", 0.25),
    "fraction": ("fractions.Fraction", 0.25),
    "wide": ("int:8f8fb38c6cc82c38", None),
    "huge": ("int:46dfe627f0d3206a", None),
    "enum": ("returns.Grade", 2),
    "named": ("returns.Pair", [1.0, True]),
    "dict": ("dict", {"score": 1.0, "3": [True]}),
    "class": ("type", None),
    "surrogate": ("str", "\ud800"),
    "cycle": ("list:large", None),
}


def test_whatever_is_returned() -> None:
    with session("returns:grade", replace(SMALL, memory=1024 * MIB)) as box:
        outcomes = box.evaluate([Row(number, name, "") for number, name in enumerate(RETURNS)])
        endless, long = box.evaluate([Row(0, "endless", ""), Row(1, "long", "")])
    found = {name: (outcome.type, outcome.value) for name, outcome in zip(RETURNS, outcomes, strict=True)}
    assert found == RETURNS
    assert {outcome.status for outcome in outcomes} == {"value"}
    assert outcomes[list(RETURNS).index("no-float")].detail == "float() of it raised ZeroDivisionError"
    assert endless.status == "timeout"
    assert re.fullmatch(r"str:[0-9a-f]{16}", long.type)
    assert (outcomes[0].score, outcomes[4].score, outcomes[2].score) == (None, 0.5, None)


def test_writing_outside_its_folder_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "outside.txt"
    tmp_path.chmod(0o777)
    with session("leftovers:outside") as box:
        if box.isolation["writes"].startswith("none"):
            pytest.skip("this kernel has no Landlock")
        outcome = box.evaluate([Row(0, "attack", str(target))])[0]
    assert (outcome.status, outcome.type) == ("exception", "PermissionError")
    assert not target.exists()


@pytest.mark.parametrize("function", ["connects", "sends"])
def test_the_loopback_is_out_of_reach(function: str) -> None:
    kind = socket.SOCK_STREAM if function == "connects" else socket.SOCK_DGRAM
    with socket.socket(socket.AF_INET, kind) as listener:
        listener.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            listener.listen()
        listener.settimeout(0.2)
        with session(f"nosy:{function}") as box:
            if box.isolation["network"].startswith("none"):
                pytest.skip("this system allows no private network")
            outcome = box.evaluate([Row(0, "attack", listener.getsockname()[1])])[0]
        with pytest.raises(TimeoutError):
            listener.accept() if kind == socket.SOCK_STREAM else listener.recv(16)
    assert outcome.status == "exception"
    assert outcome.type in ("OSError", "PermissionError")


def test_what_a_call_changed_is_told() -> None:
    with session("leftovers:inside") as box:
        _, effects = box.evaluate([Row(0, "42", "42"), Row(1, "attack", "42"), Row(2, "42", "42")], watch=True)
    assert [each.changed for each in effects] == [(), ("random", "environment", "files"), ()]
    assert effects[1].detail["environment"] == "LENS_HOSTILE"
    assert effects[1].detail["files"] == "kept.txt, lens-hostile, more.txt"
    with session("leftovers:handlers") as box:
        _, (effect,) = box.evaluate([Row(0, "attack", "42")], watch=True)
    assert effect.changed == ("signals",)
    assert effect.detail["signals"] == "SIGALRM, SIGHUP, SIGINT, SIGTERM"


def test_after_enough_time_outs_in_a_row_the_rest_is_not_asked() -> None:
    rows = [Row(0, "42", "42"), *(Row(number, "attack", "42") for number in range(1, 12))]
    with session("endless:loop", Limits(cpu=0.05, patience=3)) as box:
        outcomes = box.evaluate(rows)
    assert verdicts(outcomes) == [("value", "bool"), *[("timeout", "cpu")] * 3, *[("unasked", "timeout")] * 8]


def test_an_import_that_ends_its_process_or_never_ends_is_an_error_that_says_so() -> None:
    with pytest.raises(UsageError, match="ends its process while being imported: ended its process with code 7"):
        session("imports:grade").__enter__()
    with pytest.raises(UsageError, match=r"while being imported: more than 0\.1 CPU seconds"):
        session("imports_forever:grade", Limits(load=0.1)).__enter__()


def test_sessions_of_several_threads_keep_out_of_each_others_way() -> None:
    found: dict[str, list[tuple[str, str]]] = {}

    def ask(name: str) -> None:
        with session(name) as box:
            found[name] = verdicts(box.evaluate([Row(n, "attack" if n % 2 else "42", "42") for n in range(4)]))

    names = ["leaving:hard_exit", "leftovers:daemon", "endless:busy_child"]
    threads = [threading.Thread(target=ask, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    good = ("value", "bool")
    assert found["leaving:hard_exit"] == [good, ("exit", "code 3")] * 2
    assert found["leftovers:daemon"] == [good] * 4
    assert found["endless:busy_child"] == [good, ("timeout", "cpu")] * 2


@pytest.mark.skipif(os.getuid() != 0, reason="already an ordinary user")
def test_all_of_it_as_an_ordinary_user(tmp_path: Path) -> None:
    """This file again, by uid 65534 without capabilities."""
    base = Path(tempfile.mkdtemp(dir="/tmp"))
    os.chown(base, 65534, 65534)
    user = "exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all --bounding-set=-all"
    script = "\n".join(
        ["set -e", *_make_reachable(tmp_path, [sys.executable, sys.base_prefix, __file__]), f'{user} "$@"']
    )
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    pytest_run += [f"--basetemp={base / 'pytest'}", __file__]
    try:
        ran = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, "sh", *pytest_run],
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(base), "PYTHONDONTWRITEBYTECODE": "1"},
        )
    finally:
        shutil.rmtree(base)
    if "unshare" in ran.stderr or "mount:" in ran.stderr:
        pytest.skip(f"can't become an ordinary user here: {ran.stderr.splitlines()[-1]}")
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) >= len(ENDS) + 9


def _make_reachable(folder: Path, paths: list[str]) -> list[str]:
    """Shell lines, for a private mount namespace, that put open folders over those an ordinary user can't enter,
    with the folders needed from below them mounted in place (interpreters are kept under root's home, say)."""
    mounts: dict[Path, list[str]] = {}
    targets = {path.resolve() if path.is_dir() else path.resolve().parent for path in map(Path, paths)}
    for target in sorted(targets):
        closed = next((each for each in reversed(target.parents) if not each.stat().st_mode & 0o001), None)
        if closed is not None and not targets & set(target.parents):
            inside = folder / closed.name / target.relative_to(closed)
            mounts.setdefault(closed, []).extend([f"mkdir -p '{inside}'", f"mount --rbind '{target}' '{inside}'"])
    over = [f"mount --rbind '{folder / closed.name}' '{closed}'" for closed in mounts]
    return ["umask 022", *(line for lines in mounts.values() for line in lines), *over]
