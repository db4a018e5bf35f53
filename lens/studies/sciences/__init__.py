"""One science a file, each with one `SCIENCE`."""
