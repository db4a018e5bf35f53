"""Graders that take more than their share. Each is bounded by itself, should the box not hold it."""

import os
import time
from pathlib import Path


def forks(response, gold):
    if response == "attack":
        for _ in range(200):
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
    return response == gold


def bomb(response, gold):
    """Every process forks: at most 2 ** 8 of them, for at most 30 seconds."""
    if response == "attack":
        worker = os.getpid()
        for _ in range(8):
            try:
                os.fork()
            except OSError:
                break
        if os.getpid() != worker:
            time.sleep(30)
            os._exit(0)
    return response == gold


def memory(response, gold):
    held = []
    while response == "attack" and len(held) < 2048:
        held.append(bytearray(1 << 20))
    return response == gold


def memory_of_children(response, gold):
    """Each process stays below the limit; together they don't."""
    if response == "attack":
        for _ in range(6):
            if os.fork() == 0:
                held = bytearray(100 << 20)
                time.sleep(30)
                os._exit(len(held) % 2)
        time.sleep(30)
    return response == gold


def prints(response, gold):
    if response == "attack":
        for _ in range(100):
            print("x" * (1 << 20))
    return response == gold


def writes_descriptors(response, gold):
    """Output past Python's own streams, to both descriptors."""
    if response == "attack":
        for descriptor in (1, 2):
            for _ in range(50):
                os.write(descriptor, b"x" * (1 << 20))
    return response == gold


def fills_disk(response, gold):
    if response == "attack":
        for number in range(200):
            Path(f"{number}.bin").write_bytes(b"x" * (1 << 20))
    return response == gold


def recursion(response, gold):
    def deeper(n):
        return deeper(n + 1)

    return deeper(0) if response == "attack" else response == gold


def c_stack(response, gold):
    """Nested past what the C stack holds: the process gets a signal."""
    if response == "attack":
        nested = ()
        for _ in range(3 * 10**5):
            nested = (nested,)
        hash(nested)
    return response == gold
