"""k of n from columns, or from accuracies that leave no doubt."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reportkit
from reportkit.errors import DuplicateScoresError, InputError, ReportkitError, ScoreValueError
from reportkit.scores.layouts import counts_of_shares
from reportkit.scores.questions import Request
from tests.scores.reading import results_of


def _frame(**columns):
    return pd.DataFrame({"system": ["a", "b", "a", "b"], "dataset": ["x", "x", "y", "y"], **columns})


K, N = [30, 20, 7, 9], [40, 40, 10, 12]


def test_k_and_n():
    """With or without scores and a column of instances; the order of rows does not matter."""
    frame = _frame(k=K, n=N)
    one = results_of(frame)
    assert [block.shape for block in one.datasets] == ["counts", "counts"]
    assert one.datasets[1].scores[:, 0].tolist() == [7, 9]
    assert one.datasets[1].scores[:, 1].tolist() == [10, 12]
    for other in (
        frame.sample(frac=1, random_state=1),
        frame.assign(instance=0, score=np.array(K) / N),
        frame.assign(accuracy=np.round(100 * np.array(K) / N, 1)),
        frame.astype(str),
    ):
        assert results_of(other).digest() == one.digest()


def _counted(frame):
    """Validate a frame whose shares become counts."""
    return results_of(counts_of_shares(frame.rename(columns={"accuracy": "score"}), "accuracy", Request())[0])


def test_accuracies_that_leave_no_doubt():
    """Shares of a known n in full, rounded, and in percent."""
    counts = results_of(_frame(k=K, n=N))
    for scores in (np.array(K) / N, np.round(np.array(K) / N, 3), np.round(100 * np.array(K) / N, 1)):
        assert _counted(_frame(score=scores, n=N)).digest() == counts.digest()


@pytest.mark.slow
@given(st.integers(1, 5000), st.integers(1, 6), st.data())
def test_a_rounded_accuracy_gives_a_count_that_rounds_to_it(n, decimals, data):
    """It is the count itself where no other whole number is printed alike."""
    k = data.draw(st.lists(st.integers(0, n), min_size=2, max_size=2))
    scores = [round(one / n, decimals) for one in k]
    frame = pd.DataFrame({"system": ["a", "b"], "dataset": "x", "score": scores, "n": n})
    found = _counted(frame).datasets[0].scores[:, 0].tolist()
    shown = max(len(np.format_float_positional(score, trim="-").partition(".")[2]) for score in scores)
    for one, score, true in zip(found, scores, k, strict=True):
        assert abs(one / n - score) <= 0.5 * 10.0**-shown + 1e-9
        assert one == true or n * 10.0**-shown > 0.99


def _refused(frame, error=ScoreValueError, **options):
    with pytest.raises(error) as raised:
        results_of(frame, **options)
    return str(raised.value)


def test_what_does_not_fit_is_refused():
    """Each with the value, the rows, and a way out."""
    assert "37.5" in _refused(_frame(k=[30, 20, 7, 37.5], n=N))
    assert "empty" in _refused(_frame(k=[30, 20, 7, None], n=N))
    assert "0 counts" not in _refused(_frame(k=K, n=[40, 40, 10, 0]))
    assert "13 of 12" in _refused(_frame(k=[30, 20, 7, 13], n=N))
    message = _refused(_frame(score=[0.751, 0.5, 0.7, 0.8], n=[10, 10, 10, 10]))
    assert "no whole numbers" in message
    assert "across_datasets=True" in message
    assert "declared ordinal" in _refused(_frame(k=K, n=N), InputError, kind="ordinal")


def test_several_rows_without_instances_are_refused():
    """They cannot be told apart, and are no counts."""
    frame = pd.concat([_frame(k=K, n=N), _frame(k=K, n=N).assign(k=1)])
    assert "several scores" in _refused(frame, DuplicateScoresError)


def test_k_of_n_for_each_instance_are_scores():
    """Several samples per instance: the share that is right is the score of the instance."""
    frame = pd.DataFrame(
        {"system": ["a", "b"] * 2, "dataset": "x", "instance": [1, 1, 2, 2], "k": [3, 2, 1, 4], "n": 4}
    )
    (block,) = results_of(frame).datasets
    assert block.shape == "paired"
    assert block.row("b").tolist() == [0.5, 1.0]


def test_arc_counts(shared):
    """The published counts, from k and n and from the printed accuracies."""
    frame = pd.read_csv(shared / "data" / "arc_counts" / "data.csv")
    expected = {("ARC-easy", "BERT-MT-ensemble"): 1721, ("ARC-challenge", "Reading-Strategies"): 496}
    shares = counts_of_shares(frame.drop(columns=["k", "instance"], errors="ignore"), "accuracy", Request())[0]
    for table in (frame, shares, frame.drop(columns=["score", "instance"])):
        results = results_of(table)
        for block in results.datasets:
            for system, k in zip(block.systems, block.scores[:, 0], strict=True):
                assert expected.get((block.dataset, system), k) == k


def test_without_n_the_refusal_names_all_ways_out(shared):
    """Scores of instances, counts, printed p-values, or the datasets as the sample."""
    frame = pd.read_csv(shared / "data" / "arc_counts" / "data.csv")
    message = _refused(frame.drop(columns=["k", "n"]), ReportkitError)
    for way in ("score of every instance", "k and n", "p_value", "across_datasets=True", "--across-datasets"):
        assert way in message


def test_the_argument_that_names_the_pair_works() -> None:
    """Of three systems the message says what leaves two, also in Python."""
    df = pd.DataFrame({"model": list("abc"), "dataset": "d", "acc": [0.73, 0.7, 0.6], "n": 1000})
    with pytest.raises(InputError, match="3 shares fit several numbers") as raised:
        reportkit.compare(df)
    assert "if a is compared with b: exclude=['c']" in (raised.value.remedy or "")
    analysis = reportkit.compare(df, exclude=["c"])
    assert analysis.results.systems == ("a", "b")
