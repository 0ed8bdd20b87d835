"""The study of 90 systems: its results, its script, and that the README states what they give."""

from __future__ import annotations

import contextlib
import csv
import importlib.util
import io
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from scipy.stats import norm

from reportkit.calibration import compared_pairs, gain_thresholds
from reportkit.cli.main import main
from tests.conftest import needed

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "calibration"
README = (FOLDER / "README.md").read_text("utf-8")


def _script(name):
    spec = importlib.util.spec_from_file_location(f"calibration_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def frame():
    """The committed scores."""
    return pd.read_parquet(FOLDER / "results.parquet")


@pytest.fixture(scope="module")
def findings():
    """The script that prints the findings."""
    return _script("findings")


@pytest.fixture(scope="module")
def blocks(findings):
    """Scores by test set, as reportkit reads them."""
    return findings.read_blocks()


@pytest.fixture(scope="module")
def movies(findings, blocks):
    """All pairs on the first half of the movie snippets."""
    return compared_pairs(blocks["movies-1"], test=findings.TEST)


def test_the_results_are_compact_and_hold_no_text():
    """Ids, not texts: no column has longer values than names of systems."""
    assert (FOLDER / "results.parquet").stat().st_size < 400_000
    table = pq.read_table(FOLDER / "results.parquet")
    names = ["system", "family", "training_size", "repeat", "dataset", "instance", "score", "cluster"]
    assert table.column_names == names
    texts = [table[name].unique().to_pylist() for name in ("system", "family", "dataset", "instance", "cluster")]
    assert max(len(value) for values in texts for value in values) <= len("naive-bayes/5000/10")


def test_the_design_is_that_of_the_paper(frame):
    """Three learners, three sizes, ten training sets each; every system on every text, once."""
    systems = frame[["system", "family", "training_size", "repeat"]].drop_duplicates()
    assert len(systems) == 90
    assert (systems.groupby(["family", "training_size"], observed=True)["repeat"].nunique() == 10).all()
    assert not frame.duplicated(["system", "instance"]).any()
    assert len(frame) == 90 * frame["instance"].nunique()
    assert set(frame["score"].unique()) == {0, 1}


def test_the_readme_has_the_tables_of_sizes_and_accuracies(frame):
    """What the script prints at the end stands in the README, computed again from the committed scores."""
    for part in _script("make_results").summary(frame).split("\n\n"):
        assert part in README


@pytest.mark.slow
def test_documents_are_clusters(blocks):
    """Sentences of reviews and editorials nest in documents, and nothing else does."""
    found = {name: len(np.unique(block.clusters)) for name, block in blocks.items() if block.clusters is not None}
    assert (found["amazon"], found["nyt"]) == (299, 498)
    for name in ("movies-1", "movies-2", "tweets"):
        assert found.get(name, blocks[name].n_instances) == blocks[name].n_instances


@pytest.mark.slow
def test_the_readme_has_all_findings(findings):
    """Everything that the script of findings prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        findings.main()
    for part in printed.getvalue().strip().split("\n\n"):
        assert part in README


def test_pairs_that_share_a_training_set_need_smaller_gains(findings, blocks):
    """What the README says in words: gain by z, that is the standard error of the gain, is a third smaller for them."""
    block = blocks["movies-1"]
    pairs = compared_pairs(block.narrowed([name for name in block.systems if name.endswith("0/1")]), test=findings.TEST)
    training = [name.split("/", 1)[1] for name in pairs.systems]
    shared = np.array([training[a] == training[b] for a, b in zip(pairs.winner, pairs.loser, strict=True)])
    assert shared.sum() == 9
    far = pairs.p_values < 0.3
    error = pairs.gains[far] / norm.isf(pairs.p_values[far])
    assert np.median(error[shared[far]]) < 0.8 * np.median(error[~shared[far]])


@pytest.mark.slow
def test_the_command_of_the_readme_builds_a_report(tmp_path):
    """The command as it stands, with fewer parts; families are found by their column."""
    command = README.split("```sh\n")[1].split("```")[0].replace("\\\n", " ")
    words = shlex.split(command)
    words[words.index("-o") + 1] = str(tmp_path / "report")
    words[words.index("examples/calibration/results.parquet")] = str(FOLDER / "results.parquet")
    with pytest.raises(SystemExit) as stopped:
        main([*words[1:], "--quiet", "--quick", "--part", "null", "--part", "sizes"])
    assert int(stopped.value.code or 0) in (0, 1)  # 1: a warning about p-values
    assert "naive-bayes/5000/1" in (tmp_path / "report" / "more" / "report.md").read_text("utf-8")


def _table(name):
    """Rows of a table of the committed report; an empty first cell repeats the one above."""
    with (FOLDER / "report" / "more" / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for above, row in pairwise(rows):
        row["Dataset"] = row["Dataset"] or above["Dataset"]
    return rows


@pytest.mark.slow
def test_the_committed_report_is_of_these_results(findings, movies):
    """Its thresholds are those of the scores beside it, computed again for one test set."""
    found = [row for row in _table("gain-thresholds") if row["Dataset"] == "movies-1"]
    wanted = gain_thresholds(movies, families=findings.families(movies.systems))
    assert len(found) == len(wanted) == 3
    for row, item in zip(found, wanted, strict=True):
        assert (int(row["Number"]), int(row["In window"])) == (item.n_pairs, item.n_in_window)
        assert float(row["Threshold"]) == pytest.approx(100 * item.threshold, abs=0.0501)


def test_the_readme_states_the_calibration_of_the_report():
    """The shares of better systems among winners near .05 are those of table 5 of the committed report."""
    rows = [row for row in _table("bins") if row["p"] == "(.04, .08]"]
    assert [row["Dataset"] for row in rows] == ["amazon", "movies-1", "movies-2", "nyt", "tweets"]
    for row in rows:
        assert f"| {row['Dataset']} | {row['Better']} {row['95%']} |" in README


def _corpora():
    rng = np.random.default_rng(0)
    sizes = {"movie_reviews": 5_400, "amazon_reviews": 40, "nyt_editorials": 40, "tweets": 40}
    return {
        name: [
            SimpleNamespace(text=f"{name} {i}", rating=float(r), instance=f"{name}/{i}", cluster=f"{name}/{i // 4}")
            for i, r in enumerate(rng.choice([-1.5, 0, 2], n))
        ]
        for name, n in sizes.items()
    }


def test_the_script_splits_movies_and_keeps_the_rest():
    """Nothing is trained on and tested, nothing is lost but what is rated exactly 0."""
    script, corpora = _script("make_results"), _corpora()
    for name in corpora:
        if name == "movie_reviews":
            corpora[name] = [text for text in corpora[name] if text.rating] + corpora[name][:1_900]
            for place, text in enumerate(corpora[name]):
                corpora[name][place] = SimpleNamespace(**{**vars(text), "instance": f"movies/{place}", "rating": 1.0})
    training, tests = script.split(corpora)
    assert len(training) == script.TRAINING
    assert list(tests) == ["movies-1", "movies-2", "amazon", "nyt", "tweets"]
    parts = [{text.instance for text in part} for part in (training, tests["movies-1"], tests["movies-2"])]
    assert sum(map(len, parts)) == len(set.union(*parts)) == len(corpora["movie_reviews"])
    assert abs(len(parts[1]) - len(parts[2])) <= 1
    assert [text.instance for text in tests["amazon"]] == [t.instance for t in corpora["amazon_reviews"] if t.rating]


def test_the_script_trains_and_packs(tmp_path, capsys):
    """On four small corpora with the three learners: what is written is what was scored, instance by instance."""
    needed("sklearn", "test")
    script, rng = _script("make_results"), np.random.default_rng(1)
    words = {-1: ["bad", "poor", "weak", "dull"], 1: ["good", "great", "fine", "nice"]}

    def texts(name, n):
        signs = rng.choice([-1, 1], n)
        made = [" ".join([*rng.choice(words[sign], 2), *rng.choice(words[-sign], 1)]) for sign in signs]
        return [
            SimpleNamespace(text=text, rating=1.5 * sign, instance=f"{name}/{i}", cluster=f"{name}/{i // 3}")
            for i, (text, sign) in enumerate(zip(made, signs, strict=True))
        ]

    tests = {"near": texts("near", 30), "far": texts("far", 21)}
    scored = script.run(texts("train", 60), tests, script.learners(), sizes=(60, 30), n_repeats=2)
    script.write_results(tmp_path / "a.parquet", scored)
    read = pd.read_parquet(tmp_path / "a.parquet")
    assert len(read) == 3 * 2 * 2 * 51
    assert read["system"].head(12).nunique() == 12  # all systems of an instance stand together
    keys = ["system", "dataset", "instance"]
    both = [part.astype(dict.fromkeys(keys, "str")).set_index(keys)["score"].sort_index() for part in (read, scored)]
    assert both[0].tolist() == both[1].tolist()
    assert read["score"].mean() > 0.6
    assert "12 of 12 systems" in capsys.readouterr().err
