"""A report that was written: rendered again without the data, and looked over."""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.appearance.appearance import APPEARANCE_NAMES, Appearance
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.drawings import DRAWINGS
from reportkit.rendering.files.manifest import MANIFEST, read_manifest
from reportkit.rendering.files.stored import RENDERED, check_files, restyled
from reportkit.rendering.files.write import rendered, write_report
from reportkit.report.illustrations import REQUESTED, requested_figure
from reportkit.report.model import Figure, Report, Section
from reportkit.report.prose import Text
from tests.conftest import run_command
from tests.figures.test_drawings import read_back

ROOT = Path(__file__).resolve().parents[3]
OTHERWISE = (
    *({"venue": venue} for venue in ("acl", "neurips", "icml", "ieee", "acm", "article")),
    *({"environment": environment} for environment in ("table", "table*", "tabular")),
    {"environment": "longtable", "venue": "article"},
    {"widths": (300.0, 620.0)},
    {"caption": "above"},
    {"markdown": "pandoc"},
    {"formats": ("typst",)},
)


@pytest.fixture(scope="module")
def analysis() -> reportkit.Analysis:
    """All pairs of five lexicons on four corpora: every kind of figure but one, several tables."""
    return reportkit.compare(ROOT / "examples" / "sentiment" / "results.csv.gz")


@pytest.mark.parametrize("changes", OTHERWISE, ids=lambda changes: " ".join(map(str, changes.values())))
def test_rendered_otherwise_is_as_if_built_so(analysis: reportkit.Analysis, changes: dict[str, Any]) -> None:
    """A field that needs no analysis gives the report that a build with it gives."""
    built = analysis.styled(**changes).report().model
    assert restyled(analysis.report().model, **changes) == built


def test_every_field_is_on_one_side() -> None:
    """What is rendered is a field; the test above tries each of them."""
    assert set(RENDERED) < set(APPEARANCE_NAMES)
    assert set(RENDERED) == {name for changes in OTHERWISE for name in changes}


@pytest.mark.parametrize(
    "changes",
    [
        *({"marks": "letters"}, {"bold": "statistical"}, {"second": False}, {"cell": "{score}"}, {"decimals": 2}),
        *({"average": True}, {"length": "full"}, {"rows": "systems"}, {"labels": {"vader": "V"}}),
    ],
)
def test_what_needs_the_analysis_is_refused(analysis: reportkit.Analysis, changes: dict[str, object]) -> None:
    """With what to do; the value that the report has is no change."""
    report = analysis.report().model
    (name,) = changes
    with pytest.raises(SettingsError, match=f"{name}=.* needs the analysis again") as caught:
        restyled(report, **changes)
    with_option = f"--{name} " in run_command("build", "--help").stdout
    assert (f"RESULTS --{name}" if with_option else f"`{name}` in reportkit.toml") in str(caught.value.remedy)
    assert restyled(report, **{name: getattr(Appearance(), name)}) == report


def test_an_unknown_field_is_answered_with_the_nearest(analysis: reportkit.Analysis) -> None:
    """As everywhere."""
    with pytest.raises(UnknownNameError, match="did you mean 'venue'"):
        restyled(analysis.report().model, vneue="acl")


@pytest.mark.slow
def test_a_saved_report_is_saved_again(analysis: reportkit.Analysis, tmp_path: Path) -> None:
    """In Python: read, styled, saved; the same bytes as from the analysis."""
    analysis.report().save(tmp_path / "a")
    reportkit.BuiltReport.read(tmp_path / "a").save(tmp_path / "b")
    reportkit.BuiltReport.read(tmp_path / "a").styled(venue="neurips").save(tmp_path / "c")
    analysis.styled(venue="neurips").report().save(tmp_path / "d")
    for one, other in (("a", "b"), ("c", "d")):
        names = sorted(path.relative_to(tmp_path / one) for path in (tmp_path / one).rglob("*") if path.is_file())
        assert names == sorted(path.relative_to(tmp_path / other) for path in (tmp_path / other).rglob("*.*"))
        for name in names:
            assert (tmp_path / one / name).read_bytes() == (tmp_path / other / name).read_bytes(), name


OTHER_REPORTS = (
    *("null-p-values", "k-hat-histogram", "gain-confidence", "size-curve", "calibration-bins", "domain-shift"),
    *("reproducibility", "estimator-boxes", "posterior"),
)
"""Figures of calibration, of re-splitting, and of few datasets."""


def _of_other_reports() -> list[Figure]:
    """A figure of each of these kinds, with the content that `tests/figures/contents.json` holds."""
    contents = json.loads((ROOT / "tests" / "figures" / "contents.json").read_text("utf-8"))
    contents["posterior"] = POSTERIOR
    return [
        Figure(
            name=kind,
            caption=(Text(kind),),
            alt_text=kind,
            kind=kind,
            content=read_back(DRAWINGS[kind].content, contents[kind].get("content", contents[kind])),
        )
        for kind in OTHER_REPORTS
    ]


