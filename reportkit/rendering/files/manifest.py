"""`report.json` as a file: the content for machines, the report itself, and the files that belong to it."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

from reportkit.errors import ReadingError, RenderingError, ReportkitError
from reportkit.rendering.files.paper_place import regular_bytes
from reportkit.rendering.files.placing import settle
from reportkit.report.machine.serialise import decode_report, encode_report
from reportkit.report.machine.tables_beside import put_back
from reportkit.report.model import Report

MANIFEST = "report.json"
SCHEMA_MAJOR = "2"
_DOCUMENT, _FILES, _CHECKSUMS = "document", "files", "checksums"
_COMPACT = (_DOCUMENT, "comparisons")
_LINE = 120
_FULL_LINE = re.compile(rf".{{1,{_LINE - 3}}}(?:,|$)")

_OF_CONTENT = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What Python raises where pieces do not go together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What `report.json` holds.

    Parameters
    ----------
    report : Report
        The report, equal to the one that was written.
    files : tuple of str
        Names of the files that were written, from the report's folder.
    checksums : mapping of str to str
        Their SHA-256, 64 hexadecimal digits; that of `report.json` is of its content without this member.
    intact : bool
        Whether `report.json` itself is as it was written.
    """

    report: Report
    files: tuple[str, ...]
    checksums: Mapping[str, str]
    intact: bool

    @contextmanager
    def rendering(self) -> Iterator[None]:
        """Say of a file that somebody has changed that it cannot be rendered, whatever it is that fails.

        What it says is checked piece by piece when it is read, but not whether the pieces go together. Of a file that
        is as it was written, the error is a defect and stays what it is.

        Raises
        ------
        ReadingError
            With the first error.
        """
        try:
            yield
        except _OF_CONTENT as error:
            if self.intact or isinstance(error, ReportkitError):
                raise
            raise ReadingError(
                f"{MANIFEST} is not as reportkit writes it: it was changed, and its pieces do not go together",
                where=f"{type(error).__name__}: {error}",
                remedy="restore the file, or build the report again",
            ) from None


def manifest_text(report: Report, data: Mapping[str, Any], files: Mapping[str, bytes]) -> str:
    """Write `report.json`.

    Parameters
    ----------
    report : Report
        Any.
    data : mapping
        Its content for machines, without what stands in tables beside it.
    files : mapping of str to bytes
        The files by name, in order; the content of `report.json` among them does not matter.

    Raises
    ------
    RenderingError
        If the content for machines is not JSON, as with NaN in it.
    """
    names = [*files] if MANIFEST in files else [MANIFEST, *files]
    content = {
        "signature": report.signature.line,
        **data,
        _DOCUMENT: encode_report(report),
        _FILES: names,
    }
    try:
        checksums = {name: _checksum(content) if name == MANIFEST else sha256(files[name]) for name in names}
        members = [f"  {_dumped(name)}: {_laid_out(name, value)}" for name, value in content.items()]
    except (TypeError, ValueError) as error:
        raise RenderingError(f"the content of {MANIFEST} is not JSON: {error}") from None
    members.append(f'  "{_CHECKSUMS}": {_laid_out(_CHECKSUMS, checksums)}')
    return "{\n" + ",\n".join(members) + "\n}\n"


