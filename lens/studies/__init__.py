"""Registered studies: a question frozen before its subjects exist, and a rule that says what its outcome is.

spec            what a study says beforehand, read from TOML
science         what is measured on one subject, and which fields of evidence it makes; one science a file
statistics      an estimate with its interval and a test against any threshold
adjudicate      the rule: estimates in, outcomes out, Holm over the family
power, vacuity  what a hypothesis must pass before it can be frozen
"""
