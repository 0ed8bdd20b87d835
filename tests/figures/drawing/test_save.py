"""Files: the same bytes on every run, in every process, whatever the user's settings."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

from reportkit.errors import RenderingError, UnknownNameError
from reportkit.figures.drawing.save import FORMATS, Format, figure_bytes, save
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.forest_content import forest_content
from reportkit.replicability.comparison import Comparison

SCRIPT = """
import hashlib
from reportkit.figures.drawing.save import figure_bytes
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.reproducibility import ReproducibilityContent, ReproducibilityPoint
point = ReproducibilityPoint(dataset="d", method="Avg", snr=0.5, reproducibility=0.7, low=0.6, high=0.8)
content = ReproducibilityContent(system_a="a", system_b="b", points=(point,), level=0.95, n_repartitions=100,
                                 n_without_spread=0)
figure = DRAWINGS["reproducibility"].draw(content)
for name in ("pdf", "png", "svg"):
    print(hashlib.sha256(figure_bytes(figure, name)).hexdigest())
"""


def forest(comparison: Comparison) -> Figure:
    """Content and drawing in one step."""
    return DRAWINGS["forest"].draw(forest_content(comparison, alpha=0.05))


def _digests(**environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return run.stdout


@pytest.mark.slow
def test_bytes_are_the_same_in_every_process() -> None:
    """Neither the hash seed of Python nor the date changes a byte of any format."""
    first = _digests(PYTHONHASHSEED="1")
    assert len(set(first.split())) == 3
    assert first == _digests(PYTHONHASHSEED="2", SOURCE_DATE_EPOCH="86400")


@pytest.mark.parametrize("file_format", FORMATS)
def test_bytes_are_the_same_in_one_process(small: Comparison, file_format: Format) -> None:
    """Drawing twice, saving twice, and saving under other settings of the user give the same bytes."""
    figure = forest(small)
    first = figure_bytes(figure, file_format)
    with matplotlib.rc_context({"font.size": 20, "pdf.fonttype": 3, "savefig.dpi": 50, "svg.hashsalt": None}):
        assert figure_bytes(figure, file_format) == first
        assert figure_bytes(forest(small), file_format) == first


def test_files_carry_no_date_and_no_program(small: Comparison) -> None:
    """No creation date, producer or software is written."""
    figure = forest(small)
    for file_format in FORMATS:
        content = figure_bytes(figure, file_format)
        for word in (b"CreationDate", b"Producer", b"Software", b"dc:date", b"Matplotlib v"):
            assert word not in content


def test_pdf_embeds_truetype_fonts(hostile: Comparison) -> None:
    """All fonts of a PDF are embedded as TrueType, also with names of all scripts."""
    content = figure_bytes(forest(hostile), "pdf")
    assert b"/CIDFontType2" in content
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


def test_png_has_the_size_of_the_column(small: Comparison) -> None:
    """A PNG of a column has 300 dots per inch: 909 pixels for 3.03 inches."""
    content = figure_bytes(forest(small), "png")
    assert int.from_bytes(content[16:20], "big") == 909
    assert int.from_bytes(figure_bytes(forest(small), "png", dpi=100)[16:20], "big") == 303


@pytest.mark.slow
def test_the_ending_names_the_format(small: Comparison, tmp_path: Path) -> None:
    """`save` writes what `figure_bytes` returns; capitals in the ending do not matter."""
    figure = forest(small)
    for name in ("a.pdf", "a.PNG", "a.svg"):
        path = save(figure, tmp_path / name)
        expected = figure_bytes(figure, path.suffix.lower().removeprefix("."))  # type: ignore[arg-type]
        assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(expected).digest()


def test_unknown_endings_and_folders_are_errors(small: Comparison, tmp_path: Path) -> None:
    """Another ending, or a folder that does not exist, is an error of reportkit, and nothing is written."""
    figure = forest(small)
    with pytest.raises(UnknownNameError, match="figure format 'pgn'"):
        save(figure, tmp_path / "a.pgn")
    with pytest.raises(RenderingError, match="cannot be written"):
        save(figure, tmp_path / "absent" / "a.pdf")
    assert list(tmp_path.iterdir()) == []
