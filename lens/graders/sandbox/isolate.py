"""How the worker confines itself, before it reads a byte of the grader.

Each step returns what was put in force, or `none: why not`; together they are the reading's `isolation` field.
Linux only, through libc and the system call numbers below (the same on every 64-bit architecture since 5.13).
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys
from typing import Any

_NEWNS, _NEWIPC, _NEWUSER, _NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x40000000
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_PRIVATE = 2, 4, 0x4000, 0x40000
NOBODY = 65534  # for root in a container that has no other user ids to give
_PDEATHSIG, _DUMPABLE, _KEEPCAPS, _NO_NEW_PRIVS, _CAP_AMBIENT = 1, 4, 8, 38, 47
_CAP_DAC_READ_SEARCH = 2
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446


class _Refused(OSError):
    """A step the system did not allow."""


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise _Refused(code, f"{what}: {os.strerror(code)}")
    return result


def isolate(config: dict[str, Any]) -> dict[str, str]:
    """Confine this process for good. `config`: folder, uid (or None), memory, files, processes."""
    if not sys.platform.startswith("linux"):
        _limits(config, 0)
        return {"system": f"none: {sys.platform} has no namespaces or Landlock; resource limits only"}
    report: dict[str, str] = {}
    libc = _libc()
    report["network"], report["files"] = _namespaces(libc, config)
    os.chdir(config["folder"])
    alone = config["uid"] not in (None, NOBODY) or (config["uid"] is None and not report["network"].startswith("none"))
    report |= _limits(config, 0 if alone else _tasks_of(os.getuid() if config["uid"] is None else NOBODY))
    _checked(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    report["user"] = _other_user(libc, config["uid"])
    libc.prctl(_PDEATHSIG, 9, 0, 0, 0)
    report |= _landlock(libc, config["folder"])
    return report


def _namespaces(libc: ctypes.CDLL, config: dict[str, Any]) -> tuple[str, str]:
    """Private network, IPC and mounts; its folder and /dev/shm become memory of its own that ends with it.

    Who has no other user to become needs a namespace of users for the rest.
    """
    uid, gid = os.getuid(), os.getgid()
    flags = _NEWNET | _NEWNS | _NEWIPC
    try:
        _checked(libc.unshare(flags | _NEWUSER if config["uid"] is None else flags), "unshare")
        if config["uid"] is None:
            for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
                with open(f"/proc/self/{name}", "w") as stream:
                    stream.write(text)
    except OSError as error:
        return f"none: {error.strerror}", "none: the system's own folders, and what it leaves in /dev/shm stays"
    owner = uid if config["uid"] is None else config["uid"]
    try:
        _checked(libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None), "private mounts")
        for folder, mode in ((config["folder"], "0700"), ("/dev/shm", "1777")):
            options = f"size={config['files']},mode={mode}"
            options += f",uid={owner}" if mode == "0700" else ""
            flags = _MS_NOSUID | _MS_NODEV
            _checked(libc.mount(b"tmpfs", folder.encode(), b"tmpfs", flags, options.encode()), f"mount {folder}")
    except OSError as error:
        return "private namespace", f"none: {error.strerror}"
    return "private namespace", "its folder and /dev/shm are memory of its own"


def _tasks_of(uid: int) -> int:
    """Processes and threads this user runs already: the kernel's limit counts them all."""
    count = 0
    for folder in os.scandir("/proc"):
        try:
            if folder.name.isdigit() and folder.stat().st_uid == uid:
                count += len(os.listdir(f"{folder.path}/task"))
        except OSError:
            continue
    return count


def _limits(config: dict[str, Any], others: int) -> dict[str, str]:
    """Resource limits. CPU is the parent's to keep, and a limit here would make the kernel's clock of this process
    coarse (one tick); processes it forks get one, so that none runs for ever should the parent be killed."""
    os.register_at_fork(after_in_child=lambda: resource.setrlimit(resource.RLIMIT_CPU, (3600, 3600)))
    wanted = {
        "memory": (resource.RLIMIT_AS, config["memory"]),
        "file size": (resource.RLIMIT_FSIZE, config["files"]),
        "processes": (resource.RLIMIT_NPROC, config["processes"] + others),
        "core": (resource.RLIMIT_CORE, 0),
    }
    failed = []
    for name, (which, value) in wanted.items():
        _, hard = resource.getrlimit(which)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(which, (value, value))
        except (OSError, ValueError) as error:
            failed.append(f"none for {name}: {error}")
    if config["uid"] is None and os.getuid() == 0:
        failed.append("none for processes: it stays the root of this container")
    return {"limits": "; ".join(failed) or "memory, file size, processes"}


def _other_user(libc: ctypes.CDLL, uid: int | None) -> str:
    """Root becomes a user of its own that may read, and only read, what root may (caches lie under root's home)."""
    if uid is None:
        _capabilities(libc, 0, keep_going=True)
        return "the caller's own"
    capability = 1 << _CAP_DAC_READ_SEARCH
    try:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        _checked(libc.prctl(_KEEPCAPS, 1, 0, 0, 0), "keep capabilities")
        os.setresuid(uid, uid, uid)
    except OSError as error:
        return f"none: {error.strerror}"
    _capabilities(libc, capability)
    libc.prctl(_CAP_AMBIENT, 2, _CAP_DAC_READ_SEARCH, 0, 0)  # processes the grader starts must read the interpreter too
    libc.prctl(_DUMPABLE, 1, 0, 0, 0)
    return "a user of its own, reading as root"


def _capabilities(libc: ctypes.CDLL, mask: int, keep_going: bool = False) -> None:
    header = struct.pack("=Ii", 0x20080522, 0)
    data = struct.pack("=IIIIII", mask, mask, mask, 0, 0, 0)
    result = libc.capset(ctypes.c_char_p(header), ctypes.c_char_p(data))
    if not keep_going:
        _checked(result, "capabilities")


# Landlock's rights to change the file system, by the version of its interface that brought them.
_WRITE = {1: 0b1111111110010, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_ON_A_FILE = (1 << 1) | (1 << 14) | (1 << 15)


def _landlock(libc: ctypes.CDLL, folder: str) -> dict[str, str]:
    """Writes only below its folder, /dev/shm and /dev/null; no TCP; no signals to anyone outside."""
    none = {"writes": "none: this kernel has no Landlock", "signals": "none: needs Landlock 6 (Linux 6.12)"}
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return none
    rights = sum(bits for since, bits in _WRITE.items() if since <= version)
    fields = [rights, 0b11 if version >= 4 else 0, 0b11 if version >= 6 else 0]
    attributes = struct.pack("=QQQ", *fields)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = libc.syscall(_CREATE_RULESET, ctypes.c_char_p(attributes), ctypes.c_size_t(len(attributes)), 0)
    try:
        _checked(ruleset, "Landlock")
        for path, allowed in ((folder, rights), ("/dev/shm", rights), ("/dev/null", rights & _ON_A_FILE)):
            opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rule = struct.pack("=Qi", allowed, opened)
            _checked(libc.syscall(_ADD_RULE, ruleset, 1, ctypes.c_char_p(rule), 0), path)
            os.close(opened)
        _checked(libc.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock")
        os.close(ruleset)
    except OSError as error:
        return none | {"writes": f"none: {error.strerror}"}
    return {
        "writes": "only below its folder and /dev/shm",
        "tcp": "refused" if version >= 4 else "none: needs Landlock 4 (Linux 6.7)",
        "signals": "kept inside" if version >= 6 else none["signals"],
    }
