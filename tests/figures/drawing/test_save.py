"""Files: the same bytes on every run, in every process, whatever the user's settings."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import get_args

import matplotlib
import pytest
from matplotlib.figure import Figure

from reportkit.figures.drawing.save import Format, figure_bytes
from reportkit.figures.drawings import drawing
from tests.figures.conftest import forest_of, numbers

SCRIPT = """
import hashlib
from reportkit.figures.drawing.save import figure_bytes
from reportkit.figures.drawings import drawing
from reportkit.figures.reproducibility import ReproducibilityContent, ReproducibilityPoint
point = ReproducibilityPoint(dataset="d", method="Avg", snr=0.5, reproducibility=0.7, low=0.6, high=0.8)
content = ReproducibilityContent(system_a="a", system_b="b", points=(point,), level=0.95, n_repartitions=100)
figure = drawing("reproducibility").draw(content)
for name in ("pdf", "png", "svg"):
    print(hashlib.sha256(figure_bytes(figure, name)).hexdigest())
"""


FORMATS: tuple[Format, ...] = get_args(Format)


def forest(which: str = "small") -> Figure:
    """Return a forest plot."""
    return drawing("forest").draw(forest_of(numbers(which)))


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


@pytest.mark.slow
@pytest.mark.parametrize("file_format", FORMATS)
def test_bytes_are_the_same_in_one_process(file_format: Format) -> None:
    """Drawing twice, saving twice, and saving under other settings of the user give the same bytes."""
    figure = forest()
    first = figure_bytes(figure, file_format)
    with matplotlib.rc_context({"font.size": 20, "pdf.fonttype": 3, "savefig.dpi": 50, "svg.hashsalt": None}):
        assert figure_bytes(figure, file_format) == first
        assert figure_bytes(forest(), file_format) == first


@pytest.mark.slow
def test_files_carry_no_date_and_no_program() -> None:
    """No creation date, producer or software is written."""
    figure = forest()
    for file_format in FORMATS:
        content = figure_bytes(figure, file_format)
        for word in (b"CreationDate", b"Producer", b"Software", b"dc:date", b"Matplotlib v"):
            assert word not in content


@pytest.mark.slow
def test_pdf_embeds_truetype_fonts() -> None:
    """All fonts of a PDF are embedded as TrueType, also with names of all scripts."""
    content = figure_bytes(forest("hostile"), "pdf")
    assert b"/CIDFontType2" in content
    assert b"/FontFile2" in content
    assert b"/Type3" not in content


@pytest.mark.slow
def test_png_has_the_size_of_the_column() -> None:
    """A PNG of a column has 300 dots per inch: 909 pixels for 3.03 inches."""
    content = figure_bytes(forest(), "png")
    assert int.from_bytes(content[16:20], "big") == 909
    assert int.from_bytes(figure_bytes(forest(), "png", dpi=100)[16:20], "big") == 303
