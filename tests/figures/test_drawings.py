"""All kinds of figures: their content can be stored and drawn again, and every reader can read them."""

from __future__ import annotations

import copy
import dataclasses
import io
import json
import math
import re
import types
import typing
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.artist import Artist
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from reportkit.errors import UnknownNameError
from reportkit.figures.critical_difference import critical_difference_content
from reportkit.figures.drawing.save import figure_bytes
from reportkit.figures.drawing.style import style, width_in_points
from reportkit.figures.drawing.typography import LEAST_SIZE, typography_of
from reportkit.figures.drawings import KINDS as EVERY
from reportkit.figures.drawings import drawing
from reportkit.figures.estimator_boxes import estimator_boxes_content
from reportkit.figures.forest import ForestsContent
from reportkit.figures.reproducibility import reproducibility_content
from reportkit.report.pictures import REQUESTED
from reportkit.reproducibility_analysis.study import ResplitStudy, resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.figures.calibration_contents import calibration_contents
from tests.figures.conftest import (
    curves_of,
    forest_of,
    linear_rgb,
    luminance,
    matrix_of,
    numbers,
    p_values_of,
    shown_texts,
)
from tests.replicability.test_friedman import DEMSAR, friedman
from tests.reproducibility_analysis.resplit_cases import estimates_frame

ROOT = Path(__file__).resolve().parents[2]
KINDS = tuple(kind for kind in EVERY if kind != "posterior-forest")
"""All but the one that is made from posteriors, which has a file of its own."""


def _resplit() -> ResplitStudy:
    """Estimates of two systems from 20 re-partitions, two of which lie apart from the others."""
    steps = [*range(-9, 9), 30, -25]
    values = {"ST": [0.004 * step for step in steps], "Avg": [0.002 + 0.001 * step for step in steps],
              "Vote": [0.004 - 0.001 * step for step in steps]}  # fmt: skip
    return resplit_study(resplits_from_frame(estimates_frame(values, dataset="tweets")), "new", "old")


@pytest.fixture(scope="module")
def contents() -> Mapping[str, Any]:
    """One content of each kind."""
    small, similarity = forest_of(numbers("small")), forest_of(numbers("similarity"), intervals=False)
    made = {
        "forest": small,
        "forests": ForestsContent(panels=(small, similarity)),
        "partial-conjunction": curves_of(numbers("similarity")[1]),
        "k-hat-matrix": matrix_of(["a", "b", "c"], 4),
        "p-values": p_values_of(numbers("similarity")),
        "reproducibility": reproducibility_content(_resplit()),
        "estimator-boxes": estimator_boxes_content(_resplit(), in_percent=True),
        "critical-difference": critical_difference_content(friedman(DEMSAR)),
        **calibration_contents(),
    }
    return types.MappingProxyType(made)


def test_every_kind_is_here(contents: Mapping[str, Any]) -> None:
    """A new kind of figure is held by the tests of this file."""
    assert set(contents) == set(KINDS)
    for kind, content in contents.items():
        assert type(content) is drawing(kind).content
        assert drawing(kind).kind == kind
    with pytest.raises(UnknownNameError, match="did you mean 'forest'"):
        drawing("forrest")


def plain(value: object) -> bool:
    """Whether JSON can hold a value and give it back: no array, no infinity, nothing that can change."""
    if dataclasses.is_dataclass(value):
        return all(plain(getattr(value, item.name)) for item in dataclasses.fields(value))
    if isinstance(value, tuple):
        return all(map(plain, value))
    return value is None or type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value))


@pytest.mark.parametrize("kind", KINDS)
def test_contents_are_plain_values(kind: str, contents: Mapping[str, Any]) -> None:
    """Python's own numbers and strings in tuples, so that they are equal, hashed and stored by value."""
    content = contents[kind]
    assert plain(content)
    assert hash(content) == hash(copy.deepcopy(content))
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(content, dataclasses.fields(content)[0].name, None)


def read_back(annotation: Any, value: Any) -> Any:
    """A value from JSON, by the annotation of its field."""
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        hints = typing.get_type_hints(annotation)
        return annotation(**{name: read_back(hints[name], item) for name, item in value.items()})
    if typing.get_origin(annotation) is tuple:
        return tuple(read_back(typing.get_args(annotation)[0], item) for item in value)
    if typing.get_origin(annotation) in (types.UnionType, typing.Union) and value is not None:
        return read_back(typing.get_args(annotation)[0], value)
    return value


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_stored_content_is_drawn_to_the_same_bytes(kind: str, contents: Mapping[str, Any]) -> None:
    """Through JSON and back, by the annotations of the class alone: an equal content, the same picture and words."""
    content, figures = contents[kind], drawing(kind)
    again = read_back(figures.content, json.loads(json.dumps(dataclasses.asdict(content), allow_nan=False)))
    assert again == content
    assert figure_bytes(figures.draw(again), "svg") == figure_bytes(figures.draw(content), "svg")
    assert figures.alt_text(again) == figures.alt_text(content)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("venue", ["acl", "article"])
