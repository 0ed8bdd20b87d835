"""WHAT YOU HOLD after asking: numbers as frames, tables, figures and reports."""
