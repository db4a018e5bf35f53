"""Graders that end, or try to end, a process."""

import ctypes
import os
import signal
import sys
import threading
import time


class Odd(BaseException):
    pass


class Unprintable(Exception):
    def __str__(self):
        raise SystemExit("no text for you")


def hard_exit(response, gold):
    if response == "attack":
        os._exit(3)
    return response == gold


def soft_exit(response, gold):
    if response == "attack":
        sys.exit("enough")
    return response == gold


def segfault(response, gold):
    if response == "attack":
        ctypes.string_at(0)
    return response == gold


def kills_itself(response, gold):
    if response == "attack":
        os.kill(os.getpid(), signal.SIGKILL)
    return response == gold


def base_exception(response, gold):
    if response == "attack":
        raise Odd("not an Exception")
    return response == gold


def interrupt(response, gold):
    if response == "attack":
        raise KeyboardInterrupt
    return response == gold


def unprintable(response, gold):
    if response == "attack":
        raise Unprintable
    return response == gold


def kills_parent(response, gold):
    if response == "attack":
        os.kill(os.getppid(), signal.SIGKILL)
    return response == gold


def fork_returns_twice(response, gold):
    if response == "attack":
        os.fork()
    return response == gold


def exits_later(response, gold):
    """A thread ends the process after the call has returned."""
    if response == "attack":
        threading.Thread(target=lambda: (time.sleep(0.1), os._exit(5))).start()
    return response == gold
