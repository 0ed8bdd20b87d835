"""What figures have in common: type, axes, signs, files."""
