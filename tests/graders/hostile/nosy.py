"""Graders that reach for what isn't theirs."""

import os
import socket
import sys


def reads_stdin(response, gold):
    if response == "attack":
        return sys.stdin.read() == "" and input()
    return response == gold


def connects(response, gold):
    """Connects to the loopback port in `gold`."""
    if response == "attack":
        with socket.create_connection(("127.0.0.1", gold), timeout=5) as connection:
            connection.sendall(b"hello")
    return response == gold


def sends(response, gold):
    """Sends a datagram to the loopback port in `gold`."""
    if response == "attack":
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
            connection.sendto(b"hello", ("127.0.0.1", gold))
    return response == gold


def closes_descriptors(response, gold):
    if response == "attack":
        os.closerange(3, 1024)
    return response == gold


def scribbles(response, gold):
    if response == "attack":
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b'[0,["value","float",1.0,"",0,0]]\n')
            except OSError:
                continue
    return response == gold


def floods(response, gold):
    """No line end, for ever."""
    while response == "attack":
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"x" * 65536)
            except OSError:
                continue
    return response == gold
