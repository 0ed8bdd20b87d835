"""Systems with instances of their own: from a frame to the paragraph, tables and JSON."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.errors import DesignError, MissingScoresError
from tests.designs.golden import as_in_file


def _frame(n_a=60, n_b=80, *, kind="binary", datasets=("tweets", "news"), common=0, seed=0):
    """Systems new and old, each on instances of its own but for the first `common`."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        for system, n, shift in (("new", n_a, 0.2), ("old", n_b, 0.0)):
            for i in range(n):
                name = f"{dataset}-{i}" if i < common else f"{dataset}-{system}-{i}"
                if kind == "binary":
                    score = int(rng.random() < 0.6 + shift)
                elif kind == "ordinal":
                    score = int(np.clip(round(rng.normal(3 + 4 * shift, 1.2)), 1, 5))
                else:
                    score = round(float(rng.normal(shift, 0.3)), 3)
                rows.append((system, dataset, name, score))
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


CASES = {
    "right or wrong": (_frame(), {}),
    "right or wrong, one large sample": (_frame(60, 20_000, datasets=("tweets",)), {}),
    "right or wrong, many": (_frame(1200, 1100, datasets=("tweets",)), {}),
    "continuous": (_frame(kind="continuous"), {}),
    "continuous, few": (_frame(12, 15, kind="continuous", datasets=("tweets",)), {}),
    "ordinal": (_frame(kind="ordinal", datasets=("tweets",)), {"kind": "ordinal"}),
    "common instances": (_frame(60, 60, common=40, datasets=("tweets",)), {}),
    "tests of Dror et al.": (_frame(kind="continuous", datasets=("tweets",)), {"profile": "dror2017"}),
}


@pytest.fixture(scope="module")
def analyses():
    """By the name of the case."""
    return {
        name: frame.replic.compare("new", "old", pairing="unpaired", **options)
        for name, (frame, options) in CASES.items()
    }


@pytest.mark.slow
def test_paragraphs_read_as_expected(analyses):
    """Each text is as in the file that people read."""
    as_in_file("unpaired", {name: analysis.paragraph() for name, analysis in analyses.items()})


def test_numbers_agree_with_scipy(analyses):
    """From the frame to the p-value, through everything between."""
    frame, _ = CASES["continuous"]
    outcomes = analyses["continuous"].outcomes.set_index("dataset")
    for dataset, part in frame.groupby("dataset"):
        new, old = (part.score[part.system == system] for system in ("new", "old"))
        expected = stats.ttest_ind(new, old, equal_var=False, alternative="greater")
        assert outcomes.p_value[dataset] == pytest.approx(expected.pvalue, rel=1e-9)
        assert outcomes.difference[dataset] == pytest.approx(new.mean() - old.mean())
        two_sided = stats.ttest_ind(new, old, equal_var=False).confidence_interval()
        assert outcomes.loc[dataset, ["ci_low", "ci_high"]].tolist() == pytest.approx(list(two_sided))


def test_without_the_setting_the_error_names_it():
    """Paired is the default, and nothing is unpaired in silence."""
    with pytest.raises(MissingScoresError, match="pairing='unpaired'"):
        _frame().replic.compare("new", "old")
    with pytest.raises(DesignError, match="'boschloo' is a test of scores of different instances"):
        _frame(60, 60, common=60).replic.compare("new", "old", test="boschloo")
    with pytest.raises(DesignError, match="'mcnemar' is a test of paired scores"):
        _frame().replic.compare("new", "old", pairing="unpaired", test="mcnemar")
    with pytest.raises(DesignError, match="'boschloo' needs scores that are 0 or 1; system 'new' scores"):
        _frame(kind="continuous").replic.compare("new", "old", pairing="unpaired", test="boschloo")
    with pytest.raises(DesignError, match="choose 'mann-whitney'"):
        _frame(kind="ordinal").replic.compare("new", "old", pairing="unpaired", test="welch", kind="ordinal")


def test_constants_that_differ_do_not_stop_the_report():
    """The default then is the permutation test, which needs no variance."""
    frame = _frame(40, 40, datasets=("tweets",))
    frame["score"] = np.where(frame.system == "new", 0.75, 0.5)
    outcomes = frame.replic.compare("new", "old", pairing="unpaired").outcomes
    assert outcomes.test.tolist() == ["studentised-permutation"]
    assert outcomes.p_value[0] < 0.001
