"""Families of organisms, one a file with one `FAMILY`; the registry finds it there."""
