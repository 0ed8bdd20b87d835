"""Files as readers see them: a name, bytes, text, and the objects of JSON, each read once and when it is needed."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from reportkit.errors import ReadingError

if TYPE_CHECKING:
    import pandas as pd

_SPACE = b"\xff\xfe\xef\xbb\xbf\x00 \t\r\n"
_LARGE = 1 << 18
_HALF = re.compile(r"\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}")
"""Half of a surrogate pair, where a model stopped within a character: frames cannot hold it."""


class File:
    """A file, also one inside of an archive, decompressed.

    Parameters
    ----------
    path : Path
        Where it is, without the ending of a compression; inside of an archive `results/ada.zip/news.csv`.
    load : callable
        Returns its bytes, decompressed.
    folders : tuple of str
        Names of the folders between the path that the user gave and the file, that path's own name included.
    """

    def __init__(self, path: Path, load: Callable[[], bytes], folders: tuple[str, ...] = ()) -> None:
        self.path, self.folders, self._load = path, folders, load

    @property
    def name(self) -> str:
        """The path as messages say it."""
        return str(self.path)

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.path.name.removesuffix(self.path.suffix)

    @cached_property
    def data(self) -> bytes:
        """All bytes, decompressed."""
        return self._load()

    def forget(self) -> None:
        """Free what is held of the content; it is read again when it is needed."""
        for name in ("data", "text", "json"):
            self.__dict__.pop(name, None)

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB; of a plain file without reading the rest."""
        if "data" in self.__dict__ or not self.path.is_file():
            return self.data[: 1 << 16]
        with self.path.open("rb") as file:
            return file.read(1 << 16)

    @cached_property
    def text(self) -> str:
        """The content as text.

        Raises
        ------
        ReadingError
            If it is neither UTF-8 nor UTF-16.
        """
        data = self.data
        try:
            return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
        except UnicodeDecodeError as error:
            raise ReadingError(
                f"{self.name!r} is not UTF-8",
                where=f"byte {error.start:,}, line {data[: error.start].count(10) + 1:,}",
                remedy="save it as UTF-8, for example iconv -f latin1 -t utf-8",
            ) from None

    @property
    def begins_as_json(self) -> bool:
        """Whether the first character opens an object or a list."""
        return self.head[:64].strip(_SPACE)[:1] in (b"{", b"[")

    @cached_property
    def json(self) -> Any:
        """What the file holds as JSON: the document, or the list of lines of JSON Lines; None if it is not JSON.

        Raises
        ------
        ReadingError
            If it begins as JSON does and is damaged.
        """
        if not self.begins_as_json:
            return None
        try:
            return _parsed(self.text, _object)
        except RecursionError:
            raise self._damaged("it is nested too deeply") from None
        except ValueError as error:
            found: list[Any] = []
            for number, line in self.lines():
                try:
                    found.append(_parsed(line, _object))
                except (ValueError, RecursionError) as fault:
                    raise self._damaged(f"line {number:,}: {fault}" if found else str(error)) from None
            return found

    def document(self) -> dict[str, Any]:
        """Return the one JSON object of the file."""
        if not isinstance(self.json, dict):
            raise ReadingError(f"{self.name!r} is not a JSON object", remedy="copy or write the file again")
        return self.json

    def records(self) -> Iterator[tuple[int, Any]]:
        """Yield the entries of a list or of JSON Lines, with numbers from 1; errors in the place of damaged lines."""
        try:
            found = _parsed(self.text)
        except ValueError:
            for number, line in self.lines():
                try:
                    yield number, _parsed(line)
                except ValueError as error:
                    yield number, error
            return
        yield from enumerate(found if isinstance(found, list) else [found], start=1)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines that are not empty, with their numbers from 1."""
        return ((n, line.rstrip("\r")) for n, line in enumerate(self.text.split("\n"), start=1) if line.strip())

    def ended(self) -> str:
        """Return the text, if its last line ends with a line feed, as programs print it.

        Raises
        ------
        ValueError
            If it does not: then it was cut, maybe within a number.
        """
        if not self.text.endswith("\n"):
            raise ValueError("its last line does not end, so that it may have been cut off")
        return self.text

    def header(self) -> list[str]:
        """Return the names in the first line of delimited text; no names if the file is something else."""
        line = self.head.decode("utf-8", "replace").lstrip("\ufeff").partition("\n")[0].rstrip("\r")
        return next(csv.reader([line], delimiter="\t" if "\t" in line else ","), []) if "\0" not in line else []

    def table(self) -> pd.DataFrame:
        """Return the table of a CSV, TSV, JSON or Excel file.

        Raises
        ------
        ValueError
            If rows differ in length, names are there twice, or the last line of delimited text does not end.
        """
        import pandas as pd
        import pyarrow as pa
        import pyarrow.csv

        if self.head[:2] == b"PK":
            return pd.read_excel(io.BytesIO(self.data))
        if self.json is not None:
            return pd.DataFrame(self.json)
        form = pa.csv.ParseOptions(
            delimiter="\t" if b"\t" in self.head.partition(b"\n")[0] else ",", newlines_in_values=True
        )
        content = pa.csv.read_csv(io.BytesIO(self.ended().encode()), parse_options=form)
        if len({*content.column_names}) < content.num_columns:
            raise ValueError("two columns have one name")
        return cast("pd.DataFrame", content.to_pandas())

    def folder(self, *without: str) -> str:
        """Return the name of the nearest folder, or archive, that has none of these names."""
        parts = [part.removesuffix(".zip") for part in self.path.absolute().parent.parts[1:]]
        return next((part for part in reversed(parts) if part not in without), "")

    def _damaged(self, where: str) -> ReadingError:
        return ReadingError(
            f"{self.name!r} begins as JSON and is damaged", where=where[:160], remedy="copy or write the file again"
        )


def _parsed(text: str, of_pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    return json.loads(_HALF.sub(r"\\ufffd", text) if "\\ud" in text else text, object_pairs_hook=of_pairs)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON, in which no key may occur twice: one of two scores would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise ValueError(f"an object has the key {twice!r} twice")
    return found


@dataclass(frozen=True, slots=True)
class Outline:
    """Features of a file that tell which tool wrote it.

    Parameters
    ----------
    kind : {"object", "records", "damaged", "other"}
        One JSON object, several of them (a list, or one per line), JSON that cannot be read, or no JSON.
    record : dict
        The object, or the first of them.
    """

    kind: str
    record: Mapping[str, Any] = field(default_factory=dict)

    def has(self, *names: str) -> bool:
        """Tell whether all of these are keys."""
        return all(name in self.record for name in names)


def outline(file: File) -> Outline:
    """Return what a file is; only the first line of JSON Lines is parsed, but all of other JSON."""
    try:
        if not file.begins_as_json:
            return Outline("other")
        first, _, rest = file.head.strip(_SPACE).partition(b"\n")
        if not rest.strip():
            first, _, rest = file.data.strip().partition(b"\n")
        try:
            record = json.loads(first) if rest.strip() else None
        except ValueError:
            record = None
        if isinstance(record, dict):
            return Outline("records", record)
        if isinstance(file.json, dict):
            return Outline("object", file.json)
        if file.json and all(isinstance(one, dict) for one in file.json):
            return Outline("records", file.json[0])
        return Outline("other")
    except (ReadingError, RecursionError):
        return Outline("damaged")
    finally:
        if len(file.__dict__.get("data", b"")) > _LARGE:
            file.forget()
