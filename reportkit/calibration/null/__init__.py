"""P-values where the null hypothesis is true by construction."""
