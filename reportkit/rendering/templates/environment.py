"""Where templates are looked up, the sandbox that they run in, and what is said when one fails.

A template of a user stands under the same name as the one that it replaces, in `latex/`, `markdown/` or `html/` of a
folder of templates: `mine/latex/table.tex.jinja`. It runs in Jinja's own sandbox and reads the files of its folder
alone. What it sees is said in `view`.
"""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal, cast

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

from reportkit.errors import RenderingError, nearest
from reportkit.rendering.view import CONTEXT_VERSION

TemplateFormat = Literal["latex", "markdown", "html"]
FORMATS: dict[TemplateFormat, str] = {"latex": ".tex.jinja", "markdown": ".md.jinja", "html": ".html.jinja"}
"""Formats and the endings of their templates."""

_FAILURES: tuple[type[Exception], ...] = (TemplateError, RecursionError, OSError)
"""What a template of the project can cause without being a defect of it; one of a user can cause anything."""

_MOST_LOOKED_AT = 1_000
_PACKAGE = Path(__file__).resolve().parents[2]


def shipped_templates() -> Path:
    """Folder of the project's own templates: in the wheel beside the modules, in a checkout at its top.

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


class Templates:
    """The templates of one format.

    Parameters
    ----------
    template_format : {"latex", "markdown", "html"}
        See there.
    folders : sequence of Path
        Folders of a user, looked into first, in order.

    Raises
    ------
    RenderingError
        If a folder is not there, or holds no template under any of the known names.

    Examples
    --------
    >>> Templates("markdown").names
    ('figure', 'head', 'itemize', 'pandoc-figure', 'pandoc-report', 'pandoc-table', 'paragraph', 'report', 'table')
    """

    def __init__(self, template_format: TemplateFormat, folders: Sequence[Path] = ()) -> None:
        self.format = template_format
        self._failures = (Exception,) if folders else _FAILURES
        self._ending = FORMATS[template_format]
        shipped = shipped_templates()
        for folder in folders:
            _check(Path(folder), shipped)
        self._folders = [Path(folder) / template_format for folder in (*folders, shipped)]
        self._environment = _environment(template_format, self._folders)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the templates that a user can replace."""
        return tuple(
            sorted(path.name.removesuffix(self._ending) for path in self._folders[-1].glob(f"*{self._ending}"))
        )

    def render(self, name: str, **context: object) -> str:
        """Fill one template.

        Parameters
        ----------
        name : str
            Without folder and ending: "table".
        **context : object
            What the template sees, beside `context_version`.

        Returns
        -------
        str
            With one line break at the end.

        Raises
        ------
        RenderingError
            If the template has a mistake; the message names the file, the line and, for a missing field, the nearest.
        """
        file = name + self._ending
        context = {"context_version": CONTEXT_VERSION, **context}
        try:
            text = self._environment.get_template(file).render(context)
        except TemplateSyntaxError as error:
            place = f"{error.filename or error.name}, line {error.lineno}"
            raise RenderingError(f"a template cannot be read: {error.message}", where=place) from None
        except TemplateNotFound as error:
            raise RenderingError(
                f"there is no template {error.name!r}",
                where=self._place(error, file),
                remedy=self._nearest(str(error.name)),
            ) from None
        except _MissingFieldError as error:
            raise RenderingError(
                f"a template asks for {error.described}, which is not there",
                where=self._place(error, file),
                remedy=error.remedy(context),
            ) from None
        except SecurityError as error:
            raise RenderingError(
                f"a template does what templates may not do: {error.message}",
                where=self._place(error, file),
                remedy="let it place the strings that it is given, and nothing else",
            ) from None
        except self._failures as error:
            said = str(error) or type(error).__name__
            raise RenderingError(f"a template fails: {said}", where=self._place(error, file)) from None
        return text.rstrip() + "\n"

    def _place(self, error: BaseException, file: str) -> str:
        """File and line of the template in which an error arose."""
        roots = tuple(str(folder) for folder in self._folders)
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if frame.filename.startswith(roots):
                return f"{frame.filename}, line {frame.lineno}"
        return file

    def _nearest(self, name: str) -> str:
        known = self._environment.list_templates(filter_func=lambda name: name.endswith(self._ending))
        near = nearest(name, known)
        return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"


@lru_cache(maxsize=32)
def open_templates(template_format: TemplateFormat, folders: tuple[Path, ...] = ()) -> Templates:
    """Templates of one format, opened once; changed files are read again."""
    return Templates(template_format, folders)


def _check(folder: Path, shipped: Path) -> None:
    if not folder.is_dir():
        raise RenderingError(
            f"the folder of templates {str(folder)!r} is not there",
            remedy="name a folder with latex/ or markdown/ in it",
        )
    known = {f"{name}/{path.name}" for name, ending in FORMATS.items() for path in (shipped / name).glob(f"*{ending}")}
    if not any((folder / name).is_file() for name in known):
        found = _templates_in(folder)
        near = nearest(found[0], known) if found else []
        raise RenderingError(
            f"the folder of templates {str(folder)!r} replaces no template",
            where=f"it holds {', '.join(found)}" if found else "it holds no file that ends in .jinja",
            remedy=f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}",
        )


def _templates_in(folder: Path) -> list[str]:
    """A few templates in a folder and in those right below it, and no further: it may be the whole disk."""
    found = islice((path for pattern in ("*.jinja", "*/*.jinja") for path in folder.glob(pattern)), _MOST_LOOKED_AT)
    return sorted(path.relative_to(folder).as_posix() for path in found)[:5]


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


def _as_text(value: object) -> object:
    """Return what is written; refuse what has no text but Python's own, such as `(RowView(...), ...)`."""
    if isinstance(value, (str, Undefined)) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise SecurityError(f"it writes a value of type {type(value).__name__}, which is no text")


def _environment(template_format: TemplateFormat, folders: Iterable[Path]) -> Environment:
    latex: dict[str, str] = {
        "block_start_string": "<%",
        "block_end_string": "%>",
        "variable_start_string": "<<",
        "variable_end_string": ">>",
        "comment_start_string": "<#",
        "comment_end_string": "#>",
    }
    return ImmutableSandboxedEnvironment(
        loader=ChoiceLoader([FolderLoader(folder) for folder in folders]),
        undefined=_Missing,
        finalize=_as_text,
        autoescape=False,  # strings arrive escaped for their format
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        **cast(dict[str, Any], latex if template_format == "latex" else {}),
    )


class _MissingFieldError(UndefinedError):
    """A name that neither the context nor the object has."""

    def __init__(self, owner: object, name: object) -> None:
        self.owner, self.name = owner, str(name)
        super().__init__(self.described)

    @property
    def described(self) -> str:
        if self.owner is missing:
            return repr(self.name)
        return f"{self.name!r} of {type(self.owner).__name__}"

    def remedy(self, context: Mapping[str, object]) -> str:
        owner = self.owner
        if owner is missing:
            known = list(context)
        elif dataclasses.is_dataclass(owner):
            known = [field.name for field in dataclasses.fields(owner)]
        else:
            known = []
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
        wrapped = exc if exc is SecurityError else lambda _message: _MissingFieldError(obj, name)
        super().__init__(hint, obj, name, cast(type[UndefinedError], wrapped))
