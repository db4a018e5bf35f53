"""Exams of instruments for graders, on planted graders. One exam a file; `lens.exam` finds them."""
