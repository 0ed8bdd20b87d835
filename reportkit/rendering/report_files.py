"""A report as files: everything is written into a new folder next to the old one, which takes its place at once."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from reportkit.appearance import Further
from reportkit.errors import RenderingError
from reportkit.rendering.documents import Writer, report_writer
from reportkit.rendering.exports import csv_table
from reportkit.rendering.literature import all_texts, bibtex, cited_keys, origin
from reportkit.rendering.macros import latex_numbers, markdown_numbers
from reportkit.rendering.page import Images, Page, Picture, images_of
from reportkit.rendering.stored import files_of
from reportkit.rendering.text.escaping import visible
from reportkit.rendering.word import word_document
from reportkit.rendering.workbook import workbook
from reportkit.report.assemble import assemble
from reportkit.report.facts_json import MANIFEST, stored
from reportkit.report.model import Paragraph, Report

MORE = "more"
"""Folder for other formats and lengths, and numbers."""

OPENED_FIRST = "report.html"
PDF = "report.pdf"


def write_report(report: Report, folder: str | Path, *, templates: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Write a report with its tables, figures and paragraph, and what its appearance asks for besides.

    Parameters
    ----------
    report : Report
        Any.
    folder : str or Path
        Made if it is not there. Files of an older report go; other files stay.
    templates : sequence of Path
        Folders with templates of a user, looked into first.

    Returns
    -------
    tuple of Path
        The files, `report.html` first. The same report gives the same bytes.

    Raises
    ------
    RenderingError
        If a template fails, the folder cannot be written, or a file is in the way that reportkit did not write: the
        older report is then as it was. If a format fails that was asked for besides: all other files are then written.
    UnknownNameError
        If a work is cited that is not in the literature.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise RenderingError(f"{str(target)!r} is a file, not a folder", remedy="name another folder for the report")
    files, failed = rendered(report, templates)
    try:
        put_in_place(target, files)
    except OSError as error:
        raise RenderingError(
            f"the folder {str(target)!r} cannot be written: {error.strerror or error}",
            where=str(error.filename) if error.filename else None,
            remedy="check the rights and the space on the disk, or name another folder",
        ) from error
    if failed:
        name, cause = failed
        raise RenderingError(
            f"{name} could not be written: {cause}", where=f"all other files are in {str(target)!r}"
        ) from cause
    return tuple(target / name for name in files)


def rendered(report: Report, templates: Sequence[Path] = ()) -> tuple[dict[str, bytes], tuple[str, Exception] | None]:
    """Return all files of a report by their names, and the format that failed with its error, if one did.

    Raises
    ------
    RenderingError
        If a template fails.
    """
    if templates and report.facts is not None:
        report = assemble(report.facts, report.appearance, templates)
    paragraphs = [block for block in report.blocks if isinstance(block, Paragraph) and block.name]
    full = report.appearance.full
    latex, markdown = (report_writer(name, report, templates=templates) for name in ("latex", "markdown"))
    texts = {OPENED_FIRST: "", "report.tex": latex.document(report, inline=False), MANIFEST: ""}
    keys = cited_keys([*all_texts(report), *(paragraph.content for paragraph in report.extras)])
    if keys:
        comments = map(visible, (origin("references", report.signature), report.signature.line))
        texts["references.bib"] = bibtex(keys, comments)
    for paragraph in [*paragraphs, *(report.extras if full else ())]:
        where = "" if paragraph in paragraphs else f"{MORE}/"
        texts[f"{where}{paragraph.name}.tex"] = latex.paragraph(paragraph)
        texts[f"{where}{paragraph.name}.md"] = markdown.paragraph(paragraph)
    texts |= {f"tables/{table.name}.tex": latex.table(table) for table in report.tables}
    if report.checklist:
        texts["checklist.md"] = markdown.sections("checklist", report.checklist)
    if full:
        texts |= _more(report, latex, markdown)
    with_pixels = full or not {"typst", "docx"}.isdisjoint(report.appearance.formats)
    images = images_of(report, ("svg", "pdf", "png") if with_pixels else ("svg", "pdf"))
    texts[OPENED_FIRST] = Page(report, templates=templates, images=images).page()
    files = {name: encoded(text) for name, text in texts.items()}
    kinds: tuple[Picture, ...] = ("pdf", "png") if full or "typst" in report.appearance.formats else ("pdf",)
    files |= {f"figures/{name}.{kind}": image[kind] for name, image in images.items() for kind in kinds}
    failed = None
    for name in report.appearance.formats:
        try:
            files |= _further(name, report, templates, images)
        except Exception as error:
            failed = (name, error)
    return {**files, **stored(report, list(files))}, failed


def _more(report: Report, latex: Writer, markdown: Writer) -> dict[str, str]:
    """Write the report in Markdown, its parts in other formats, and numbers, below `more/`."""
    texts = {"report.md": markdown.document(report, root="../")}
    for table in report.tables:
        texts[f"tables/{table.name}.md"] = markdown.table(table)
        texts[f"tables/{table.name}.csv"] = csv_table(table, markdown.notation.context)
    for figure in report.figures:
        texts[f"figures/{figure.name}.tex"] = latex.figure(figure, head=True)
        texts[f"figures/{figure.name}.md"] = markdown.figure(figure, root="../../", head=True)
    if report.checklist:
        texts["checklist.tex"] = latex.sections("checklist", report.checklist)
    if report.numbers:
        texts["rknumbers.tex"], texts["numbers.md"] = latex_numbers(report), markdown_numbers(report)
    return {f"{MORE}/{name}": text for name, text in texts.items()}


def _further(name: Further, report: Report, templates: Sequence[Path], images: Images) -> dict[str, bytes]:
    """Write a report in a further format."""
    if name == "docx":
        return {"report.docx": word_document(report, {figure: image["png"] for figure, image in images.items()})}
    if name == "xlsx":
        return {"tables.xlsx": workbook(report.tables, report.signature)} if report.tables else {}
    writer = report_writer("typst", report, templates=templates)
    texts = {"report.typ": writer.document(report, inline=False)}
    for block in report.blocks:
        if isinstance(block, Paragraph) and block.name:
            texts[f"{block.name}.typ"] = writer.paragraph(block)
    texts |= {f"tables/{table.name}.typ": writer.table(table) for table in report.tables}
    return {name: encoded(text) for name, text in texts.items()}


def encoded(text: str) -> bytes:
    r"""Encode as UTF-8; a lone half of a surrogate pair, which has no bytes there, as `\udXXX`."""
    return text.encode("utf-8", "backslashreplace")


def put_in_place(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace the older report in a folder by a new one, as a whole; other files stay.

    A process that is killed leaves the older report or the new one. Only where the folder cannot be renamed, as the one
    that the process is in, are the files replaced one by one.

    Raises
    ------
    RenderingError
        If a file is in the way that reportkit did not write.
    OSError
        If it fails; the folder is then as it was.
    """
    target = folder.resolve()
    older = {*files_of(target), PDF} if (target / MANIFEST).exists() else set()
    foreign = [name for name in files if name not in older and os.path.lexists(target / name)]
    if foreign:
        raise RenderingError(
            f"the folder {str(folder)!r} holds {foreign[0]!r}, which reportkit did not write",
            where=", ".join(foreign) if len(foreign) > 1 else None,
            remedy="name another folder for the report, or move the file away",
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    fixed = target.exists() and (Path.cwd().is_relative_to(target) or os.path.ismount(target))
    place = target if fixed else target.parent
    fresh = Path(tempfile.mkdtemp(prefix=f".{target.name}.reportkit-", dir=place))
    try:
        for name, content in files.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_bytes(content)
        if fixed:
            for name in files:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                (fresh / name).replace(target / name)
            for name in older - files.keys():
                (target / name).unlink(missing_ok=True)
            _without_empty(target, older)
        elif target.exists():
            shutil.copymode(target, fresh)
            _carry_over(target, fresh, older)
            fresh = _exchanged(fresh, target)
        else:
            mask = os.umask(0)
            os.umask(mask)
            fresh.chmod(0o777 & ~mask)
            fresh.rename(target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _carry_over(target: Path, fresh: Path, older: set[str]) -> None:
    """Move files along that are not part of the older report."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        inside = Path(folder).relative_to(target)
        return {name for name in names if (inside / name).as_posix() in older}

    shutil.copytree(target, fresh, symlinks=True, ignore=ignored, dirs_exist_ok=True)
    _without_empty(fresh, older)


def _without_empty(folder: Path, older: set[str]) -> None:
    """Remove the folders of an older report in which nothing is left."""
    for above in sorted({above for name in older for above in Path(name).parents} - {Path()}, reverse=True):
        with contextlib.suppress(OSError):
            (folder / above).rmdir()  # only if it is empty


def _exchanged(fresh: Path, target: Path) -> Path:
    """Swap two folders, in one step where the system can; return where the older one is."""
    with contextlib.suppress(OSError, AttributeError):
        system, ends = ctypes.CDLL(None), [os.fsencode(path) for path in (fresh, target)]
        if sys.platform == "darwin":
            done = system.renamex_np(*ends, 2)
        else:
            done = system.renameat2(-100, ends[0], -100, ends[1], 2)  # -100: AT_FDCWD, 2: RENAME_EXCHANGE
        if done == 0:
            return fresh
    old = fresh.with_name(fresh.name + ".old")
    target.rename(old)
    try:
        fresh.rename(target)
    except OSError:
        old.rename(target)
        raise
    return old
