"""Significance tests by subject, found by the catalogue: what they compute, and what they say of themselves."""
