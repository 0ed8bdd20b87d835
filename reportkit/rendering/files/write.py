"""A report as files: everything is rendered first, then put in place, and an older report is replaced as a whole."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from reportkit.errors import RenderingError
from reportkit.rendering.checklist import CHECKLIST_MD, CHECKLIST_TEX, latex_checklist, markdown_checklist
from reportkit.rendering.contents import all_prose, bibtex, cited_keys, origin
from reportkit.rendering.files.figure_files import latex_figure, markdown_figure
from reportkit.rendering.files.manifest import MANIFEST, manifest_text
from reportkit.rendering.files.places import placed
from reportkit.rendering.files.placing import is_name_of_file, put_in_place, sole_writer
from reportkit.rendering.formats.format import output_format
from reportkit.rendering.html.html_document import html_document
from reportkit.rendering.images import images_of
from reportkit.rendering.latex.latex import latex_document, latex_paragraph, latex_table
from reportkit.rendering.markdown.markdown import markdown_document, markdown_paragraph, markdown_table, numbers
from reportkit.rendering.numbers.number_list import NUMBERS_JSON, NUMBERS_MD, json_numbers, markdown_numbers
from reportkit.rendering.numbers.number_macros import NUMBERS_TEX, latex_numbers
from reportkit.rendering.plain import csv_table
from reportkit.rendering.table_json import json_table
from reportkit.rendering.text.escaping import visible
from reportkit.rendering.text.inline import Lookup, citing
from reportkit.report.machine.tables_beside import put_beside
from reportkit.report.model import Paragraph, Report

_NAME = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_TAKEN = frozenset({"report", "references", "rknumbers", "numbers", "checklist"})


def write_report(
    report: Report,
    folder: str | Path,
    *,
    templates: Sequence[Path] = (),
) -> tuple[Path, ...]:
    """Write a report as LaTeX, Markdown, HTML, JSON, CSV and figures, and as what its appearance asks for besides.

    Parameters
    ----------
    report : Report
        Any.
    folder : str or Path
        Made if it is not there. Files of an older report are replaced, and removed where this one has no such file;
        other files are left alone.
    templates : sequence of Path
        Folders with templates of a user, looked into first.

    Returns
    -------
    tuple of Path
        The files, `report.html` first. The same report gives the same bytes.

    Raises
    ------
    RenderingError
        If a template fails, a package for a format is not installed, the folder cannot be written, another process
        writes into it and does not end, or a file stands in the way that reportkit did not write. The older report is
        then as it was.
    UnknownNameError
        If a work is cited that is not in the literature.
    """
    target = Path(folder)
    files = rendered(report, templates)
    if target.exists() and not target.is_dir():
        raise RenderingError(f"{str(target)!r} is a file, not a folder", remedy="name another folder for the report")
    try:
        with sole_writer(target):
            older = _older_files(target)
            _refuse_foreign(target, files, older)
            # the manifest goes first: whatever is there afterwards is known as ours
            put_in_place(target, {MANIFEST: files[MANIFEST], **files}, older)
    except OSError as error:
        raise RenderingError(
            f"the folder {str(target)!r} cannot be written: {error.strerror or error}",
            where=str(error.filename) if error.filename else None,
            remedy="check the rights and the space on the disk, or name another folder",
        ) from error
    return tuple(target / name for name in files)


def rendered(report: Report, templates: Sequence[Path] = ()) -> dict[str, bytes]:
    """All files of a report by their names in its folder, without touching the disk.

    Raises
    ------
    RenderingError
        If a template fails, or two parts of the report have the same name.
    """
    with citing(report.appearance.preset):
        return _rendered(report, templates)


def _rendered(report: Report, templates: Sequence[Path]) -> dict[str, bytes]:
    paragraphs = [block for block in report.blocks if isinstance(block, Paragraph) and block.name]
    paragraphs += report.extras
    _check_names(report, paragraphs)
    signature, lookup = report.signature, Lookup(numbers=numbers(report))
    flavour = report.appearance.markdown
    # Quarto numbers what is read into a paper; on GitHub a part keeps the numbers of the report
    parts = Lookup() if flavour == "pandoc" else lookup
    texts = {
        "report.html": "",
        "report.tex": latex_document(report, templates=templates),
        "report.md": markdown_document(report, templates=templates, root="../"),
        MANIFEST: "",
    }
    keys = cited_keys([*all_prose(report), *(paragraph.content for paragraph in report.extras)])
    if keys:
        texts["references.bib"] = bibtex(keys, map(visible, (origin("references", signature), signature.line)))
    for paragraph in paragraphs:
        texts[f"{paragraph.name}.tex"] = latex_paragraph(paragraph, signature, templates=templates)
        texts[f"{paragraph.name}.md"] = markdown_paragraph(
            paragraph, signature, templates=templates, lookup=parts, flavour=flavour
        )
    if report.checklist:
        texts[CHECKLIST_MD] = markdown_checklist(report, lookup)
        texts[CHECKLIST_TEX] = latex_checklist(report)
    if report.numbers:
        texts[NUMBERS_TEX] = latex_numbers(report)
        texts[NUMBERS_MD], texts[NUMBERS_JSON] = markdown_numbers(report), json_numbers(report)
    for table in report.tables:
        texts[f"tables/{table.name}.tex"] = latex_table(
            table, signature, templates=templates, appearance=report.appearance
        )
        texts[f"tables/{table.name}.md"] = markdown_table(
            table, signature, templates=templates, lookup=parts, flavour=flavour
        )
        texts[f"tables/{table.name}.csv"] = csv_table(table)
        texts[f"tables/{table.name}.json"] = json_table(table, signature, lookup=lookup)
    for figure in report.figures:
        texts[f"figures/{figure.name}.tex"] = latex_figure(figure, signature, templates=templates)
        texts[f"figures/{figure.name}.md"] = markdown_figure(
            figure, signature, templates=templates, lookup=parts, flavour=flavour
        )
    data, tables = put_beside(report.data)
    images = images_of(report)
    texts["report.html"] = html_document(report, templates=templates, images=images)
    written = {name: _encoded(text) for name, text in texts.items()}
    for name, by_format in images.items():
        written |= {f"figures/{name}.{ending}": by_format[ending] for ending in ("pdf", "png")}
    further = [output_format(name).files(report, written) for name in report.appearance.formats]
    files = {placed(name): content for each in (written, *further) for name, content in each.items()}
    files |= tables
    files[MANIFEST] = _encoded(manifest_text(report, data, files))
    return files


def _encoded(text: str) -> bytes:
    # a lone half of a surrogate pair has no bytes in UTF-8; \udXXX is how JSON and the reader know it
    return text.encode("utf-8", "backslashreplace")


def _check_names(report: Report, paragraphs: Sequence[Paragraph]) -> None:
    groups = {
        "table": [table.name for table in report.tables],
        "figure": [figure.name for figure in report.figures],
        "paragraph": [paragraph.name for paragraph in paragraphs],
    }
    for kind, names in groups.items():
        seen: set[str] = set(_TAKEN) if kind == "paragraph" else set()
        for name in names:
            if not _NAME.fullmatch(name):
                raise RenderingError(f"{name!r} cannot name a {kind}", remedy="use letters, digits and single hyphens")
            if name.casefold() in seen:
                raise RenderingError(f"the name {name!r} of a {kind} is taken", remedy="give each part its own name")
            seen.add(name.casefold())


def _older_files(folder: Path) -> tuple[str, ...]:
    """Names of the files that an older report wrote, by its manifest; only those inside the folder."""
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return ()
    names = content.get("files") if isinstance(content, dict) else None
    if not isinstance(names, list) or MANIFEST not in names:
        return ()
    return tuple(name for name in names if is_name_of_file(name))


def _refuse_foreign(folder: Path, files: Mapping[str, bytes], older: Sequence[str]) -> None:
    foreign = [name for name in files if name not in older and os.path.lexists(folder / name)]
    if foreign:
        raise RenderingError(
            f"the folder {str(folder)!r} holds {foreign[0]!r}, which reportkit did not write",
            where=", ".join(foreign) if len(foreign) > 1 else None,
            remedy="name another folder for the report, or move the file away",
        )
