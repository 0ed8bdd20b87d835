"""One shape of scores, one file: what is measured, and how two systems are paired."""
