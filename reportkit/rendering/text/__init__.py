"""Text in each format: escaped once, here."""
