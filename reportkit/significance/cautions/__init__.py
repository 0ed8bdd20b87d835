"""What has to be said beside a test: few units, skewed scores, lost pairings, and what they do to its size."""
