"""Names of systems and datasets from paths, each as short as it can be while they differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count
from pathlib import Path


def distinct_names(names: Sequence[str], paths: Sequence[Path], datasets: Sequence[Hashable] = ()) -> list[str]:
    """The names; before those that several files have, the folders in which these files differ.

    Parameters
    ----------
    names : sequence of str
        One per file.
    paths : sequence of Path
        Of the files.
    datasets : sequence, optional
        What each file is about: files about different things may have the same name, as those of one system.

    Examples
    --------
    >>> distinct_names(["out", "out"], [Path("run/new/scores/out.json"), Path("run/old/scores/out.json")])
    ['new/out', 'old/out']
    >>> distinct_names(["a", "a"], [Path("squad/a.json"), Path("boolq/a.json")], ["squad", "boolq"])
    ['a', 'a']
    """
    found = list(names)
    keys = list(zip(datasets or [None] * len(names), names, strict=True))
    for key in {key for key in keys if keys.count(key) > 1} if len({*keys}) < len(keys) else ():
        places = [place for place, other in enumerate(keys) if other == key]
        prefixes = _differing([paths[place] for place in places])
        for place, prefix in zip(places, prefixes, strict=True):
            found[place] = "/".join((*prefix, names[place]))
    return found


def _differing(paths: Sequence[Path]) -> list[tuple[str, ...]]:
    """Of each path, the folders by which it can be told from the others; the innermost ones that suffice."""
    parents = [path.absolute().parent.parts[::-1] for path in paths]
    prefixes: list[tuple[str, ...]] = [()] * len(paths)
    for depth in count():
        if len({*prefixes}) == len(paths) or all(depth >= len(parts) for parts in parents):
            return prefixes
        here = [parts[depth] if depth < len(parts) else "" for parts in parents]
        if len({*here}) > 1:
            prefixes = [(part, *prefix) if part else prefix for part, prefix in zip(here, prefixes, strict=True)]
    return prefixes


def folder_name(path: Path, otherwise: str) -> str:
    """The name of the folder that a file is in."""
    return path.absolute().parent.name or otherwise
