"""Templates: where they are found, and the sandbox in which they run.

A template of a user is under the same name as the one that it replaces: `mine/latex/table.tex.jinja`. Whatever
is in braces is written in the notation of the format, once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from jinja2 import FileSystemLoader, StrictUndefined, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.runtime import Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from reportkit.errors import RenderingError, UnknownNameError, nearest
from reportkit.rendering.notation import Format
from reportkit.rendering.text.escaping import columns_in_terminal
from reportkit.report.wording import FAILURES, compiled_templates, failure, shipped_templates

_LATEX = {
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<<",
    "variable_end_string": ">>",
    "comment_start_string": "<#",
    "comment_end_string": "#>",
}


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
        self._environment = _environment(
            notation, [Path(one) / notation.name for one in (*folders, shipped_templates())]
        )

    def fill(self, name: str, **context: object) -> str:
        """Fill one template, named without folder and ending; the text ends with one line break.

        Raises
        ------
        RenderingError
            If the template has a mistake; the message names the file and the line.
        """
        file = f"{name}{self.notation.ending}.jinja"
        try:
            return self._environment.get_template(file).render(context).rstrip() + "\n"
        except FAILURES as error:
            raise failure(error, file) from None


def known_templates() -> dict[str, Path]:
    """Return all shipped templates by name, `latex/table`."""
    found = sorted(path for path in shipped_templates().glob("*/*") if path.is_file())
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
        If there is no such template; the message suggests the nearest.
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
        If a file is in the way, or the folder cannot be written.
    """
    targets = {folder / name.partition("/")[0] / path.name: path for name, path in files.items()}
    try:
        for target, path in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as stream:
                stream.write(path.read_bytes())
    except FileExistsError as error:
        raise RenderingError(
            f"{str(error.filename)!r} is there already, and is not replaced",
            remedy="name another folder, or move it away",
        ) from None
    except OSError as error:
        raise RenderingError(
            f"{str(error.filename)!r} cannot be written: {error.strerror}",
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
    found = sorted(path.relative_to(folder).as_posix() for at in ("*", "*/*") for path in folder.glob(f"{at}.jinja"))[
        :5
    ]
    near = nearest(found[0], known) if found else []
    raise RenderingError(
        f"the folder of templates {str(folder)!r} replaces no template",
        where=f"it holds {', '.join(found)}" if found else "it holds no file that ends in .jinja",
        remedy=f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}",
    )


def _environment(notation: Format, folders: Sequence[Path]) -> ImmutableSandboxedEnvironment:
    def written(value: object) -> object:
        if isinstance(value, (Markup, Undefined)):
            return value
        if isinstance(value, str):
            return notation.write(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return Markup(value)  # noqa: S704 - digits
        raise SecurityError(f"it writes a value of type {type(value).__name__}, which is not text")

    found = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        finalize=pass_eval_context(lambda _, value: written(value)),
        autoescape=True,  # marks what a macro returns as escaped
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        optimized=False,
        bytecode_cache=compiled_templates(notation.name),
        **cast(dict[str, Any], _LATEX if notation.name == "latex" else {}),
    )
    found.filters |= {
        "running": lambda text: text if isinstance(text, Markup) else notation.write(text, running=True),
        "mark": lambda signs: Markup(notation.mark(signs)),  # noqa: S704 - escaped there
        "bold": lambda text: Markup(notation.strong(cast(str, written(text)))),  # noqa: S704
        "underline": lambda text: Markup(notation.underline(cast(str, written(text)))),  # noqa: S704
        "line": lambda text: Markup(notation.line(cast(str, written(text)))),  # noqa: S704
        "points": lambda length: Markup(f"{length:g}pt"),  # noqa: S704 - a number
        "size": lambda length: Markup(f"{length:g}"),  # noqa: S704 - a number
        "quoted": lambda text: Markup(notation.quoted(text)),  # noqa: S704
        "breakable": lambda name: Markup(_PIECES.sub(_with_break, name)),  # noqa: S704
        "even": even,
        "raw": Markup,
    }
    return found


_PIECES = re.compile(r"(<[^>]*>|&[^;]*;)|(?<=[\w)])[_/.:@-]+(?=\w)")


def _with_break(found: re.Match[str]) -> str:
    """Let a name break after its signs on a narrow screen and nowhere else; elements and entities stay whole."""
    return found[0] if found[1] else f"{found[0]}<wbr>"


_WIDEST = 44
"""Cells of more characters do not make their column wider."""


def even(rows: str, separator: str) -> Markup:
    r"""Pad the cells of a table's source with spaces, so that its columns line up.

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
    whole = [line for line in lines if len(line) == count > 1]
    widths = [
        max((n for n in map(columns_in_terminal, at) if n <= _WIDEST), default=0) for at in zip(*whole, strict=True)
    ]
    widths[-1:] = widths[-1:] if separator == "|" else [0]
    for line in whole:
        line[:] = [cell + " " * (width - columns_in_terminal(cell)) for cell, width in zip(line, widths, strict=True)]
    return Markup("".join(f"{f' {separator} '.join(line).strip()}\n" for line in lines))  # noqa: S704 - written before
