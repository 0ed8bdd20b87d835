"""The files of templates: which there are, which folder each comes from, and copies for a user to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reportkit.errors import RenderingError, UnknownNameError
from reportkit.rendering.templates.environment import FORMATS, Templates, shipped_templates


def found(folders: Sequence[Path] = (), names: Sequence[str] = ()) -> dict[str, Path]:
    """Templates by name, with the file that is taken.

    Parameters
    ----------
    folders : sequence of Path
        Folders of a user, looked into first, in order.
    names : sequence of str
        Which: "latex/table", or "latex" for all of one format; all by default.

    Raises
    ------
    UnknownNameError
        If there is no such template; the nearest names are said.
    RenderingError
        If a folder is not there, or replaces no template.

    Examples
    --------
    >>> list(found(names=["markdown/table"]))
    ['markdown/table']
    """
    files: dict[str, Path] = {}
    for template_format, ending in FORMATS.items():
        for name in Templates(template_format, folders).names:
            places = (folder / template_format / f"{name}{ending}" for folder in (*folders, shipped_templates()))
            files[f"{template_format}/{name}"] = next(path for path in places if path.is_file())
    if not names:
        return files
    for name in names:
        if name not in files and name not in FORMATS:
            raise UnknownNameError("template", name, [*files, *FORMATS])
    return {name: path for name, path in files.items() if name in names or name.partition("/")[0] in names}


def copied(files: Mapping[str, Path], folder: Path) -> tuple[Path, ...]:
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
