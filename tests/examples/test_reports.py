"""Reports of the examples: valid for machines, well set for people, the same as the one that is committed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import jsonschema
import pytest

from tests.claims import claims_in
from tests.conftest import unavailable

DOCUMENT = r"""
\documentclass[%s]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern}
\usepackage{booktabs,graphicx}
%s
\begin{document}
%s
\end{document}
"""
ONE_COLUMN = ("10pt,a4paper", r"\usepackage[margin=2.5cm]{geometry}")
TWO_COLUMNS = (
    "10pt,a4paper,twocolumn",
    r"\usepackage[margin=2.5cm,columnsep=0.6cm]{geometry}",
)
"""The second has the columns of 219 pt in which ACL papers are set."""


@pytest.fixture(scope="session")
def folders(dror_reports, sentiment_report):
    """Folders of all reports by name."""
    return {**{name: folder for name, (folder, _) in dror_reports.items()}, "lexicons": sentiment_report[0]}


@pytest.mark.slow
def test_machine_readable_reports_keep_their_schema(folders, root):
    """`report.json` of every example is valid by the published schema."""
    schema = json.loads((root / "docs" / "reference" / "report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for folder in folders.values():
        jsonschema.validate(json.loads((folder / "report.json").read_text("utf-8")), schema)


def test_every_file_carries_the_signature(folders):
    """Text files of a report can be traced to their data and settings."""
    for folder in folders.values():
        signature = json.loads((folder / "report.json").read_text("utf-8"))["signature"]
        for path in folder.rglob("*"):
            if path.suffix in (".tex", ".md", ".json"):
                text = path.read_text("utf-8")
                assert signature in text or signature.replace("|", "\\|") in text, path


def test_the_sentiment_report_is_the_committed_one(sentiment_report, root):
    """What stands beside the example is what `build` writes; figures differ with the version of matplotlib."""
    folder, code = sentiment_report
    committed = root / "examples" / "sentiment" / "report"
    assert code == 0
    for stored in ("more/report.md", "figures/*.png", "tables/*.tex"):
        names = {path.relative_to(committed) for path in committed.glob(stored)}
        assert names == {path.relative_to(folder) for path in folder.glob(stored)} != set()
        for name in names if stored != "figures/*.png" else ():
            assert (folder / name).read_text("utf-8") == (committed / name).read_text("utf-8"), name


@pytest.mark.parametrize("example", ["sentiment", "calibration"])
def test_committed_reports_are_what_a_reader_opens(example, root):
    """The Markdown, its figures and the tables, under a thousand lines of text; every figure that is shown is there."""
    tracked = subprocess.run(
        ["git", "ls-files", f"examples/{example}/report"], cwd=root, capture_output=True, text=True, check=False
    )
    if tracked.returncode:
        unavailable("the tree is not a git checkout")
    paths = [root / name for name in tracked.stdout.splitlines()]
    assert {path.suffix for path in paths} <= {".md", ".png", ".tex", ".csv"}
    assert sum(len(path.read_text("utf-8").splitlines()) for path in paths if path.suffix != ".png") < 1_000
    report = root / "examples" / example / "report"
    shown = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", (report / "more" / "report.md").read_text("utf-8"))
    assert shown
    assert {(report / "more" / name).resolve() for name in shown} == {path for path in paths if path.suffix == ".png"}


def test_clusters_of_the_sentiment_corpora_are_used(sentiment_report):
    """Sentences of reviews and editorials nest in documents: whole documents are flipped there, not sentences."""
    content = json.loads((sentiment_report[0] / "report.json").read_text("utf-8"))
    tests = {item["dataset"]: (item["test"], item["n_clusters"]) for item in claims_in(content)[0]["datasets"]}
    assert tests["amazon_reviews"] == ("sign-flip", 300)
    assert tests["nyt_editorials"] == ("sign-flip", 498)
    assert tests["tweets"] == ("mcnemar", None)


@pytest.mark.tex
@pytest.mark.parametrize(("options", "page"), [ONE_COLUMN, TWO_COLUMNS], ids=["one column", "two columns"])
def test_every_latex_output_compiles_without_overfull_boxes(folders, tmp_path, options, page):
    """All tables, paragraphs and figures of all examples, in a document that loads only booktabs and graphicx."""
    if shutil.which("pdflatex") is None:
        unavailable("pdflatex is not installed")
    parts = []
    for name, folder in folders.items():
        shutil.copytree(folder, tmp_path / name)
        parts.append(rf"\input{{{name}/paragraph}}\par")
        parts += [rf"\input{{{name}/tables/{path.stem}}}" for path in sorted((folder / "tables").glob("*.tex"))]
        parts += [
            rf"\begin{{figure}}\centering\includegraphics{{{name}/figures/{path.stem}}}\end{{figure}}"
            for path in sorted((folder / "figures").glob("*.pdf"))
        ]
        parts.append(r"\clearpage")
    (tmp_path / "all.tex").write_text(DOCUMENT % (options, page, "\n".join(parts)), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=600,
    )
    log = (tmp_path / "all.log").read_text("utf-8", errors="replace")
    assert done.returncode == 0, log[-3000:]
    assert re.findall(r"Overfull \\hbox.*", log) == []


@pytest.mark.tex
def test_the_whole_document_compiles(folders):
    """`report.tex` of each example compiles as it stands, with its bibliography and no undefined reference."""
    if shutil.which("pdflatex") is None:
        unavailable("pdflatex is not installed")
    from reportkit.rendering.pdf import compile_pdf

    for folder in folders.values():
        pdf = compile_pdf(folder)
        assert pdf.read_bytes().startswith(b"%PDF")
