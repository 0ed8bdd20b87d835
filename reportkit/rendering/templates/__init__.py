"""Templates: where they are, and the sandbox that they run in."""
