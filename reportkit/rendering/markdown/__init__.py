"""Markdown, for GitHub and for pandoc."""
