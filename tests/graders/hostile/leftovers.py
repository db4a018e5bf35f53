"""Graders that leave something behind."""

import builtins
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path


def thread(response, gold):
    if response == "attack":
        threading.Thread(target=time.sleep, args=(600,), daemon=False).start()
    return response == gold


def _late(_signal, _frame):
    raise RuntimeError("late")


def handlers(response, gold):
    if response == "attack":
        for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, _late)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
    return response == gold


def daemon(response, gold):
    """Two forks, a session of its own, another program with an empty environment: as daemons do."""
    if response == "attack" and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["lens-hostile-daemon", "600"], {})
        os._exit(0)
    return response == gold


def background(response, gold):
    if response == "attack":
        subprocess.Popen(["sleep", "600"], start_new_session=True)
    return response == gold


def outside(response, gold):
    """Writes where `gold` says, which is outside its folder."""
    if response == "attack":
        Path(gold).write_text("was here")
    return response == gold


def inside(response, gold):
    if response == "attack":
        Path("kept.txt").write_text("here")
        Path(os.environ["TMPDIR"], "more.txt").write_text("here")
        Path("/dev/shm/lens-hostile").write_text("here")
        os.environ["LENS_HOSTILE"] = "1"
        random.random()
        Path("locked").mkdir(mode=0)
    return response == gold


def no_folder(response, gold):
    if response == "attack":
        shutil.rmtree(Path.cwd(), ignore_errors=True)
        os.chdir("/")
    return response == gold


def poison(response, gold):
    """Breaks what a worker might use between calls."""
    if response == "attack":
        json.dumps = json.loads = None
        os.write = os._exit = os.getpid = os.fstat = None
        builtins.print = builtins.open = None
        sys.stdout = sys.stderr = None
        time.process_time = None
    return response == gold
