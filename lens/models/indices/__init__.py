"""Indices of a reward, one a file: a pure function of arrays, and the instrument that gathers them from a subject.

`lens.instrument.registry("models")` finds them beside the instruments. What they share is in `lens.stats`: moments
inside prompts (`within`, `drawn`), cross-fitting (`crossfit`), nulls (`permute`), ratios of sums (`ratio`).
"""
