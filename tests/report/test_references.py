"""The literature: complete entries, each key once, and everything that is cited is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from reportkit.report import references
from reportkit.report.references import REFERENCES

BIB = Path(references.__file__).with_name("references.bib")
WHERE = {"article": "journal", "inproceedings": "booktitle", "book": "publisher"}


def _fields(key):
    return dict(re.findall(r"^ +(\w+) += \{(.*)\},?$", REFERENCES[key].bibtex, flags=re.MULTILINE))


@pytest.mark.parametrize("key", list(REFERENCES))
def test_an_entry_is_complete(key):
    """Author, title, place and year; pages as a range or a number; a DOI without the address of a resolver."""
    kind = re.match(r"@(\w+)\{", REFERENCES[key].bibtex)[1]
    fields = _fields(key)
    assert {"author", "title", "year", WHERE[kind]} <= fields.keys()
    assert re.fullmatch(r"(1[89]|20)\d\d", fields["year"])
    assert fields["year"] in key
    assert REFERENCES[key].short.endswith(f", {fields['year']}")
    assert re.fullmatch(r"\d+(--\d+)?", fields.get("pages", "1"))
    assert re.fullmatch(r"10\.\d{4,}/[^\s_{}<>]+", fields.get("doi", "10.1000/x"))


def test_everything_that_is_cited_is_there(root):
    """By the templates, and wherever the package names a key."""
    key = re.compile(r"\"([a-z]+(?:18|19|20)\d\d[a-z]+)\"")
    files = [*(root / "reportkit").rglob("*.py"), *(root / "templates" / "text").iterdir()]
    cited = {found for path in files for found in key.findall(path.read_text("utf-8"))}
    assert {"holm1979simple", "bretz2009graphical", "mcnemar1947note"} < cited <= set(REFERENCES)


@pytest.mark.tex
def test_bibtex_reads_every_entry_without_a_warning(tmp_path):
    """BibTeX itself, which warns of empty fields, and TeX, which sets the titles."""
    if shutil.which("bibtex") is None:
        pytest.skip("there is no bibtex")
    for style in ("plain", "plainnat"):
        (tmp_path / "a.aux").write_text(
            f"\\relax\n\\citation{{*}}\n\\bibstyle{{{style}}}\n\\bibdata{{references}}\n", encoding="utf-8"
        )
        shutil.copy(BIB, tmp_path / "references.bib")
        done = subprocess.run(["bibtex", "a"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert "Warning" not in done.stdout
        assert (tmp_path / "a.bbl").read_text("utf-8").count("\\bibitem") == len(REFERENCES)