def test_figures_are_as_wide_as_the_venue_asks(kind: str, venue: str, contents: Mapping[str, Any]) -> None:
    """To a hundredth of a point, in the venue's type, no text smaller than 6.5 points, no title."""
    for span in ("column", "text"):
        figure = drawing(kind).draw(contents[kind], width=span, venue=venue)
        texts = shown_texts(figure)
        assert min(text.get_fontsize() for text in texts) >= LEAST_SIZE
        assert not any(axes.get_title() for axes in figure.axes)
        assert 72 * figure.get_figwidth() == pytest.approx(width_in_points(span, venue), abs=0.01)
        assert 72 * figure.get_figheight() <= typography_of(venue).page_height
        face = "cmr10" if venue == "article" else "STIXGeneral"
        assert {text.get_fontfamily()[0] for text in texts} == {face}


def contrast(one: Any, other: Any) -> float:
    """Contrast of two colours by WCAG 2, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture(scope="module")
def figures(contents: Mapping[str, Any]) -> Mapping[str, Figure]:
    """Return the figure of each kind."""
    return {kind: drawing(kind).draw(content) for kind, content in contents.items()}


def drawn_lines(figure: Figure) -> Iterator[Line2D]:
    """Lines that say something."""
    for artist in figure.findobj(Line2D):
        if isinstance(artist, Line2D) and artist.get_visible() and np.size(artist.get_xdata()):
            yield artist


@pytest.mark.parametrize("kind", KINDS)
def test_everything_can_be_seen_on_white(kind: str, figures: Mapping[str, Figure]) -> None:
    """Text has a contrast of at least 4.5 to its ground, lines and edges of markers of at least 3."""
    figure = figures[kind]
    for text in shown_texts(figure):
        on_shade = kind == "k-hat-matrix" and text.get_color() == "#ffffff"
        if not on_shade:
            assert contrast(text.get_color(), "white") >= 4.5, text.get_text()
    for line in drawn_lines(figure):
        if line.get_linestyle() != "None":
            assert contrast(line.get_color(), "white") >= 3, line.get_label()
        if line.get_marker() not in ("none", "None", "", None):
            assert contrast(line.get_markeredgecolor(), "white") >= 3, line.get_label()


_SIMULATION = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
"""Machado, Oliveira and Fernandes (2009), at full severity, for linear RGB."""


def seen_as(colour: Any, vision: str) -> tuple[float, float, float]:
    """A colour as it is seen with a kind of colour vision, in sRGB; "greyscale" as it is printed."""
    linear = linear_rgb(colour)
    if vision == "greyscale":
        linear = np.full(3, luminance(colour))
    elif vision != "usual":
        linear = np.clip(np.array(_SIMULATION[vision]) @ linear, 0, 1)
    red, green, blue = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return float(red), float(green), float(blue)


@pytest.mark.parametrize("vision", ["usual", "greyscale", "protanopia", "deuteranopia"])
def test_nothing_is_told_by_colour_alone(vision: str, figures: Mapping[str, Figure]) -> None:
    """Two kinds of marks in a figure differ by shape, filling or dashes, whatever is seen of their colours."""
    for kind in ("forest", "partial-conjunction", "p-values"):
        figure = figures[kind]
        looks = {}
        for line in drawn_lines(figure):
            name = str(line.get_label())
            if not name or name.startswith("_child") or name in ("_zero", "_alpha") or "tick" in name:
                continue
            face = "filled" if contrast(seen_as(line.get_markerfacecolor(), vision), "white") >= 3 else "hollow"
            looks[name] = (line.get_marker(), face if line.get_marker() != "x" else "", line.get_linestyle())
        for (one, look), (other, other_look) in combinations(looks.items(), 2):
            assert look != other_look, f"{one} and {other} in {kind}"


def test_labels_of_ticks_are_in_the_type_of_the_venue(contents: Mapping[str, Any]) -> None:
    """They are made while the style holds, not when they are needed."""
    figure = drawing("partial-conjunction").draw(contents["partial-conjunction"], venue="article")
    with style():
        figure.draw(figure.canvas.get_renderer())
    labels: list[Artist] = [*figure.axes[0].get_xticklabels(), *figure.axes[0].get_yticklabels()]
    assert {label.get_fontfamily()[0] for label in labels if isinstance(label, Text)} == {"cmr10"}
    assert {label.get_fontsize() for label in labels if isinstance(label, Text)} == {8.0}
    assert {label.get_math_fontfamily() for label in labels if isinstance(label, Text)} == {"cm"}


def test_the_documentation_lists_every_figure():
    """The table of docs/reference/figures.md has every kind, and every name that can be asked for."""
    rows = [
        re.findall(r"`([a-z-]+)`", cell)
        for line in (ROOT / "docs" / "reference" / "figures.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
        for cell in line.split("|")[1:3]
    ]
    names, kinds = ({name for cell in rows[start::2] for name in cell} for start in (0, 1))
    unlisted = sorted({*EVERY, *REQUESTED} - kinds - names)
    assert not unlisted, f"docs/reference/figures.md: give each a row in the table of kinds: {unlisted}"
    assert kinds == set(EVERY)
    assert names >= set(REQUESTED)


def _with_long_names(value: Any, name: str = "") -> Any:
    """The same content with names of systems and datasets that are longer than there is room for, all different."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            item.name: _with_long_names(getattr(value, item.name), item.name) for item in dataclasses.fields(value)
        }
        return type(value)(**fields)
    if isinstance(value, tuple):
        return tuple(_with_long_names(item, name) for item in value)
    if value in ("same family", "different families"):  # words of the figure
        return value
    named = name in ("system_a", "system_b", "systems", "dataset", "source", "target", "name", "rows", "columns")
    return f"Mixtral-{value}-{len(value)}x22B-Instruct WWMM {value} MMWW-20k" if named and type(value) is str else value


