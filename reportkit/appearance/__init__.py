"""HOW A REPORT LOOKS: everything that a user decides and that changes no number."""
