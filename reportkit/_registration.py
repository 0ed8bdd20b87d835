"""`df.replic` for the libraries that are loaded: none is imported here, so that `reportkit --help` answers at once."""

from __future__ import annotations

import sys


def register_accessors() -> None:
    """Register `df.replic` with pandas and polars, if they are loaded; when it is called again, only with new ones."""
    if "pandas" in sys.modules:
        from reportkit import accessor  # which registers itself with pandas

        if "polars" in sys.modules:
            accessor.register_polars()
