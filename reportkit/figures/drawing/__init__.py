"""Common parts of figures: type, axes, signs, files."""
