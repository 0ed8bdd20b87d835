"""The version, in a file that needs no import."""

__version__ = "0.1.0"
