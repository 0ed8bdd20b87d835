"""Significance tests by subject: how each is computed, and the words about it. The catalogue finds them here."""
