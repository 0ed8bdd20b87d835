"""Templates: where they are looked up, the sandbox that they run in, and the errors of one that fails.

A template of a user stands under the same name as the one that it replaces: `mine/latex/table.tex.jinja`. It reads the
files of its folder alone. Whatever stands in braces is written in the notation of the format, once.
"""

from __future__ import annotations

import dataclasses
import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, cast, get_args

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.exceptions import SecurityError
from jinja2.runtime import Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing
from markupsafe import Markup

from reportkit.errors import RenderingError, ReportkitError, UnknownNameError, nearest
from reportkit.finding import Severity
from reportkit.rendering.notation import FORMATS, Format, pieces
from reportkit.rendering.text.escaping import padded
from reportkit.report.model import Words

_PACKAGE = Path(__file__).resolve().parents[1]
_MOST_LOOKED_AT = 1_000
_LATEX = {
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<<",
    "variable_end_string": ">>",
    "comment_start_string": "<#",
    "comment_end_string": "#>",
}


def shipped_templates() -> Path:
    """Return the folder of the project's own templates: in the wheel beside the modules, in a checkout at its top.

    Raises
    ------
    RenderingError
        If neither is there: a broken installation.
    """
    for folder in (_PACKAGE / "_templates", _PACKAGE.parent / "templates"):
        if folder.is_dir():
            return folder
    raise RenderingError(
        "the templates of reportkit are not installed", where=str(_PACKAGE / "_templates"), remedy="install it again"
    )


