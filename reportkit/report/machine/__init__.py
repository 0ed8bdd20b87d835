"""The report for machines: `report.json`, and the keys of its numbers."""
