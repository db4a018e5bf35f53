"""Formats of run records, one a file; see `lens.runs.adapter`."""
