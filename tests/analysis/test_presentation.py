"""Everything that a user holds is looked at in the same way: tables and figures by name, formats, files, words."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.analysis.presentation import Presented
from reportkit.report.facts_json import to_plain

HELD = (
    *("analysis", "report", "calibration", "reproducibility", "posterior", "bayes_factor", "claim"),
    *("power", "plan"),
)


def _scores(systems=("new", "newer", "old")):
    rng = np.random.default_rng(8)
    return pd.DataFrame(
        [
            {"system": system, "dataset": dataset, "instance": i, "score": int(rng.random() < 0.6 + 0.1 * shift)}
            for dataset in ("tweets", "movies", "news")
            for i in range(80)
            for shift, system in enumerate(reversed(systems))
        ]
    )


def _re_partitions():
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        [
            {"system": name, "repeat": repeat, "estimator": estimator, "value": value}
            for repeat in range(20)
            for estimator, gain in (("Avg", rng.normal(0.01, 0.01)), ("Vote", rng.normal(0.01, 0.01)))
            for name, value in (("new", 0.8 + gain), ("old", 0.8))
        ]
    )


@pytest.fixture(scope="module")
def held():
    """One of each."""
    pair = _scores().replic.compare("new", "old", alpha=0.05)
    return {
        "analysis": pair,
        "report": pair.report(),
        "calibration": _scores().replic.calibrate("new", "old", parts=("null",), n_replicates=200),
        "reproducibility": _re_partitions().replic.reproducibility("new", "old"),
        "posterior": pair.posterior(rope=0.05),
        "bayes_factor": pair.bayes_factor(),
        "claim": pair.assess(better_by=0.01),
        "power": _scores().replic.power("new", "old", effect=0.05),
        "plan": reportkit.power(effect=0.02, accuracy=0.8),
    }


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("name", HELD)
def test_one_protocol_for_all(held, name):
    """Names of tables and figures, each table in every format, numbers, words and notebooks."""
    item = held[name]
    assert isinstance(item, Presented)
    assert item.tables == tuple(table.name for table in item.report().model.tables)
    for table in item.tables:
        assert item.table(table).name == table
        assert r"\toprule" in item.to_latex(table)
        assert "|" in item.to_markdown(table)
        assert "<table" in item.to_html(table)
        assert len(json.loads(item.to_json(table))) == len(item.to_frame(table))
        assert len(item.to_frame(table)) == len(item.table(table).rows) + len(item.table(table).header_rows)
    assert item.table() is item.table(item.tables[0])
    assert all(item.figure(figure).alt_text for figure in item.figures)
    assert isinstance(item.to_frame(), pd.DataFrame)
    assert item.summary()
    bundle = item._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "text/markdown"}
    assert bundle["text/plain"] == repr(item)
    if not item.figures:
        with pytest.raises(reportkit.DesignError, match=item.tables[0]):
            item.figure()
    with pytest.raises(reportkit.UnknownNameError, match=item.tables[0]):
        item.table("no such table")
    with pytest.raises(reportkit.UnknownNameError, match="figure"):
        item.figure("no such figure")


def test_what_was_asked_has_the_tables_of_its_numbers(held):
    """One row per dataset, one per prior; several posteriors are drawn below each other."""
    assert held["posterior"].figures == ("posterior-forest",)
    frame = held["posterior"].to_frame("posteriors")
    assert frame["Dataset"].tolist() == ["movies", "news", "tweets"] == [item.dataset for item in held["posterior"]]
    found = held["posterior"].to_frame()
    assert [float(mean) / 100 for mean in frame["Mean"]] == pytest.approx(found["mean"].tolist(), abs=0.006)
    assert frame["Outcome"].tolist() == found["outcome"].str.removeprefix("practically ").tolist()
    factors = held["bayes_factor"]
    assert len(factors.to_frame("bayes-factors")) == len(factors.to_frame())
    assert len(factors) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize("name", HELD)
def test_all_are_saved_read_back_and_set_in_another_way(held, name, tmp_path):
    """A folder holds the report, a file one table, and a venue changes nothing that is said."""
    item = held[name]
    assert tmp_path / "r.1" / "report.json" in item.save(f"{tmp_path}/r.1/")
    assert to_plain(reportkit.BuiltReport.read(tmp_path / "r.1").model) == to_plain(item.report().model)
    for ending in (".tex", ".md", ".html", ".json", ".csv"):
        assert item.save(tmp_path / f"table{ending}", item.tables[-1]) == (tmp_path / f"table{ending}",)
    (numbers,) = item.save(tmp_path / "numbers.csv")
    assert len(pd.read_csv(numbers)) == len(item.to_frame())
    styled = item.styled(venue="acl")
    assert type(styled) is type(item)
    assert styled.summary() == item.summary()
    assert styled.report().model.appearance.venue == "acl"
    with pytest.raises(reportkit.UnknownNameError, match="venue"):
        item.styled(vneue="acl")


@pytest.mark.slow
@pytest.mark.usefixtures("sketched")
def test_a_report_is_written_whole_where_no_table_is_named(held, tmp_path):
    """In each format; one table where one is named."""
    report = held["report"]
    assert r"\documentclass" in report.to_latex()
    assert report.to_markdown().startswith("# ") or "\n# " in report.to_markdown()
    assert "<html" in report.to_html()
    assert json.loads(report.to_json())["version"] == 3
    (path,) = report.save(tmp_path / "report.html")
    assert path.read_text("utf-8").rstrip() == report.to_html().rstrip()


@pytest.mark.parametrize(
    ("path", "options"), [("x.odt", {}), ("x.odt", {"name": "results"}), ("x", {"name": "results"})]
)
def test_a_file_of_another_kind_is_refused(held, tmp_path, path, options):
    """With the endings that there are, and how to name a folder."""
    with pytest.raises(reportkit.SettingsError, match=r"use one of \.tex, \.md, \.html, \.json, \.csv"):
        held["analysis"].save(tmp_path / path, **options)
    with pytest.raises(reportkit.SettingsError, match="leave out templates"):
        held["analysis"].save(tmp_path / "x.tex", templates=["mine"])


def test_the_words_follow_the_labels(held):
    """What is printed instead of a name is printed in tables and words of what was asked, too."""
    for name in ("posterior", "bayes_factor", "claim"):
        item = held[name].styled(labels={"new": "Ours"})
        assert "Ours" in item.to_markdown()
        assert "Ours" not in held[name].to_markdown()
        assert "Ours" in item.summary()


@pytest.mark.parametrize("name", sorted({*HELD} - {"plan", "report"}))  # a plan has no names, and a report is finished
def test_labels_are_printed_in_all(held, name):
    """They stand wherever the names do, but for findings, which are about the data; a label for no name is refused."""
    labels = {"new": "Q1Q", "newer": "Q2QQQ", "old": "Q3Q", "tweets": "Q4QQQQ", "movies": "Q5QQQQ", "news": "Q6QQ"}
    item = held[name]
    data = json.dumps(to_plain(item.report().model))
    known = {name: label for name, label in labels.items() if f'"{name}"' in data}
    found = _words(item.styled(labels=known))
    assert any(label in found for label in known.values())
    for name_in_data, label in known.items():
        found = found.replace(label, name_in_data)
    assert found == _words(item)
    if name not in ("power", "reproducibility"):  # whose results do not hold the names of all systems
        with pytest.raises(reportkit.UnknownNameError, match="no_such"):
            item.styled(labels={"no_such": "x"}).report()


def _words(item):
    """Everything that a report says but its findings."""
    before, _, findings = item.report().to_markdown().partition("## What to know before citing this")
    return before + findings.partition("\n## ")[2]
