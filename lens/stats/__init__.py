"""Intervals and resampling, thin over numpy and scipy."""
