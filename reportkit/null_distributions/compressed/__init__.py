"""Sign flips of many pairs of systems at once, a few weighted points in the place of all differences of a pair."""