class Skeletons:
    """Templates of one format.

    Parameters
    ----------
    notation : Format
        The format that they are filled in.
    folders : sequence of Path
        Folders of a user, looked into first, in order.

    Raises
    ------
    RenderingError
        If a folder is not there, or holds no template under any of the known names.
    """

    def __init__(self, notation: Format, folders: Sequence[Path] = ()) -> None:
        self.notation = notation
        for folder in folders:
            check_folder(Path(folder))
        self._folders = [Path(folder) / notation.name for folder in (*folders, shipped_templates())]
        self._environment = _environment(notation, self._folders)

    def fill(self, name: str, **context: object) -> str:
        """Fill one template, named without folder and ending; the text ends with one line break.

        Raises
        ------
        RenderingError
            If the template has a mistake; the message names the file, the line and, for a missing name, the nearest.
        """
        file = f"{name}{self.notation.ending}.jinja"
        try:
            return self._environment.get_template(file).render(context).rstrip() + "\n"
        except ReportkitError:
            raise
        except TemplateSyntaxError as error:
            place = f"{error.filename or error.name}, line {error.lineno}"
            raise RenderingError(f"a template cannot be read: {error.message}", where=place) from None
        except TemplateNotFound as error:
            known = self._environment.list_templates()
            near = nearest(str(error.name), known)
            raise RenderingError(
                f"there is no template {error.name!r}",
                where=self._place(error, file),
                remedy=f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}",
            ) from None
        except _MissingNameError as error:
            raise RenderingError(
                f"a template asks for {error}, which is not there",
                where=self._place(error, file),
                remedy=error.remedy(context),
            ) from None
        except SecurityError as error:
            raise RenderingError(
                f"a template does what templates may not do: {error}", where=self._place(error, file)
            ) from None
        except (TemplateError, RecursionError, OSError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise RenderingError(f"a template fails: {error}", where=self._place(error, file)) from None

    def _place(self, error: BaseException, file: str) -> str:
        roots = tuple(str(folder) for folder in self._folders)
        frames = reversed(traceback.extract_tb(error.__traceback__))
        return next((f"{at.filename}, line {at.lineno}" for at in frames if at.filename.startswith(roots)), file)


def known_templates() -> dict[str, Path]:
    """Return all shipped templates by name, `latex/table`."""
    shipped = shipped_templates()
    found = sorted(path for path in shipped.glob("*/*") if path.is_file())
    return {f"{path.parent.name}/{path.name.partition('.')[0]}": path for path in found}


def templates_found(folders: Sequence[Path] = (), names: Sequence[str] = ()) -> dict[str, Path]:
    """Return templates by name, with the file that is taken.

    Parameters
    ----------
    folders : sequence of Path
        Folders of a user, looked into first, in order.
    names : sequence of str
        Templates, "latex/table", or "latex" for all of one folder; all by default.

    Raises
    ------
    UnknownNameError
        If there is no such template; the nearest names are said.
    RenderingError
        If a folder is not there, or replaces no template.
    """
    shipped, files = shipped_templates(), known_templates()
    for folder in folders:
        check_folder(folder)
    for name in names:
        if not any(name in (known, known.partition("/")[0]) for known in files):
            raise UnknownNameError("template", name, files)
    taken = {
        name: next((own for folder in folders if (own := folder / path.relative_to(shipped)).is_file()), path)
        for name, path in files.items()
    }
    return {name: path for name, path in taken.items() if not names or {name, name.partition("/")[0]} & set(names)}


def copy_templates(files: Mapping[str, Path], folder: Path) -> tuple[Path, ...]:
    """Copy templates to a folder, under the names by which they are found there.

    Raises
    ------
    RenderingError
        If a file stands in the way, or the folder cannot be written.
    """
    targets = {folder / name.partition("/")[0] / path.name: path for name, path in files.items()}
    for target in targets:
        if target.exists():
            raise RenderingError(
                f"{str(target)!r} is there already, and is not replaced", remedy="name another folder, or move it away"
            )
    try:
        for target, path in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    except OSError as error:
        raise RenderingError(
            f"the template {str(error.filename)!r} cannot be written: {error.strerror}",
            remedy="check the rights, or name another folder",
        ) from None
    return tuple(targets)


def check_folder(folder: Path) -> None:
    """Raise RenderingError if a folder of templates is not there, or replaces none."""
    if not folder.is_dir():
        raise RenderingError(
            f"the folder of templates {str(folder)!r} is not there",
            remedy="copy the templates that you want to change with `reportkit templates`, and name that folder",
        )
    known = {path.relative_to(shipped_templates()).as_posix() for path in known_templates().values()}
    if any((folder / name).is_file() for name in known):
        return
    inside = islice((path for pattern in ("*.jinja", "*/*.jinja") for path in folder.glob(pattern)), _MOST_LOOKED_AT)
    found = sorted(path.relative_to(folder).as_posix() for path in inside)[:5]
    near = nearest(found[0], known) if found else []
    raise RenderingError(
        f"the folder of templates {str(folder)!r} replaces no template",
        where=f"it holds {', '.join(found)}" if found else "it holds no file that ends in .jinja",
        remedy=f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}",
    )


