"""Where a file of a report stands in its folder: in sight what is read and pasted, everything else below `more/`."""

from __future__ import annotations

import re

MORE = "more"
"""The folder for other formats and lengths, numbers, and drafts."""

OPENED_FIRST = "report.html"

_IN_SIGHT = re.compile(
    r"report\.(?!md$)\w+|overleaf\.zip|tables\.xlsx|references\.bib|paragraph\.\w+|tables/[^/]+\.(tex|typ)|figures/[^/]+\.(pdf|png|tex)"
)


def placed(name: str) -> str:
    """Where a file stands, from the report's folder.

    Examples
    --------
    >>> [placed(name) for name in ("report.html", "tables/results.tex", "tables/results.csv", "numbers.md")]
    ['report.html', 'tables/results.tex', 'more/tables/results.csv', 'more/numbers.md']
    """
    return name if _IN_SIGHT.fullmatch(name) else f"{MORE}/{name}"
