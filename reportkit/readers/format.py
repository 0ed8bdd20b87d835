"""What a file format says of itself: a table in one file, or the files that an evaluation harness writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pandas as pd

from reportkit.errors import SettingsError
from reportkit.readers.source import ARCHIVE, CODECS, Source
from reportkit.readers.understood import Reading, Request

CanRead = Callable[[bytes, Path], bool]
"""Whether content is of a format: its first 64 KiB, decompressed, and the path without the ending of a compression."""


class Read(Protocol):
    """Reads a file of one format."""

    def __call__(
        self, source: Source, *, columns: Mapping[str, str] | None, systems: Sequence[str] | None
    ) -> pd.DataFrame:
        """Return rows and columns as they are in the file; raise ReadingError where it is damaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of tables: one file holds rows and columns.

    Parameters
    ----------
    name : str
        What it is called in prose, and by `--format`: "Parquet".
    endings : tuple of str
        Of names of files, in lower case, without `.gz` and the like: (".parquet",). Formats may share an ending.
    read : callable
        (source, columns=, systems=) -> DataFrame. `source.arrow()` and `source.open()` give the content, decompressed;
        `columns` and `systems` are what the user says of the columns, for formats without types.
    can_read : callable, optional
        (head, path) -> bool: whether the content is of this format. Without it, a file that ends so is of this format
        unless another one knows its content.

    Raises
    ------
    SettingsError
        If an ending could not be that of a file.
    """

    name: str
    endings: tuple[str, ...]
    read: Read
    can_read: CanRead | None = None

    def __post_init__(self) -> None:
        _refuse_endings(self.endings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What a harness calls its things, as Markdown for the table of formats: one short phrase each.

    Parameters
    ----------
    files : str
        Which files are read: "`samples_*.jsonl` with `results_*.json`".
    system, dataset, instance, run, metric : str
        Where each of them stands; "–" if there is none.
    refused : str
        What is refused, and what is left out with a word.
    """

    files: str
    system: str
    dataset: str
    instance: str
    run: str
    metric: str
    refused: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """What an evaluation harness, or a tool, writes: several files that belong together.

    Parameters
    ----------
    name : str
        What it is called in prose, and by `--format`: "lm-evaluation-harness".
    endings : tuple of str
        Of names of files, in lower case, without `.gz` and the like: (".jsonl", ".json").
    read : callable
        (files, request) -> Reading. The files are all those, in the order of their paths, that `can_read` recognised.
        What belongs to them and is not recognised is found by `source.beside`.
    can_read : callable
        (head, path) -> bool: whether the content, of which the first 64 KiB are given, is of this format.
    taken : Taken
        What is taken as what, for the documentation.
    marks : tuple of bytes
        Of which the first 64 KiB hold at least one; `can_read` is asked of no other file. Where an ending is that of
        tables too, such as .csv, they spare a table the questions of every harness.

    Raises
    ------
    SettingsError
        If an ending could not be that of a file.
    """

    name: str
    endings: tuple[str, ...]
    read: Callable[[Sequence[Source], Request], Reading]
    can_read: CanRead
    taken: Taken
    marks: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        _refuse_endings(self.endings)


def _refuse_endings(endings: tuple[str, ...]) -> None:
    for ending in endings:
        if not ending.startswith(".") or ending != ending.lower() or ending in (*CODECS, ARCHIVE):
            raise SettingsError(
                f"{ending!r} is no ending of a format", remedy='write it in lower case with its dot: ".feather"'
            )
