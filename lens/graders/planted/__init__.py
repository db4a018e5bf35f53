"""Planted graders: files of whole-number graders that are careful but for one defect, which acts on a planted share of
golds. One family a file; `lens.planted` finds them."""
