"""Speed against public peers. One subject a module; each has `run() -> list[dict]` (see `bench.__main__`)."""
