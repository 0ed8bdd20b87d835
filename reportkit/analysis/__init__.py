"""WHAT A USER HOLDS: results as frames, tables, figures and reports."""
