"""Tests of a difference against a margin, such as "at least 1 point better"."""
