"""Built-in graders, one a file; each declares one `ADAPTER` (see lens.graders.adapter)."""
