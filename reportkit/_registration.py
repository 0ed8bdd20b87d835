"""Register `df.replic` with pandas, and with polars where it is loaded."""

from __future__ import annotations

import sys
from pathlib import Path


def register_accessors() -> None:
    """Register the accessor with pandas, and with polars if it is loaded; do nothing where it is registered already.

    pandas is imported, whichever of the two is imported first, so that no frame is without the accessor. The command
    needs none: it answers `--help` without pandas.
    """
    if "pandas" not in sys.modules and _is_command():
        return
    from reportkit import accessor  # which registers itself with pandas

    if "polars" in sys.modules:
        accessor.register_polars()


def _is_command() -> bool:
    """Tell whether Python runs the command `reportkit`, or `python -m reportkit`."""
    return Path(sys.argv[0]).stem == "reportkit" or sys.argv[0] == "-m"
