"""The report on the calibration of p-values."""
