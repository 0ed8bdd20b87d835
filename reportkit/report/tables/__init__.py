"""The tables of a report, without a format."""
