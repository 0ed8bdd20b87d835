"""Files as readers see them: a name, bytes, text, and the objects of JSON, each read once and when it is needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from reportkit.errors import ReadingError


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
        """Free what is held of the content; it is read again where it is needed again."""
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

    @cached_property
    def json(self) -> Any:
        """What the file holds as JSON: the document, or the list of lines of JSON Lines; None if it is no JSON.

        Raises
        ------
        ReadingError
            If it begins as JSON does and is damaged.
        """
        if self.head[:64].strip(b"\xff\xfe\xef\xbb\xbf\x00 \t\r\n")[:1] not in (b"{", b"["):
            return None
        try:
            return json.loads(self.text, object_pairs_hook=_object)
        except RecursionError:
            raise self._damaged("it is nested too deeply") from None
        except ValueError as error:
            lines = [(number, line) for number, line in enumerate(self.text.split("\n"), start=1) if line.strip()]
            found = []
            for number, line in lines:
                try:
                    found.append(json.loads(line, object_pairs_hook=_object))
                except (ValueError, RecursionError) as fault:
                    raise self._damaged(f"line {number:,}: {fault}" if found else str(error)) from None
            return found

    def _damaged(self, where: str) -> ReadingError:
        return ReadingError(
            f"{self.name!r} begins as JSON and is damaged", where=where[:160], remedy="copy or write the file again"
        )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON, in which no key may occur twice: one of two scores would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise ValueError(f"an object has the key {twice!r} twice")
    return found
