"""reasoning-gym's countdown scorer."""

from repairs import swap

REPAIRS = {"noise-paid": swap(" 0.01", " 0.0", times=3)}
