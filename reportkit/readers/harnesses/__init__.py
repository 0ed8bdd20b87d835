"""WHAT EVALUATION HARNESSES WRITE: one format, one file; each file that defines a `Harness` is found."""
