"""What is computed once for a sample."""

from reportkit.scores.computed_once import remembered


def test_computed_once():
    """The second time nothing is computed, not even where None was found."""
    known, calls = {}, []
    assert remembered(known, "tail", lambda: calls.append("first")) is None
    assert remembered(known, "tail", lambda: calls.append("second")) is None
    assert calls == ["first"]
    assert remembered(known, "mean", lambda: 0.5) == 0.5
