"""What a grader leaves behind, found and ended: processes, files, shared memory."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from functools import cache
from pathlib import Path
from typing import Any

from lens.errors import LensError
from lens.graders.sandbox import procfs


@cache
def remove_abandoned(_process: int, temporary: str) -> None:
    """Folders of workers whose command was killed before it could remove them; looked for once a process."""
    for path in Path(temporary).glob("lens-*-*"):
        pid = path.name.split("-")[1]
        if pid.isdigit() and not _is_alive(int(pid)):
            shutil.rmtree(path, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def remove_folder(folder: str) -> None:
    """A worker's folder, whatever permissions the grader left in it."""
    shutil.rmtree(folder, onerror=_force)


def _force(function: Any, path: str, _error: object) -> None:
    with contextlib.suppress(OSError):
        Path(path).parent.chmod(0o700)
        Path(path).chmod(0o700)
        function(path)


def remove_shared_memory(uid: int) -> None:
    """What a worker's own user left in /dev/shm, where that isn't the worker's alone."""
    for path in Path("/dev/shm").iterdir():
        with contextlib.suppress(OSError):
            if path.lstat().st_uid == uid:
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def end_strays(worker: int, live: set[int], folder: str, patience: float = 10.0) -> None:
    """Kill until nothing that descends from `worker` is left; as subreaper, this process inherits its orphans.

    `live` are the pids of this process's other workers, `folder` is the worker's. Raises LensError after `patience`
    wall seconds.
    """
    deadline, pause = time.monotonic() + patience, 0.001
    while time.monotonic() < deadline:
        left = _strays(worker, live, folder)
        if not left:
            return
        for one in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one.pid, signal.SIGKILL)
            if one.parent == os.getpid():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(one.pid, os.WNOHANG)
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
    raise LensError(f"processes left by the grader would not end: {', '.join(str(one.pid) for one in left)}")


def _strays(worker: int, live: set[int], folder: str) -> list[procfs.Process]:
    """Processes of the worker's session, and orphans of ours in sessions we never made, with their descendants.

    An orphan is known by having given up new privileges, which can't be taken back; where this process did so itself
    and all its children have it, by the folder in the environment it started with.
    """
    everyone = procfs.processes()
    us = next((one for one in everyone if one.pid == os.getpid()), None)
    if us is None:
        return []
    ours = {us.session, *live}
    found: dict[int, procfs.Process] = {}
    for one in everyone:
        orphan = one.parent == us.pid and one.session not in ours
        if one.session == worker or (orphan and _is_ours_to_end(one.pid, folder)):
            found |= {member.pid: member for member in procfs.family(one.pid, everyone)}
    return list(found.values())


def _is_ours_to_end(pid: int, folder: str) -> bool:
    if procfs.took_no_new_privileges(os.getpid()):
        return procfs.started_by(pid, f"HOME={folder}")
    return procfs.took_no_new_privileges(pid)
