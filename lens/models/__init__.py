"""Reward models: opened, checked against the library that made them, and looked into."""