class FolderLoader(FileSystemLoader):
    """Load templates that are really in one folder: a link that leads out is not followed."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """Return the text of a template, its path, and whether it is still the same.

        Raises
        ------
        TemplateNotFound
            If it is not there, or is outside.
        RenderingError
            If it is no text.
        """
        folder = Path(self.searchpath[0]).resolve()
        if not (folder / template).resolve().is_relative_to(folder):
            raise TemplateNotFound(template)
        try:
            return super().get_source(environment, template)
        except UnicodeDecodeError:
            raise RenderingError("a template is no UTF-8 text", where=template, remedy="save it as UTF-8") from None


def _environment(notation: Format, folders: Sequence[Path]) -> Environment:
    def written(value: object) -> object:
        if isinstance(value, (Markup, Undefined)):
            return value
        if isinstance(value, str):
            return notation.write(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return Markup(value)  # noqa: S704 - digits
        raise SecurityError(f"it writes a value of type {type(value).__name__}, which is no text")

    found = ImmutableSandboxedEnvironment(
        loader=ChoiceLoader([FolderLoader(folder) for folder in folders]),
        undefined=_Missing,
        finalize=written,
        autoescape=True,  # so that what a macro returns is known as written
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        **cast(dict[str, Any], _LATEX if notation.name == "latex" else {}),
    )
    found.filters |= {
        "running": lambda text: text if isinstance(text, Markup) else notation.write(text, running=True),
        "mark": lambda signs: Markup(notation.mark(signs)),  # noqa: S704 - escaped there
        "bold": lambda text: Markup(notation.strong(cast(str, written(text)))),  # noqa: S704
        "underline": lambda text: Markup(notation.underline(cast(str, written(text)))),  # noqa: S704
        "line": lambda text: Markup(notation.line(cast(str, written(text)))),  # noqa: S704
        "points": lambda length: Markup(f"{length:g}pt"),  # noqa: S704 - a number
        "quoted": lambda text: Markup(notation.quoted(text)),  # noqa: S704
        "breakable": lambda name: Markup(_PIECES.sub(_with_break, name)),  # noqa: S704
        "severity": severity,
        "even": even,
        "raw": Markup,
    }
    return found


_PIECES = re.compile(r"(<[^>]*>|&[^;]*;)|(?<=[\w)])[_/.:@-]+(?=\w)")
_SEVERITIES: tuple[str, ...] = get_args(Severity)


def _with_break(found: re.Match[str]) -> str:
    """Let a name be broken behind its signs on a narrow screen, and nowhere else; elements and entities stay."""
    return found[0] if found[1] else f"{found[0]}<wbr>"


def severity(item: Words) -> str:
    """Return what a point of a list begins with in bold, if that says how much it limits the claims."""
    kind, content = next(pieces(item), ("", ""))
    words = str(Format().write(content)).lower() if kind == "strong" else ""
    return words if words in _SEVERITIES else ""


def even(rows: str, separator: str) -> Markup:
    r"""Fill the cells of a table's source with spaces, so that its columns stand below one another.

    Examples
    --------
    >>> print(even("System & n \\\\\nR\\&D & 872 \\\\\n", "&"))
    System & n \\
    R\&D   & 872 \\
    <BLANKLINE>
    """
    split = re.compile(rf" *(?<!\\){re.escape(separator)} *")
    lines = [split.split(line) for line in rows.splitlines() if line.strip()]
    count = max(map(len, lines), default=0)
    tabular = [line for line in lines if len(line) == count > 1]
    filled = iter(padded(tabular, last=separator == "|"))
    joined = (f" {separator} ".join(next(filled) if len(line) == count > 1 else line) for line in lines)
    return Markup("".join(f"{line.strip()}\n" for line in joined))  # noqa: S704 - written before


class _MissingNameError(UndefinedError):
    """A name that neither the context nor the object has."""

    def __init__(self, owner: object, name: object) -> None:
        self.owner, self.name = owner, str(name)
        super().__init__(repr(self.name) + ("" if owner is missing else f" of {type(owner).__name__}"))

    def remedy(self, context: Mapping[str, object]) -> str:
        known = list(context) if self.owner is missing else []
        if dataclasses.is_dataclass(self.owner):
            known = [field.name for field in dataclasses.fields(self.owner)]
        near = nearest(self.name, known)
        return (f"did you mean {near[0]!r}? " if near else "") + f"known: {', '.join(known) or 'none'}"


class _Missing(StrictUndefined):
    """An undefined name whose error knows where it was looked for."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,  # as Jinja declares it
        name: str | None = None,
        exc: Callable[..., Exception] = UndefinedError,
    ) -> None:
        wrapped = exc if exc is SecurityError else lambda _message: _MissingNameError(obj, name)
        super().__init__(hint, obj, name, cast(type[UndefinedError], wrapped))


def skeletons(notation: Format | str, folders: Sequence[Path] = ()) -> Skeletons:
    """Open the templates of a format."""
    return Skeletons(FORMATS[notation]() if isinstance(notation, str) else notation, folders)
