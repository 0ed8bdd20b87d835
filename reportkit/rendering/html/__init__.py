"""HTML pages, and notebooks."""
