"""RL runs: what trainers already write, read into one flat record, checked by replay, and measured."""
