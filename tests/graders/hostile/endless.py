"""Graders that never come back."""

import os
import re
import signal
import threading
import time


def loop(response, gold):
    while response == "attack":
        pass
    return response == gold


def regex(response, gold):
    return bool(re.fullmatch(r"(a+)+b", "a" * 40 if response == "attack" else gold)) or response == gold


def sleep(response, gold):
    if response == "attack":
        time.sleep(600)
    return response == gold


def deadlock(response, gold):
    lock = threading.Lock()
    lock.acquire()
    if response == "attack":
        lock.acquire()
    return response == gold


def stop(response, gold):
    if response == "attack":
        os.kill(os.getpid(), signal.SIGSTOP)
    return response == gold


def busy_child(response, gold):
    if response == "attack":
        child = os.fork()
        if child == 0:
            while True:
                pass
        os.waitpid(child, 0)
    return response == gold
