"""The update, parted among the rollouts that made it."""
