"""Rules, one module for each subject."""
