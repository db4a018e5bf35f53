"""Coins that are there already."""

from lens.studies.sciences.coin import SEALED as SCIENCE

__all__ = ["SCIENCE"]
