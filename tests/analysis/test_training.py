"""Systems trained on resampled training sets, as a frame that everything else takes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import reportkit
from reportkit.calibration.plan import stream
from reportkit.calibration.training_sets import new_model, training_rows
from reportkit.errors import InputError, SettingsError
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


def _frame(learners=None, *data, **options):
    data = data or (X, Y, X_TEST, Y_TEST)
    return reportkit.resampled_training_sets(learners or {"mean": NearestMean}, *data, **options)


def _scores(learners=None, *data, **options):
    rows = _frame(learners, *data, **options).groupby("system", observed=True, sort=False)["score"]
    return {str(system): scores.tolist() for system, scores in rows}


@settings(max_examples=20)
@given(st.integers(0, 99))
def test_training_sets_have_the_size_and_the_shares_that_were_asked_for(seed):
    """Each label occurs as often as its share says."""
    codes = np.repeat([0, 1, 2], [20, 10, 6])
    assert np.bincount(codes[training_rows(codes, 18, np.random.default_rng(seed))]).tolist() == [10, 5, 3]


def test_scores_are_right_or_wrong():
    """What the systems are and whether they are right is what training by hand on the same rows gives."""
    found = _scores(sizes=[60, 20], n_repeats=[1, 2], rng=4)
    assert list(found) == ["mean/60/1", "mean/20/1", "mean/20/2"]
    codes, rng = np.unique(Y, return_inverse=True)[1], stream(4, "training set", "20", "2")
    rows = training_rows(codes, 20, rng)
    assert found["mean/20/2"] == (NearestMean().fit(X[rows], Y[rows]).predict(X_TEST) == Y_TEST).astype(int).tolist()


def test_the_frame_is_read_as_results():
    """Roles are recognised by their names; documents are clusters, and each instance by itself elsewhere."""
    tests, gold = {"near": X_TEST, "far": X_TEST[:20]}, {"far": Y_TEST[:20], "near": Y_TEST}
    documents = [f"near/{i // 4}" for i in range(40)]
    learners = {"mean": NearestMean, "other": NearestMean}
    frame = _frame(learners, X, Y, tests, gold, sizes=[60, 30], n_repeats=2, clusters={"near": documents})
    blocks = {block.dataset: block for block in frame.replic.read()}
    assert set(blocks["far"].systems) == {
        f"{name}/{size}/{k}" for name in learners for size in (30, 60) for k in (1, 2)
    }
    assert {name: (block.kind, block.n_instances) for name, block in blocks.items()} == {
        "near": ("binary", 40),
        "far": ("binary", 20),
    }
    assert len(set(blocks["near"].clusters.tolist())) == 10
    one = frame[(frame.system == "other/30/2") & (frame.dataset == "far")]
    assert one[["family", "training_size", "repeat"]].drop_duplicates().to_numpy().tolist() == [["other", 30, 2]]
    assert (one.cluster.astype(str) == one.instance.astype(str)).all()
    assert not set(one.instance) & set(frame[frame.dataset == "near"].instance)


@pytest.mark.parametrize("convert", [np.ndarray.tolist, sparse.csr_matrix, sparse.coo_array, pd.DataFrame])
def test_data_may_come_in_any_container(convert):
    """Lists, sparse matrices (also those without rows of their own) and frames give the scores that arrays give."""
    options = {"sizes": [30], "n_repeats": 2}
    converted = _scores(None, convert(X), Y.tolist(), convert(X_TEST), pd.Series(Y_TEST), **options)
    assert converted == _scores(**options)


def test_neither_order_nor_company_changes_a_system():
    """Other learners, sizes and repeats, in another order, leave the scores of a system as they are."""
    many = _scores({"b": NearestMean, "mean": NearestMean}, sizes=[15, 40], n_repeats=3, rng=9)
    assert _scores(sizes=[40], n_repeats=2, rng=9).items() <= many.items()
    assert _scores(sizes=[40], n_repeats=2, rng=10) != _scores(sizes=[40], n_repeats=2, rng=9)
    assert many["b/40/1"] == many["mean/40/1"]  # the same learner on the same training set


@pytest.mark.parametrize(("values", "kind"), [([1, -1], "i"), (["a", "b"], "U"), ([True, False], "b"), ([1, 2.5], "O")])
def test_learners_see_labels_of_their_own_type(values, kind):
    """A list of whole numbers is no array of objects, which scikit-learn refuses; mixed types stay what they are."""

    class Seen(NearestMean):
        def fit(self, X, y):
            assert y.dtype.kind == kind
            assert set(y.tolist()) == set(values)
            return super().fit(X, y)

    assert len(_scores({"seen": Seen}, X, values * 30, X_TEST, values * 20, sizes=[30], n_repeats=1)) == 1


def _never(self, *arguments):
    raise RuntimeError("no memory left")


def test_a_learner_that_fails_is_named():
    """Which learner and training set, in a note to what it raised."""
    bad = type("Bad", (NearestMean,), {"predict": _never})
    with pytest.raises(RuntimeError, match="no memory left") as caught:
        _scores({"good": NearestMean, "bad": bad}, sizes=[30], n_repeats=1)
    assert caught.value.__notes__ == ["raised by learner 'bad', training set of 30, repeat 1"]


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        ((X, Y[:-1], X_TEST, Y_TEST), {}, InputError, r"labels have the shape \(59,\), and there are 60 rows"),
        ((X, Y, X_TEST, Y_TEST[1:]), {}, InputError, r"labels have the shape \(39,\), and there are 40 rows"),
        ((X, Y, {"a": X_TEST}, Y_TEST), {}, InputError, "do not name the same datasets"),
        ((X, Y, {}, {}), {}, InputError, "do not name the same datasets"),
        ((X, Y, X_TEST, np.array(["neg", "other"] * 20)), {}, InputError, "labels that the training data do not have"),
        ((X, [None, *Y[1:]], X_TEST, Y_TEST), {}, InputError, "1 label is missing"),
        ((X[:0], Y[:0], X_TEST, Y_TEST), {}, InputError, "there are no rows"),
        ((X, Y, X_TEST, Y_TEST), {"sizes": [61]}, SettingsError, "61 rows cannot be drawn from 60"),
        ((X, Y, X_TEST, Y_TEST), {"sizes": [30, 30]}, SettingsError, "give each size once"),
        ((X, ["rare", *Y[1:]], X_TEST, Y_TEST), {}, InputError, "would have none of label 'rare'"),
        ((X, Y, X_TEST, Y_TEST), {"instances": ["a"] * 40}, InputError, "40 names of instances, 1 of them different"),
        ((X, Y, X_TEST, Y_TEST), {"clusters": {"far": ["a"]}}, InputError, "instances and clusters name others"),
    ],
)
def test_bad_data_is_refused_before_anything_is_trained(data, options, error, message):
    """The call fails, not the first system."""
    never = type("Never", (NearestMean,), {"fit": _never})
    with pytest.raises(error, match=message):
        _frame({"never": never}, *data, **({"sizes": [30], "n_repeats": 1} | options))


def test_predictions_that_are_none():
    """Labels of another type, or too few of them, are an error instead of scores of 0."""
    for predicted, message in ((lambda X: np.zeros(len(X), int), "different types"), (lambda X: ["neg"], r"\(1,\)")):
        learner = type("Odd", (NearestMean,), {"predict": lambda self, X, given=predicted: given(X)})
        with pytest.raises(InputError, match=message):
            _scores({"odd": learner}, sizes=[30], n_repeats=1)


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
    data, options = (texts[:60], gold[:60], texts[60:], gold[60:]), {"sizes": [40, 10], "n_repeats": 2}
    once = _scores({"sgd": pipeline}, *data, **options)
    assert once == _scores({"sgd": pipeline}, *data, **options)
    assert all(np.mean(scores) > 0.6 for scores in once.values())
    assert new_model("sgd", pipeline, 11).steps[1][1].random_state == 11
    with pytest.raises(InputError, match="scikit-learn cannot clone"):
        new_model("mean", NearestMean(), 0)


def test_a_learner_has_fit_and_predict():
    """Anything else is refused by name."""
    with pytest.raises(SettingsError, match="learner 'three' is 3, which has no fit and predict"):
        _frame({"three": 3})
