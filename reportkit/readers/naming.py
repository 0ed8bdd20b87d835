"""Names of systems: as short as they may be, and each of one system."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def distinct_systems(labels: Mapping[Path, str]) -> dict[Path, str]:
    """Give the systems of several places names of their own.

    Parameters
    ----------
    labels : mapping of Path to str
        Place (a folder, a file) to what the system calls itself there.

    Returns
    -------
    dict of Path to str
        The label; where several places have the same one, with those parts of the path that differ.

    Examples
    --------
    >>> places = {Path("zero/m"): "llama", Path("few/m"): "llama", Path("few/n"): "qwen"}
    >>> list(distinct_systems(places).values())
    ['llama (zero)', 'llama (few)', 'qwen']
    """
    named: dict[Path, str] = {}
    for label in dict.fromkeys(labels.values()):
        places = [place for place, known in labels.items() if known == label]
        parts = [place.parts for place in places]
        first = 0
        while len(places) > 1 and all(len(part) > first and part[first] == parts[0][first] for part in parts):
            first += 1
        last = 0
        while len(places) > 1 and all(
            len(part) - last > first and part[len(part) - 1 - last] == parts[0][len(parts[0]) - 1 - last]
            for part in parts
        ):
            last += 1
        for place, part in zip(places, parts, strict=True):
            own = "/".join(part[first : len(part) - last])
            named[place] = label if len(places) == 1 else f"{label} ({own or '.'})"
    return {place: named[place] for place in labels}
