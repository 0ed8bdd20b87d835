"""Sums of values on a lattice, or almost on one."""
