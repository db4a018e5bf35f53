"""Grader instruments, one card field a file; the registry (lens.instrument) finds them here."""
