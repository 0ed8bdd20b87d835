"""From a table of scores to blocks: one shape, one file."""
