"""One significance test, one file, found by the catalogue: what it computes, and what it says of itself."""
