"""Instruments that say what a reward, a grader or an RL run supports. A subject goes in, a Reading comes out."""

__version__ = "0.1.0"
