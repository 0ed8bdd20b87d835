"""Names of systems and datasets from paths, each as short as it can be while they differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

from reportkit.readers.naming import distinct_systems


def distinct_names(names: Sequence[str], paths: Sequence[Path], datasets: Sequence[Hashable] = ()) -> list[str]:
    """The names; where several files about one thing have the same, with the folders in which they differ.

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
    ['out (new)', 'out (old)']
    >>> distinct_names(["a", "a"], [Path("squad/a.json"), Path("boolq/a.json")], ["squad", "boolq"])
    ['a', 'a']
    """
    groups: dict[Hashable, dict[Path, str]] = {}
    keys = datasets or [None] * len(names)
    for name, path, key in zip(names, paths, keys, strict=True):
        groups.setdefault(key, {})[path] = name
    distinct = {key: distinct_systems(labels) for key, labels in groups.items()}
    return [distinct[key][path] for path, key in zip(paths, keys, strict=True)]


def folder_name(path: Path, otherwise: str) -> str:
    """The name of the folder that a file is in."""
    return path.absolute().parent.name or otherwise
