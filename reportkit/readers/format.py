"""What a file format says of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pandas as pd

from reportkit.errors import SettingsError
from reportkit.readers.source import Source


class Read(Protocol):
    """Reads a file of one format."""

    def __call__(
        self, source: Source, *, columns: Mapping[str, str] | None, systems: Sequence[str] | None
    ) -> pd.DataFrame:
        """Return rows and columns as they are in the file; raise ReadingError where it is damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of files of results.

    Parameters
    ----------
    name : str
        What it is called in prose: "Parquet".
    endings : tuple of str
        Of names of files, in lower case, without `.gz`: (".parquet",).
    read : callable
        (source, columns=, systems=) -> DataFrame. `source.arrow()` and `source.open()` give the content, decompressed;
        `columns` and `systems` are what the user says of the columns, for formats without types.

    Raises
    ------
    SettingsError
        If an ending could not be that of a file.
    """

    name: str
    endings: tuple[str, ...]
    read: Read

    def __post_init__(self) -> None:
        for ending in self.endings:
            if not ending.startswith(".") or ending != ending.lower() or ending == ".gz":
                raise SettingsError(
                    f"{ending!r} is no ending of a format", remedy='write it in lower case with its dot: ".feather"'
                )
