"""Names of findings that stay when lines move: of a rule, a file and the text of a line."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportkit.checker.diagnostic import Diagnostic
    from reportkit.checker.engine import CheckReport


def fingerprints(report: CheckReport) -> tuple[str, ...]:
    r"""Name every finding of a check.

    Parameters
    ----------
    report : CheckReport
        What was found.

    Returns
    -------
    tuple of str
        16 hexadecimal digits each, in the order of the findings. They depend on the rule, the name of the file, the
        text of the line without its spaces, and the how-manieth such finding of the file it is; not on line numbers.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> one = fingerprints(check_text("Our system is significantly better."))
    >>> one == fingerprints(check_text("New.\n\nOur system is  significantly better.")), len(one[0])
    (True, 16)
    """
    seen: Counter[tuple[str, ...]] = Counter()
    names = []
    for item in report.diagnostics:
        key = (item.code, *_place(item, report))
        seen[key] += 1
        names.append(sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "surrogatepass")).hexdigest()[:16])
    return tuple(names)


def _place(item: Diagnostic, report: CheckReport) -> tuple[str, str]:
    """Name of the file and text of the line; of a finding about data, what it is about."""
    if item.path is None:
        return item.where, item.message
    file = report.files.get(item.path)
    text = file.line(item.line) if file is not None and item.line else item.message
    return item.path.name, "".join(text.split())
