"""The formats that are known: tables, and what harnesses write; two folders are the lists, and packages may add."""

from __future__ import annotations

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.readers.format import Format, Harness
from reportkit.registry import Registry, defined_in

AnyFormat = Format | Harness

FORMATS: Registry[Format] = Registry("format")
"""Names to formats of tables; the files of this folder that define a `Format` are the list."""

HARNESSES: Registry[Harness] = Registry("harness")
"""Names to what harnesses write, of packages; `reportkit.harnesses` reads the known tools."""


def register_reader(file_format: AnyFormat) -> AnyFormat:
    r"""Add a file format of your own, or of your package.

    Afterwards every place that takes results takes it, compressed too. A package names the format in its
    `pyproject.toml` instead, and nothing has to be imported:

    ```toml
    [project.entry-points."reportkit.readers"]
    semicolons = "my_package.semicolons:SEMICOLONS"
    ```

    Parameters
    ----------
    file_format : Format or Harness
        Name, endings, and the function that reads it. Formats may share an ending if they recognise their content.

    Returns
    -------
    Format or Harness
        The same.

    Raises
    ------
    SettingsError
        If it is neither, its name is that of a built-in one, or an ending is that of another format and it does not
        recognise its content. Another format under a name of your own replaces the first one.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import pandas as pd
    >>> from reportkit.readers import read_frame
    >>> def read_semicolons(source, *, columns, systems):
    ...     with source.open() as file:
    ...         return pd.read_csv(file, sep=";", dtype={"system": "category", "dataset": "category"})
    >>> register_reader(Format(name="semicolons", endings=(".ssv",), read=read_semicolons)).name
    'semicolons'
    >>> path = Path(tempfile.mkdtemp()) / "results.ssv"
    >>> _ = path.write_text("system;dataset;score\nours;cb;0.5\n")
    >>> read_frame(path)
      system dataset  score
    0   ours      cb    0.5
    >>> FORMATS.remove("semicolons")
    """
    if isinstance(file_format, Harness):
        HARNESSES.add(file_format.name, file_format)
        return file_format
    if not isinstance(file_format, Format):
        raise SettingsError(
            f"{file_format!r} is no format", remedy="give a Format (from reportkit.readers import Format)"
        )
    if file_format.can_read is None:
        others = [known for known in FORMATS.values() if known.name != file_format.name and known.can_read is None]
        for ending in file_format.endings:
            other = next((known.name for known in others if ending in known.endings), None)
            if other is not None:
                raise SettingsError(
                    f"{ending!r} is the ending of {other} already",
                    remedy="choose another ending, or say how the content is recognised: Format(..., can_read=...)",
                )
    FORMATS.add(file_format.name, file_format)
    return file_format


def known_endings() -> tuple[str, ...]:
    """Endings of the names of tables that can be read, without that of a compression.

    Examples
    --------
    >>> ".csv" in known_endings()
    True
    """
    return tuple(dict.fromkeys(ending for file_format in FORMATS.values() for ending in file_format.endings))


def format_named(name: str) -> AnyFormat:
    """The format of a name, in any case.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    known: dict[str, AnyFormat] = {**HARNESSES, **FORMATS}
    alike = [one for one in known if one.casefold() == str(name).casefold()]
    if not alike:
        raise UnknownNameError("format", name, known)
    return known[alike[0]]


def _load() -> None:
    for table in defined_in("reportkit.readers", Format):
        FORMATS.register(table.name, table)
    FORMATS.open_to("reportkit.readers", _add_table)
    HARNESSES.open_to("reportkit.readers", _add_harness)


def _add_table(found: object) -> None:
    """Entry points name tables and harnesses alike, and each registry reads them all."""
    if not isinstance(found, Harness):
        register_reader(found)  # type: ignore[arg-type]


def _add_harness(found: object) -> None:
    if isinstance(found, Harness):
        register_reader(found)


_load()
