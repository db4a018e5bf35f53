"""TRL's `think_format_reward`."""

from repairs import swap

REPAIRS = {"prefilled-opening-refused": swap('r"^<think>', 'r"^(?:<think>)?')}
