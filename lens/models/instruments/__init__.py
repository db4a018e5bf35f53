"""Instruments for reward models, one a file; `lens.instrument.registry("models")` finds them."""
