"""Activation patching on a trunk: what the reward would have been, had one place held another value."""
