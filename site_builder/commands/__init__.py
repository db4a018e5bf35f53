"""Subcommands of `lens` that build or check a site, one a file."""
