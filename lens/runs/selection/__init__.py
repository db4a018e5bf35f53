"""From scores to advantages: the rules, their replay, and other rewards."""
