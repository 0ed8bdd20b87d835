"""What a sample remembers is computed once."""

from __future__ import annotations

from reportkit.scores.sample import remembered


def test_computed_once():
    """The second time nothing is computed, not even where None was found."""
    known, calls = {}, []
    assert remembered(known, "tail", lambda: calls.append("first")) is None
    assert remembered(known, "tail", lambda: calls.append("second")) is None
    assert calls == ["first"]
    assert remembered(known, "mean", lambda: 0.5) == 0.5
