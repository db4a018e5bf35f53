"""Instruments that read RL runs, one a file, found by the registry."""
