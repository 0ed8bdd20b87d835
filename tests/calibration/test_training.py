"""Systems trained on resampled training sets."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from reportkit.calibration.plan import stream
from reportkit.calibration.training import resampled_systems, training_rows
from reportkit.errors import InputError, SettingsError, UnknownNameError
from tests.conftest import unavailable


class NearestMean:
    """Predicts the label with the nearest mean of the first column; keeps what it was trained on."""

    def fit(self, X, y):
        """Learn the mean of each label."""
        self.rows = np.asarray(X.todense() if sparse.issparse(X) else X, dtype=float)[:, 0]
        self.names = np.unique(y)
        self.means = np.array([self.rows[np.asarray(y) == name].mean() for name in self.names])
        return self

    def predict(self, X):
        """Name the nearest."""
        values = np.asarray(X.todense() if sparse.issparse(X) else X, dtype=float)[:, 0]
        return self.names[np.abs(values[:, None] - self.means).argmin(axis=1)]


RNG = np.random.default_rng(0)
Y = np.repeat(["neg", "pos"], 30)
X = np.column_stack([RNG.normal(size=60) + (Y == "pos"), np.arange(60)])
Y_TEST = np.tile(["neg", "pos"], 20)
X_TEST = np.column_stack([RNG.normal(size=40) + (Y_TEST == "pos"), np.arange(40)])


def _scores(learners=None, *data, **options):
    found = resampled_systems(learners or {"mean": NearestMean}, *(data or (X, Y, X_TEST, Y_TEST)), **options)
    return {one.system: one.scores["test"].tolist() for one in found}


def test_scores_are_right_or_wrong():
    """What the systems are and whether they are right is what training by hand on the same rows gives."""
    found = _scores(sizes=[60, 20], n_repeats=[1, 2], seed=4)
    assert list(found) == ["mean/60/1", "mean/20/1", "mean/20/2"]
    codes, rng = np.unique(Y, return_inverse=True)[1], stream(4, "training set", "20", "2")
    rows = training_rows(codes, 20, replace=True, stratify=True, rng=rng)
    assert found["mean/20/2"] == (NearestMean().fit(X[rows], Y[rows]).predict(X_TEST) == Y_TEST).astype(int).tolist()


@pytest.mark.parametrize(
    "convert",
    [
        pytest.param(lambda rows: rows.tolist(), id="list"),
        pytest.param(sparse.csr_matrix, id="csr"),
        pytest.param(sparse.coo_array, id="coo"),
        pytest.param(pd.DataFrame, id="frame"),
    ],
)
def test_data_may_come_in_any_container(convert):
    """Lists, sparse matrices (also those without rows of their own) and frames give the scores that arrays give."""
    options = {"sizes": [30], "n_repeats": 2}
    converted = _scores(None, convert(X), Y.tolist(), convert(X_TEST), pd.Series(Y_TEST), **options)
    assert converted == _scores(**options)


def test_neither_order_nor_company_changes_a_system():
    """Other learners, sizes and repeats, in another order, leave the scores of a system as they are."""
    many = _scores({"b": NearestMean, "mean": NearestMean}, sizes=[15, 40], n_repeats=3, seed=9)
    assert _scores(sizes=[40], n_repeats=2, seed=9).items() <= many.items()
    assert _scores(sizes=[40], n_repeats=2, seed=10) != _scores(sizes=[40], n_repeats=2, seed=9)
    assert many["b/40/1"] == many["mean/40/1"]  # the same learner on the same training set
    apart = _scores({"b": NearestMean, "mean": NearestMean}, sizes=[15], n_repeats=3, seed=9, same_sets=False)
    assert [apart[f"b/15/{r}"] for r in (1, 2, 3)] != [apart[f"mean/15/{r}"] for r in (1, 2, 3)]


def test_all_rows_without_replacement_are_one_system():
    """Training sets of all rows without replacement differ in their order alone."""
    found = _scores(sizes=[60], n_repeats=3, replace=False)
    assert len({tuple(scores) for scores in found.values()}) == 1
    assert len({tuple(scores) for scores in _scores(sizes=[60], n_repeats=3).values()}) > 1


@pytest.mark.parametrize(("values", "kind"), [([1, -1], "i"), (["a", "b"], "U"), ([True, False], "b"), ([1, 2.5], "O")])
def test_learners_see_labels_of_their_own_type(values, kind):
    """A list of whole numbers is no array of objects, which scikit-learn refuses; mixed types stay what they are."""

    class Seen(NearestMean):
        def fit(self, X, y):
            assert y.dtype.kind == kind
            assert set(y.tolist()) == set(values)
            return super().fit(X, y)

    assert len(_scores({"seen": Seen}, X, values * 30, X_TEST, values * 20, sizes=[30], n_repeats=1)) == 1


def test_scores_by_a_function_and_numbers_to_predict():
    """Regression: a negative absolute error for each instance; labels are then never counted."""

    class Mean:
        def fit(self, X, y):
            self.mean = y.mean()

        def predict(self, X):
            return np.full(len(X), self.mean)

    values = np.linspace(0, 1, 20)
    (found,) = resampled_systems(
        {"mean": Mean}, X[:20], values, X_TEST[:3], np.array([0.0, 0.5, 1.0]),
        sizes=[20], n_repeats=1, replace=False, stratify=False, score=lambda gold, predicted: -np.abs(gold - predicted),
    )  # fmt: skip
    assert found.scores["test"].tolist() == pytest.approx([-0.5, 0, -0.5])


def test_several_test_sets_keep_their_names_and_order():
    """One mapping for the instances, one for the labels, in the order of the former."""
    tests = {"b": X_TEST[:10], "a": X_TEST[10:]}
    gold = {"a": Y_TEST[10:], "b": Y_TEST[:10]}
    (found,) = resampled_systems({"mean": NearestMean}, X, Y, tests, gold, sizes=[30], n_repeats=1)
    assert list(found.scores) == ["b", "a"]
    assert [*found.scores["b"], *found.scores["a"]] == _scores(sizes=[30], n_repeats=1)["mean/30/1"]


def test_progress_counts_systems():
    """Called once for each system."""
    calls = []
    _scores(sizes=[30, 20], n_repeats=2, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


def _failing(step):
    class Failing(NearestMean):
        pass

    def fail(self, *arguments):
        raise RuntimeError("no memory left")

    setattr(Failing, step, fail)
    return Failing


@pytest.mark.parametrize(("step", "place"), [("fit", ""), ("predict", "; dataset 'test'")])
def test_a_learner_that_fails_is_named(step, place):
    """Which learner, training set and test set, and what it said."""
    with pytest.raises(InputError, match=f"{step} failed with RuntimeError: no memory left") as caught:
        _scores({"good": NearestMean, "bad": _failing(step)}, sizes=[30], n_repeats=1)
    assert caught.value.where == f"learner 'bad', training set of 30, repeat 1{place}"
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        ((X, Y[:-1], X_TEST, Y_TEST), {}, InputError, r"labels have the shape \(59,\), and there are 60 rows"),
        ((X, Y, X_TEST, Y_TEST[1:]), {}, InputError, r"labels have the shape \(39,\), and there are 40 rows"),
        ((X, Y, {"a": X_TEST}, Y_TEST), {}, InputError, "one of X_tests and y_tests is a mapping"),
        ((X, Y, {"a": X_TEST}, {"b": Y_TEST}), {}, InputError, "do not name the same datasets: 'a' and 'b'"),
        ((X, Y, {}, {}), {}, InputError, "there is no test set"),
        (
            (X, Y, X_TEST, np.array(["neg", "neutral"] * 20)),
            {},
            InputError,
            "labels that the training data do not have",
        ),
        ((X, [None, *Y[1:]], X_TEST, Y_TEST), {}, InputError, "1 label is missing"),
        ((X[:0], Y[:0], X_TEST, Y_TEST), {}, InputError, "X has no rows"),
        ((X, Y, X_TEST, Y_TEST), {"sizes": [61]}, SettingsError, "61 rows cannot be drawn from 60"),
        ((X, Y, X_TEST, Y_TEST), {"score": "f1"}, UnknownNameError, "there is no score 'f1'"),
        ((X, np.arange(60.0), X_TEST, Y_TEST), {"score": np.equal}, InputError, "would have none of label"),
    ],
)
def test_bad_data_is_refused_before_anything_is_trained(data, options, error, message):
    """The call fails, not the first system."""
    with pytest.raises(error, match=message):
        resampled_systems({"never": _failing("fit")}, *data, **({"sizes": [30], "n_repeats": 1} | options))


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (lambda gold, predicted: np.mean(gold == predicted), r"score gives the shape \(\), and there are 40 instances"),
        (lambda gold, predicted: np.where(np.arange(40) == 2, np.nan, 1), "score gives nan for instance 2"),
        (lambda gold, predicted: gold - predicted, "score failed with"),
    ],
)
def test_scores_that_are_none(score, message):
    """A mean, a missing number and a failure are refused with their place."""
    with pytest.raises(InputError, match=message) as caught:
        _scores(sizes=[30], n_repeats=1, score=score)
    assert caught.value.where == "learner 'mean', training set of 30, repeat 1; dataset 'test'"


def test_predictions_of_another_kind_are_not_all_wrong():
    """Numbers for labels that are strings, or too few of them, are an error instead of scores of 0."""

    class Other(NearestMean):
        def predict(self, X):
            return np.zeros(len(X), int)

    class Short(NearestMean):
        def predict(self, X):
            return ["neg"]

    with pytest.raises(InputError, match="different types"):
        _scores({"other": Other}, sizes=[30], n_repeats=1)
    with pytest.raises(InputError, match=r"predictions have the shape \(1,\), and there are 40 instances"):
        _scores({"short": Short}, sizes=[30], n_repeats=1)


def test_pipelines_on_texts():
    """Vectorisers are fitted on each training set anew; a learner that draws random numbers repeats itself."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import SGDClassifier
        from sklearn.pipeline import make_pipeline
    except ImportError:
        unavailable("scikit-learn is not installed (it comes with the extra [test])")
    words = {"pos": ["good", "great", "fine", "nice"], "neg": ["bad", "poor", "weak", "dull"]}
    rng = np.random.default_rng(1)
    gold = np.array(["pos", "neg"] * 40)
    texts = [" ".join(rng.choice(words[label], 2)) + " " + " ".join(rng.choice(words["neg"], 1)) for label in gold]
    pipeline = make_pipeline(TfidfVectorizer(), SGDClassifier(max_iter=20, tol=None))
    options = {"sizes": [40, 10], "n_repeats": 2}
    once = _scores({"sgd": pipeline}, texts[:60], gold[:60], texts[60:], gold[60:], **options)
    assert once == _scores({"sgd": pipeline}, texts[:60], gold[:60], texts[60:], gold[60:], **options)
    assert all(np.mean(scores) > 0.6 for scores in once.values())
    assert not hasattr(pipeline[0], "vocabulary_")


@pytest.mark.slow
def test_scikit_learn_is_not_imported_before_it_is_needed():
    """Neither by the module nor by a run with functions that make models."""
    code = (
        "import sys, reportkit; from reportkit.calibration.training import resampled_systems\n"
        "class M:\n def fit(self, X, y): pass\n def predict(self, X): return [1] * len(X)\n"
        "assert len(list(resampled_systems({'m': M}, [0, 1], [1, 1], [0], [1], sizes=[2], n_repeats=3))) == 3\n"
        "sys.exit('sklearn' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
