"""HOW LARGE is the difference: confidence intervals (one method, one file)."""