USER_SETTINGS: tuple[dict[str, Any], ...] = ({}, {"text.hinting": "default", "font.size": 20.0, "savefig.dpi": 72.0})


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("venue", ["acl", "article"])
def test_nothing_is_cut_off_when_matplotlib_saves(kind: str, venue: str, contents: Mapping[str, Any]) -> None:
    """By `figure.savefig` of the user, under settings of the user, however long names are: no ink beyond the edges."""
    content = contents[kind]
    if kind == "critical-difference":
        content = dataclasses.replace(
            content,
            systems=tuple(f"C{number}" for number in range(20)),
            average_ranks=tuple(range(1, 21)),
            groups=((0, 9), (9, 19)),
        )
    figure = drawing(kind).draw(_with_long_names(content), venue=venue)
    width, height = figure.get_size_inches()
    around = Bbox([[-0.5, -0.5], [width + 0.5, height + 0.5]])
    for settings, dpi in zip(USER_SETTINGS, (300, 100), strict=True):
        file = io.BytesIO()
        with matplotlib.rc_context(settings):
            figure.savefig(file, format="rgba", dpi=dpi, bbox_inches=around)  # the pixels of PNG, not compressed
        pixels = np.frombuffer(file.getvalue(), np.uint8).reshape(-1, int(around.width * dpi), 4)
        page = dpi // 2 - 1  # to the pixel in which the edge lies
        assert (pixels[page:-page, page:-page, 0] < 204).any()
        for beyond in (pixels[:page], pixels[-page:], pixels[:, :page], pixels[:, -page:]):
            ink = (255 - beyond[..., :3].min(axis=2)) * (beyond[..., 3] / 255)
            assert ink.max() <= 0.2 * 255, f"cut off at {dpi} dpi under {settings}"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_into_axes_of_the_user(kind: str, contents: Mapping[str, Any]) -> None:
    """In these axes, next to others that stay as they are, in the colours of the user's style, with the same words."""
    with matplotlib.rc_context({"text.color": "white", "figure.facecolor": "black", "axes.titlesize": 5}):
        host = Figure(figsize=(12, 12))
        left, right = host.subplots(1, 2)
        (line,) = left.plot([0, 1], [1, 0], color="red")
        left.set_axis_off()
        assert drawing(kind).draw(contents[kind], ax=right) is host
        assert matplotlib.rcParams["axes.titlesize"] == 5
    assert list(left.lines) == [line]
    assert line.get_color() == "red"
    drawn = {text.get_text() for text in shown_texts(host)}
    alone = {text.get_text() for text in shown_texts(drawing(kind).draw(contents[kind], width="text"))}
    assert len(alone & drawn) > 0.6 * len(alone)  # the width decides about ticks and what is shortened
    shades = [min(to_rgb(text.get_color())) for text in shown_texts(host)]
    assert np.mean(np.array(shades) > 0.3) > 0.5  # on black; numbers on light shades are dark
