"""The report on re-splitting."""
