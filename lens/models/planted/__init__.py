"""Planted records of a model's scores: numbers drawn by a known law, with no weights behind them. One family a file;
`lens.planted` finds them."""
