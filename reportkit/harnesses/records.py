"""Walk the records of JSON documents, lists and JSON Lines whatever they are called, and note what cannot be read."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from reportkit.errors import ReadingError
from reportkit.finding import Finding, Severity
from reportkit.harnesses.file import File
from reportkit.language import counted, listed

if TYPE_CHECKING:
    import pandas as pd

MALFORMED = (
    *(LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, NotImplementedError),
    *(OSError, EOFError, zlib.error, zipfile.BadZipFile, csv.Error),
)
"""Exceptions of reading damaged or unexpected content; `ReadingError` is a `ValueError`."""

SYSTEMS = frozenset({"model", "models", "model_name", "system", "systems", "method", "llm", "agent"})
"""Columns that name systems: a table with one of them says more than a tool would write."""

_LARGE = 1 << 18
T = TypeVar("T")


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
    """Return what a file is; of JSON Lines the first line is parsed, of other JSON everything."""
    try:
        if file.head[:64].strip(b"\xff\xfe\xef\xbb\xbf\x00 \t\r\n")[:1] not in (b"{", b"["):
            return Outline("other")
        first, _, rest = file.head.strip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
        if not rest.strip():
            first, _, rest = file.data.strip().partition(b"\n")
        try:
            record = json.loads(first) if rest.strip() else None
        except ValueError:
            record = None
        if isinstance(record, dict):
            return Outline("records", record)
        found = file.json
        if isinstance(found, dict):
            return Outline("object", found)
        if found and all(isinstance(one, dict) for one in found):
            return Outline("records", found[0])
        return Outline("other")
    except (ReadingError, RecursionError):
        return Outline("damaged")
    finally:
        if len(file.__dict__.get("data", b"")) > _LARGE:
            file.forget()


def document(file: File) -> dict[str, Any]:
    """Return the one JSON object of a file."""
    found = file.json
    if not isinstance(found, dict):
        raise ReadingError(f"{file.name!r} is no JSON object", remedy="copy or write the file again")
    return found


@dataclass(slots=True)
class Faults:
    """Collect what cannot be read and is left out: files, samples, metrics without a number for each sample."""

    files: dict[str, str] = field(default_factory=dict)
    samples: dict[str, list[str]] = field(default_factory=dict)
    metrics: dict[str, None] = field(default_factory=dict)

    @contextmanager
    def of_file(self, file: File) -> Iterator[None]:
        """Leave a file out where reading it fails."""
        try:
            yield
        except MALFORMED as error:
            self.files[file.name] = _said(error)
        finally:
            file.forget()

    def sample(self, file: File, name: object, error: object) -> None:
        """Note that one sample, or one of its scores, was left out."""
        self.samples.setdefault(file.name, []).append(
            f"{name}: {_said(error) if isinstance(error, Exception) else error}"
        )

    def each(self, file: File, read: Callable[[Any], T | None], items: Iterable[Any] | None = None) -> list[T]:
        """Read each record of a file, or each item; those that cannot be read are noted, None is left out.

        Raises
        ------
        ReadingError
            If there is no record that can be read.
        """
        found, failed = [], False
        for number, record in self._walk(file) if items is None else enumerate(items, start=1):
            try:
                if isinstance(record, Exception):
                    raise record
                if (one := read(record)) is not None:
                    found.append(one)
            except MALFORMED as error:
                failed = True
                self.sample(file, f"record {number:,}", error)
        if failed and not found:
            raise ReadingError(f"no record can be read: {self.samples.pop(file.name)[0]}")
        return found

    def _walk(self, file: File) -> Iterator[tuple[int, Any]]:
        """Yield objects with their numbers, and errors in the place of those that are damaged."""
        text = file.text
        try:
            found = json.loads(text)
        except ValueError:
            for number, line in enumerate(text.split("\n"), start=1):
                if line.strip():
                    try:
                        yield number, json.loads(line)
                    except ValueError as error:
                        yield number, error
            return
        yield from enumerate(found if isinstance(found, list) else [found], start=1)

    def numbers(
        self, file: File, name: object, values: Mapping[str, Any], words: Mapping[str, float] | None = None
    ) -> dict[str, float | None]:
        """Return scores by metric; a value that stands for no number is noted, and left out."""
        found = {}
        for metric, value in values.items():
            if isinstance(value, (list, tuple, dict)):
                self.metrics[metric] = None
                continue
            try:
                found[metric] = number(value, words)
            except MALFORMED as error:
                self.sample(file, f"{name}, {metric}", error)
        return found

    def findings(self) -> list[Finding]:
        """Return one warning about files and one about samples."""
        found = []
        if self.files:
            where = "; ".join(f"{name!r}: {why}" for name, why in list(self.files.items())[:5])
            message = f"{counted(len(self.files), 'file')} left out: not complete, or damaged."
            found.append(Finding("files-left-out", "warning", message, where, "copy or write these files again"))
        n = sum(map(len, self.samples.values()))
        if n:
            where = "; ".join(f"{name!r}: {listed(said, 2)}" for name, said in list(self.samples.items())[:5])
            found.append(Finding("samples-left-out", "warning", f"{counted(n, 'sample')} left out.", where))
        if self.metrics:
            message = (
                "Metrics whose values are no numbers, as they are computed from all samples at once, were left out."
            )
            found.append(Finding("no-instance-scores", "info", message, listed(list(self.metrics), 5)))
        return found


def tally(code: str, severity: Severity, message: str, counts: Mapping[str, int], remedy: str = "") -> list[Finding]:
    """Return one finding that says how often something is the case, by what; none where it is not."""
    where = listed([f"{name} ({n:,})" for name, n in counts.items() if n], 5)
    return [Finding(code, severity, message, where, remedy)] if where else []


def _said(error: Exception) -> str:
    if isinstance(error, ReadingError):
        return error.problem + (f" ({error.where})" if error.where else "")
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is absent"
    return " ".join(str(error).split())[:160] or type(error).__name__


def number(value: object, words: Mapping[str, float] | None = None) -> float | None:
    """Return a score; None where there is none (null, NaN).

    Parameters
    ----------
    value : object
        Number, truth value, text of a number, or one of the words.
    words : mapping of str to float, optional
        What the tool writes for numbers, such as "C" for 1.

    Raises
    ------
    ValueError
        If it stands for no number.

    Examples
    --------
    >>> number(True), number("0.5"), number("C", {"C": 1.0}), number(float("nan"))
    (1.0, 0.5, 1.0, None)
    """
    if value is None:
        return None
    if isinstance(value, str) and words and value in words:
        return words[value]
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ValueError(f"{str(value)[:40]!r} is no number") from None
    if math.isinf(found):
        raise ValueError(f"{found} is no score")
    return None if math.isnan(found) else found


def name_of(value: object) -> str:
    """Return a name or an id as a text: 7 and 7.0 are "7".

    Raises
    ------
    ValueError
        If it is empty, or no name.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or not str(value).strip():
        raise ValueError(f"{str(value)[:40]!r} is no name")
    return str(value).strip()


