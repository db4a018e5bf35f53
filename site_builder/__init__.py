"""Evidence and content in, HTML out."""
