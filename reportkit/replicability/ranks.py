"""Ranks that systems may have, given the pairs in which one is shown to be better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def rank_intervals(systems: Sequence[str], better: Iterable[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Return the best and the worst rank of each system, at joint confidence.

    Parameters
    ----------
    systems : sequence of str
        All systems of one dataset.
    better : iterable of (str, str)
        Pairs whose first system is shown to be better, by tests of all pairs in both directions whose family-wise error
        rate is controlled at alpha, such as Holm's.

    Returns
    -------
    dict of str to (int, int)
        With a probability of at least 1 - alpha, no pair is wrong, and then every true rank lies in its interval: at
        least one more than the systems that are better, and at most as many as are not worse. Systems that may be first
        form the top group.

    Notes
    -----
    Mogstad, Romano, Shaikh and Wilhelm (2024), "Inference for ranks with applications to mobility across neighbourhoods
    and academic achievement across countries", Review of Economic Studies 91, invert tests of all pairs in this way.

    Examples
    --------
    >>> rank_intervals(["a", "b", "c"], [("a", "c"), ("b", "c")])
    {'a': (1, 2), 'b': (1, 2), 'c': (3, 3)}
    """
    pairs = set(better)
    ahead = {name: sum(loser == name for _, loser in pairs) for name in systems}
    behind = {name: sum(winner == name for winner, _ in pairs) for name in systems}
    return {name: (1 + ahead[name], len(systems) - behind[name]) for name in systems}
