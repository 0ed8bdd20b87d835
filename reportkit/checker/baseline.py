"""A baseline: findings of a paper in progress that are known, so that a check speaks of new ones only."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reportkit.checker.fingerprints import fingerprints
from reportkit.errors import ReadingError

if TYPE_CHECKING:
    from reportkit.checker.diagnostic import Diagnostic
    from reportkit.checker.engine import CheckReport

VERSION = 1


def baseline_text(report: CheckReport) -> str:
    """Write down the findings of a check, as JSON, one line each; no text of the paper is kept.

    Examples
    --------
    >>> from reportkit.checker.engine import check_text
    >>> report = check_text("Our system is significantly better.", name="paper.tex")
    >>> json.loads(baseline_text(report))["findings"][0]["code"]
    'RK201'
    >>> len(without_known(report, known_findings(baseline_text(report))))
    0
    """
    rows = [
        json.dumps({"code": item.code, "file": "" if item.path is None else item.path.name, "fingerprint": name})
        for item, name in _named(report)
    ]
    listed = ",\n  ".join(sorted(rows))
    return (
        f'{{"version": {VERSION}, "findings": [\n  {listed}\n]}}\n'
        if rows
        else f'{{"version": {VERSION}, "findings": []}}\n'
    )


def read_baseline(path: Path) -> Counter[str]:
    """Fingerprints of the known findings.

    Raises
    ------
    ReadingError
        If there is no such file, or it is none that `--update-baseline` wrote.
    """
    try:
        return known_findings(path.read_text("utf-8"))
    except OSError as error:
        raise ReadingError(
            f"the baseline {str(path)!r} cannot be read: {error.strerror}", remedy="write it with --update-baseline"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ReadingError(
            f"{str(path)!r} is no baseline of reportkit check", remedy="write it anew with --update-baseline"
        ) from error


def known_findings(text: str) -> Counter[str]:
    """Fingerprints in the text of a baseline."""
    content = json.loads(text)
    if content["version"] != VERSION:
        raise ValueError(content["version"])
    return Counter(str(item["fingerprint"]) for item in content["findings"])


def without_known(report: CheckReport, known: Counter[str]) -> CheckReport:
    """Leave out the findings that a baseline knows, and count them and those that are gone."""
    from reportkit.checker.engine import folded

    left = Counter(known)
    kept, n_known = [], 0
    for item, name in _named(report):
        if left[name]:
            left[name] -= 1
            n_known += 1
        else:
            kept.append(item)
    return replace(report, diagnostics=tuple(folded(kept)), n_known=n_known, n_gone=sum(left.values()))


def _named(report: CheckReport) -> list[tuple[Diagnostic, str]]:
    """Every finding with its fingerprint, those too that are reported with another one."""
    found = tuple(report.unfolded)
    return list(zip(found, fingerprints(found, report.files), strict=True))
