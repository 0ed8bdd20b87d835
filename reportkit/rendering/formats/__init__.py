"""Formats that are written on request, each in a module of its own: Typst, Word, Excel, a project for Overleaf."""
