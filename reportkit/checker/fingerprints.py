"""Names of findings that stay when lines move: of a rule, a file and the text of a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportkit.checker.diagnostic import Diagnostic
    from reportkit.checker.paper.source import SourceFile


def fingerprints(findings: Iterable[Diagnostic], files: Mapping[Path, SourceFile]) -> tuple[str, ...]:
    r"""Name findings of a check.

    Parameters
    ----------
    findings : iterable of Diagnostic
        In order of their places.
    files : mapping of Path to SourceFile
        What was checked.

    Returns
    -------
    tuple of str
        16 hexadecimal digits each, in the order of the findings. They depend on the rule, the name of the file, the
        text of the line without its spaces, and the how-manieth such finding of the file it is; not on line numbers.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> old, new = map(check_text, ("It is significantly better.", "New.\n\nIt is  significantly better."))
    >>> one = fingerprints(old, old.files)
    >>> one == fingerprints(new, new.files), len(one[0])
    (True, 16)
    """
    seen: Counter[tuple[str, ...]] = Counter()
    names = []
    for item in findings:
        key = (item.code, *_place(item, files))
        seen[key] += 1
        names.append(sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "surrogatepass")).hexdigest()[:16])
    return tuple(names)


def _place(item: Diagnostic, files: Mapping[Path, SourceFile]) -> tuple[str, str]:
    """Name of the file and text of the line; of a finding about data, what it is about."""
    if item.path is None:
        return item.where, item.message
    file = files.get(item.path)
    text = file.line(item.line) if file is not None and item.line else item.message
    return item.path.name, "".join(text.split())