def inside(content: object, *keys: str) -> Any:
    """Return what is at a path of keys, or None."""
    for key in keys:
        content = content.get(key) if isinstance(content, Mapping) else None
    return content


def digest(value: object) -> str:
    """Return a short text that is the same for equal values."""
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def beside(file: File, pattern: str, files: Sequence[File]) -> list[File]:
    """Return the files of the same folder whose names fit, also where the user did not give them."""
    found = {one.name: one for one in files if one.path.parent == file.path.parent and one.path.match(pattern)}
    if file.path.is_file():
        for path in sorted(file.path.parent.glob(pattern)):
            if str(path) not in found and path.is_file():
                found[str(path)] = File(path, path.read_bytes)
    return list(found.values())


def folder_of(file: File, *without: str) -> str:
    """Return the name of the nearest folder, or archive, that is called none of these."""
    parts = [part.removesuffix(".zip") for part in file.path.absolute().parent.parts[1:]]
    return next((part for part in reversed(parts) if part not in without), "")


def table(file: File) -> pd.DataFrame:
    """Return the table of a CSV, TSV, JSON or Excel file.

    Raises
    ------
    ValueError
        If rows differ in length, names are there twice, or the last line of delimited text does not end.
    """
    import pandas as pd
    import pyarrow as pa
    import pyarrow.csv

    if file.head[:2] == b"PK":
        return pd.read_excel(io.BytesIO(file.data))
    if (found := file.json) is not None:
        return pd.DataFrame(found)
    text = ended(file)
    form = pa.csv.ParseOptions(delimiter="\t" if "\t" in text.partition("\n")[0] else ",", newlines_in_values=True)
    content = pa.csv.read_csv(io.BytesIO(text.encode()), parse_options=form)
    if len({*content.column_names}) < content.num_columns:
        raise ValueError("two columns have one name")
    return cast("pd.DataFrame", content.to_pandas())


def header(file: File) -> list[str]:
    """Return the names in the first line of delimited text; none of other files."""
    line = file.head.decode("utf-8", "replace").lstrip("\ufeff").partition("\n")[0].rstrip("\r")
    return next(csv.reader([line], delimiter="\t" if "\t" in line else ","), []) if "\0" not in line else []


def ended(file: File) -> str:
    """Return a text whose last line ends, as those that programs print do.

    Raises
    ------
    ValueError
        If it does not: then it was cut, maybe within a number.
    """
    if not file.text.endswith("\n"):
        raise ValueError("its last line does not end, so that it may have been cut off")
    return file.text


def lines(file: File) -> Iterable[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers from 1."""
    return ((n, line.rstrip("\r")) for n, line in enumerate(file.text.split("\n"), start=1) if line.strip())
