"""Commands that run instruments over subjects and write evidence. Nothing else."""
