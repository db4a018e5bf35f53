"""The child: started as `python -P -s -S worker.py IN OUT` with an environment of our own making.

It reads one configuration line from descriptor IN, confines itself, loads the grader and then does the jobs
it is sent, one line each. Every line it writes to OUT starts with the configuration's mark, so that a grader
scribbling on our descriptors is noticed. Standard library only, and nothing of the command it came from.
"""

from __future__ import annotations
import __future__

import fcntl
import importlib
import importlib.util
import json
import os
import random
import sys
import traceback
import types
from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING, Any

HERE = os.path.dirname(os.path.realpath(__file__))
PACKAGE = "_evidence_lens_sandbox"
LOST = 97  # exit code of a worker whose result pipe the grader closed
ABOVE = "EVIDENCE_LENS_ABOVE"

if TYPE_CHECKING:
    from lens.graders.sandbox import isolate, outcomes, placeholders
else:
    package = types.ModuleType(PACKAGE)
    package.__path__ = [HERE]
    sys.modules[PACKAGE] = package
    isolate, outcomes, placeholders = (
        importlib.import_module(f"{PACKAGE}.{name}") for name in ("isolate", "outcomes", "placeholders")
    )


class Grader:
    """What a job is given. `function` is the entry (the module, where the spec names none) and may be replaced."""

    def __init__(self, module: types.ModuleType, function: Any, path: str, adapt: Callable[..., Any]) -> None:
        self.module, self.function, self.path, self.adapt = module, function, path, adapt
        self.recorder: Any = None

    def call(self, response: Any, gold: Any, **columns: Any) -> Any:
        """The adapter's call: what the grader returns, or raises."""
        return self.adapt(self.function, response, gold, **columns)

    def outcome(self, response: Any, gold: Any, columns: dict[str, Any]) -> list[Any]:
        """One recorded call, as the list behind lens.graders.outcome.Outcome."""
        result: list[Any] = self.recorder.outcome(response, gold, columns)
        return result

    def outcome_in_thread(self, response: Any, gold: Any, columns: dict[str, Any]) -> list[Any]:
        """The same in a new thread, where signal handlers can't be set."""
        results: list[list[Any]] = []
        thread = Thread(target=lambda: results.append(self.outcome(response, gold, columns)))
        thread.start()
        thread.join()
        return results[0]


class Pipe:
    """Lines in, marked lines out, on descriptors away from 0, 1 and 2."""

    def __init__(self, source: int, sink: int) -> None:
        self.stream = os.fdopen(source, "rb")
        self.sink = sink
        self.mark = b""
        self.pid = os.getpid()
        self.write, self.getpid, self.exit = os.write, os.getpid, os._exit
        self.encode, self.decode = json.JSONEncoder(separators=(",", ":")).encode, json.loads

    def read(self) -> Any:
        line = self.stream.readline()
        if not line:
            self.exit(0)
        return self.decode(line)

    def send(self, *message: Any) -> None:
        if self.getpid() != self.pid:
            self.exit(0)  # the grader forked and both sides came back: only one of them is the worker
        data = self.mark + self.encode(message).encode() + b"\n"
        try:
            while data:
                data = data[self.write(self.sink, data) :]
        except OSError:
            self.exit(LOST)


def capture_output() -> int:
    """A memory file behind descriptors 1 and 2; its length is what was printed."""
    output = os.memfd_create("output") if hasattr(os, "memfd_create") else os.open("output", os.O_RDWR | os.O_CREAT)
    fcntl.fcntl(output, fcntl.F_SETFL, fcntl.fcntl(output, fcntl.F_GETFL) | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    return output


def load(config: dict[str, Any]) -> Grader:
    """Import the grader's module under the two rules of placeholders.py, and compile the adapter's call."""
    sys.path.extend(config["paths"])
    placeholders.install(config["above"])
    os.environ[ABOVE] = " ".join(config["above"])
    if config["by_path"]:
        spec = importlib.util.spec_from_file_location(config["module"], config["file"])
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[config["module"]] = module
        spec.loader.exec_module(module)
    else:
        importlib.import_module(config["module"])
        module = sys.modules[config["module"]]  # a module may put something else in its own place
    function = getattr(module, config["function"]) if config["function"] else module
    namespace: dict[str, Any] = {}
    flags = __future__.annotations.compiler_flag
    exec(compile(config["call"], "<the adapter's call>", "exec", flags, dont_inherit=True), namespace)
    return Grader(module, function, config["file"], namespace[config["call_name"]])


def seed_everything(seed: int) -> None:
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if isinstance(getattr(numpy, "random", None), types.ModuleType):
        numpy.random.seed(seed)  # type: ignore[union-attr]


def job_function(name: str) -> Callable[..., None]:
    spec = importlib.util.spec_from_file_location(f"{PACKAGE}.jobs.{name}", os.path.join(HERE, "jobs", f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    run: Callable[..., None] = module.run
    return run


def failure(error: BaseException) -> dict[str, Any]:
    """What went wrong, and whether only our own code was on the way there."""
    frames = traceback.extract_tb(error.__traceback__)
    where = [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    own = (os.path.dirname(HERE), "<frozen", os.path.dirname(os.__file__))
    ours = all(frame.filename.startswith(own) for frame in frames)
    return {"type": outcomes.type_name(error), "text": outcomes.text_of(error), "where": where[-12:], "ours": ours}


def loaded_files(folder: str) -> list[str]:
    """Source files of the subject's folder that were imported without a compiled copy beside them."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [
        name
        for name in files
        if isinstance(name, str)
        and name.startswith(folder)
        and name.endswith(".py")
        and not os.path.exists(importlib.util.cache_from_source(name))
    ]


def main() -> None:
    pipe = Pipe(int(sys.argv[1]), int(sys.argv[2]))
    config = pipe.read()
    pipe.mark = config["mark"].encode()
    output = capture_output()
    try:
        isolation = isolate.isolate(config)
    except BaseException as error:
        pipe.send("unconfined", failure(error))
        return
    try:
        grader = load(config)
    except BaseException as error:
        pipe.send("unloaded", failure(error))
        return
    grader.recorder = outcomes.Recorder(grader.call, output, config["output"], placeholders.used)
    grader.recorder.discard()
    seed_everything(config["seed"])
    pipe.send("ready", {"isolation": isolation, "uncompiled": loaded_files(config["cache"]) if config["cache"] else []})
    while True:
        message = pipe.read()
        try:
            job_function(message["job"])(grader, message["payload"], message["start"], pipe.send)
        except BaseException as error:
            pipe.send("crashed", failure(error))
            return
        pipe.send("done")


if __name__ == "__main__":
    main()
elif __name__ == "__mp_main__":  # a process the grader started by `multiprocessing`, with a fresh interpreter
    placeholders.install(os.environ.get(ABOVE, "").split())
