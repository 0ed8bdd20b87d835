"""Figures of real results, in the columns of several venues: legible, apart from each other, inside the page."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

import reportkit
from reportkit.analysis.analysis import Analysis
from reportkit.figures.drawing.typography import typography_of
from reportkit.report.gather import gather
from reportkit.report.model import Figure as Drawn
from reportkit.report.pictures import Pictures, requested_figure
from reportkit.report.wording import Wording
from tests.conftest import ROOT

CheckLayout = Callable[[Figure], None]
VENUES = ("acl", "article")
TUNED = ["mlp/tuned", "resnet/tuned", "snn/tuned", "autoint/tuned", "dcn2/tuned"]


def rtdl(data: Callable[[], Path]) -> Analysis:
    """Five systems on eleven datasets, runs of training, a metric of its own on each dataset."""
    frame = pd.read_parquet(data() / "rtdl" / "data.parquet")
    return reportkit.compare(frame[frame["system"].isin(TUNED)])


def printed(table: str) -> Callable[[object], Analysis]:
    """Dror et al. (2017), one of Tables 2 to 5."""
    return lambda _: reportkit.compare(ROOT / "examples" / "dror2017" / f"{table}.csv")


CASES: dict[str, tuple[Callable[[Callable[[], Path]], Analysis], tuple[str, ...]]] = {
    "rtdl": (rtdl, ("all-pairs", "critical-difference", "p-values")),
    "bbh": (lambda data: reportkit.compare(data() / "bbh" / "data.parquet"), ()),
    **{table: (printed(table), ()) for table in ("pos", "parsing", "sentiment", "word-similarity")},
}


def _figures(part: Analysis) -> list[Drawn]:
    """Return forest plots, and of the claims that are drawn their curves and sorted p-values."""
    facts = gather(part)
    metric = facts.metrics[0].name
    pictures = Pictures(facts, part.appearance, Wording(facts))
    claims = [claim for claim in pictures.drawn(metric) if len(claim.datasets) > 1]
    curves = [pictures.partial_conjunction(claim) for claim in claims]
    dots = [figure for claim in claims if (figure := pictures.p_values(claim)) is not None]
    return [*pictures.forests(metric), *curves, *dots]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_figures_of_real_results(name: str, request: pytest.FixtureRequest, check_layout: CheckLayout) -> None:
    """Every figure of a report and those on request, in two venues."""
    make, wanted = CASES[name]
    analysis = make(lambda: request.getfixturevalue("shared") / "data")
    (part,) = analysis.parts
    figures = _figures(part)
    figures += [requested_figure(gather(analysis), analysis.appearance, item, analysis) for item in wanted]
    assert len(figures) >= 3
    for figure in figures:
        assert len(figure.alt_text) > 100
        for venue in VENUES:
            drawn = dataclasses.replace(figure, venue=venue).draw()
            check_layout(drawn)
            assert 72 * drawn.get_figheight() <= typography_of(venue).page_height + 1e-6
