"""Planted runs: flat records of made-up numbers in which something begins, or is so, by construction. One family a
file; `lens.planted` finds them."""