POSTERIOR = {
    "system_a": "new",
    "system_b": "old",
    "dataset": "cb",
    "quantity": "mean difference",
    "unit": "",
    "posterior": {"low": -1.0, "high": 1.0, "heights": [0.1, 0.5, 0.8, 0.5, 0.1]},
    **dict.fromkeys(("prior", "posterior_a", "posterior_b", "prior_of_each", "region")),
    "low": -0.5,
    "high": 0.9,
    "level": 0.95,
    "highest_density": True,
    "p_better": 0.7,
}


def _told_apart() -> reportkit.Analysis:
    """Three systems on twelve datasets, which ranks can tell apart."""
    rng = np.random.default_rng(3)
    rows = itertools.product(enumerate("abc"), range(12), range(20))
    frame = pd.DataFrame(
        [(name, f"d{d}", i, int(rng.random() < 0.5 + 0.2 * rank)) for (rank, name), d, i in rows],
        columns=["system", "dataset", "instance", "score"],
    )
    return reportkit.compare(frame)


@pytest.mark.slow
def test_every_kind_of_figure_is_drawn_again(analysis: reportkit.Analysis, tmp_path: Path) -> None:
    """From its content alone: the same bytes."""
    report = analysis.report().model
    apart = _told_apart()
    asked = tuple(
        requested_figure(apart if name == "critical-difference" else analysis, analysis.appearance, name)
        for name in REQUESTED
    )
    frame = pd.read_csv(ROOT / "examples" / "sentiment" / "results.csv.gz")
    one = reportkit.compare(frame[frame["dataset"] == "tweets"])
    matrix = dataclasses.replace(requested_figure(one, analysis.appearance, "all-pairs"), name="one-dataset")
    answers = reportkit.compare(frame, "vader", "textblob", rope=0.01, bayes=True).report().model.figures
    bayes = [figure for figure in answers if figure.kind in ("posterior", "posterior-forest", "prior-sensitivity")]
    against = reportkit.compare(frame, baseline=["vader"]).report().model.figures
    (together,) = (dataclasses.replace(figure, name="together") for figure in against if figure.kind == "forests")
    many = Section(title="One dataset, and other answers", blocks=(matrix, together, *bayes, *_of_other_reports()))
    report = dataclasses.replace(report, sections=(*report.sections, Section(title="Asked", blocks=asked), many))
    write_report(report, tmp_path)
    assert {figure.kind for figure in report.figures} == set(DRAWINGS)
    again = rendered(read_manifest(tmp_path).report)
    assert [name for name, content in again.items() if content != (tmp_path / name).read_bytes()] == []


def test_the_signature_is_in_every_file(analysis: reportkit.Analysis) -> None:
    """In all but CSV, which has no comments and is known by its checksum in `report.json`."""
    report = analysis.report().model
    line = report.signature.line
    for name, content in rendered(report).items():
        if name.endswith(".csv"):
            assert b"sha256" not in content
        elif name.endswith(".pdf"):
            assert line.replace("(", r"\(").replace(")", r"\)").encode("ascii") in content, name
        else:
            assert line.encode("utf-8") in content, name


def test_an_untouched_report_is_as_written(small_report: Report, tmp_path: Path) -> None:
    """All files, the manifest among them."""
    write_report(small_report, tmp_path)
    checked = check_files(tmp_path, read_manifest(tmp_path))
    assert {item.verdict for item in checked} == {"as written"}
    assert [item.name for item in checked] == list(rendered(small_report))


@pytest.mark.slow
def test_what_was_changed_is_named(small_report: Report, tmp_path: Path) -> None:
    """Edited, removed, rendered with other templates, and the manifest itself."""
    mine = tmp_path / "mine" / "markdown"
    mine.mkdir(parents=True)
    (mine / "paragraph.md.jinja").write_text("{{ content }}!\n")
    folder = tmp_path / "r"
    write_report(small_report, folder, templates=(tmp_path / "mine",))
    (folder / "tables" / "results.tex").write_text("edited")
    (folder / "more" / "tables" / "results.csv").unlink()
    manifest = read_manifest(folder)
    verdicts = {item.name: item.verdict for item in check_files(folder, manifest)}
    assert verdicts.pop("tables/results.tex") == "edited"
    assert verdicts.pop("more/tables/results.csv") == "missing"
    assert verdicts.pop("paragraph.md") == "rendered otherwise"
    assert set(verdicts.values()) == {"as written"}
    same = {item.name: item.verdict for item in check_files(folder, manifest, templates=(tmp_path / "mine",))}
    assert same["paragraph.md"] == "as written"
    edited = check_files(folder, dataclasses.replace(manifest, intact=False))
    assert [item.name for item in edited if item.verdict == "edited"] == [MANIFEST, "tables/results.tex"]


def test_files_outside_the_folder_are_not_looked_at(small_report: Report, tmp_path: Path) -> None:
    """A forged list does not reach them."""
    write_report(small_report, tmp_path / "r")
    manifest = dataclasses.replace(read_manifest(tmp_path / "r"), files=("../secret", "/etc/passwd"))
    (tmp_path / "secret").write_text("x")
    verdicts = {item.name: item.verdict for item in check_files(tmp_path / "r", manifest)}
    assert verdicts["../secret"] == verdicts["/etc/passwd"] == "missing"
