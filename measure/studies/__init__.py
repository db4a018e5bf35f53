"""Studies on this machine: frozen, run, and told for what they are."""
