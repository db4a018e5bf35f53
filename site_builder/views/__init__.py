"""Views over the store: a card, a scoreboard, an atlas, a safety case. They look up, and compute nothing."""