def read_manifest(path: Path) -> Manifest:
    """Read `report.json`.

    Parameters
    ----------
    path : Path
        The file, or the folder that holds it.

    Raises
    ------
    ReadingError
        If it is not there, is not JSON, is no report of reportkit, is of another version, or if anything in it is not
        as it must be; the message says where.
    """
    file = path / MANIFEST if path.is_dir() else path
    settle(file.parent)
    content = _parsed(file)
    schema = content.get("schema_version")
    ours = _DOCUMENT in content or "comparisons" in content
    if isinstance(schema, str) and ours and schema.partition(".")[0] != SCHEMA_MAJOR:
        raise ReadingError(
            f"{str(file)!r} has schema version {schema!r}; this reportkit reads version {SCHEMA_MAJOR}",
            remedy="use the version of reportkit that wrote it, or build the report again",
        )
    if not isinstance(schema, str) or _DOCUMENT not in content:
        raise ReadingError(
            f"{str(file)!r} is no report of reportkit: it has no "
            + ("schema_version" if schema is None else f"{_DOCUMENT!r}"),
            remedy=f"name the {MANIFEST} that `reportkit build` wrote, or its folder",
        )
    data = {name: value for name, value in content.items() if name not in (_DOCUMENT, _FILES, _CHECKSUMS)}
    checksums = _texts(content, _CHECKSUMS, file, dict)
    whole = put_back(data, file.parent)
    report = decode_report(content[_DOCUMENT], whole, where=f"{file}: {_DOCUMENT}")
    without = {name: value for name, value in content.items() if name != _CHECKSUMS}
    return Manifest(
        report=report,
        files=tuple(_texts(content, _FILES, file, list)),
        checksums=checksums,
        intact=checksums.get(MANIFEST) == _checksum(without) and data.get("signature") == report.signature.line,
    )


def sha256(content: bytes) -> str:
    """SHA-256 of some bytes, 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _checksum(content: Mapping[str, Any]) -> str:
    """Of the members, without the layout: sorted, no spaces, ASCII."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(text.encode("ascii"))


def _parsed(file: Path) -> dict[str, Any]:
    def unlike(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            name = Counter(name for name, _ in pairs).most_common(1)[0][0]
            raise ValueError(f"{name!r} stands twice in one object")
        return members

    def no_number(name: str) -> NoReturn:
        raise ValueError(f"{name} is no number of JSON")

    try:
        content = json.loads(regular_bytes(file), object_pairs_hook=unlike, parse_constant=no_number)
    except FileNotFoundError:
        raise ReadingError(
            f"there is no file {str(file)!r}", remedy=f"name the folder that `reportkit build` wrote, or its {MANIFEST}"
        ) from None
    except OSError as error:
        raise ReadingError(f"{str(file)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ReadingError(
            f"{str(file)!r} is not JSON: {error}", remedy="restore the file, or build the report again"
        ) from None
    if not isinstance(content, dict):
        raise ReadingError(f"{str(file)!r} is no report of reportkit: it holds no object")
    return content


def _texts(content: Mapping[str, Any], name: str, file: Path, kind: type[list[Any] | dict[str, Any]]) -> Any:
    """Return a list of strings, or a mapping of strings to strings."""
    value = content.get(name)
    if isinstance(value, kind):
        texts: Iterable[object] = value.values() if isinstance(value, dict) else value
        if all(isinstance(text, str) for text in texts):
            return value
    raise ReadingError(
        f"{name!r} is not as reportkit writes it",
        where=f"{file}: {name}",
        remedy="restore the file, or build the report again",
    )


def _dumped(value: object, indent: int | None = None) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)


def _laid_out(name: str, value: object) -> str:
    """Two spaces for each level, as programs write JSON; what is long with as much on a line as fits."""
    if name in _COMPACT:
        return _filled(value, "  ")
    return _dumped(value, indent=2).replace("\n", "\n  ")


def _filled(value: object, indent: str) -> str:
    if not isinstance(value, (dict, list)):
        return _dumped(value)
    inner = indent + "  "
    first, last = "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        parts = [f"{_dumped(name)}: {_filled(part, inner)}" for name, part in value.items()]
    elif _is_numeric(value):
        return _wrapped(value)
    else:
        parts = [_filled(part, inner) for part in value]
    if sum(map(len, parts)) + 2 * len(parts) + len(indent) <= _LINE and not any("\n" in part for part in parts):
        return first + ", ".join(parts) + last
    return f"{first}\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}{last}"


def _is_numeric(value: object) -> TypeGuard[list[Any]]:
    """Whether it is numbers only, or lists of them: of such there are many, and nobody reads them one by one."""
    return isinstance(value, list) and all(
        part is None or isinstance(part, (int, float)) or _is_numeric(part) for part in value
    )


def _wrapped(numbers: list[Any]) -> str:
    """Numbers without spaces, each line full."""
    text = json.dumps(numbers, separators=(",", ":"), allow_nan=False)
    return "\n  ".join(_FULL_LINE.findall(text))
