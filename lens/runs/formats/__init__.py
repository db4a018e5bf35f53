"""How trainers and loggers lay out their files: what several readers share."""
