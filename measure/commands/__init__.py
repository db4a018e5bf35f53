"""Subcommands of `lens` that measure, one a file; entry points of group `evidence_lens.commands` name them."""
