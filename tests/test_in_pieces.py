"""Results come in the order of the pieces, and of several errors the first, whoever does the work."""

import pytest

from reportkit.errors import DesignError
from reportkit.in_pieces import in_order


def half(number):
    """Of an even number."""
    if number % 2:
        raise DesignError(f"{number} is odd")
    return number // 2


def backwards(function, arguments):
    """Do the last piece first."""
    for place in reversed(range(len(arguments))):
        yield place, function(*arguments[place])


@pytest.mark.parametrize("run", [None, backwards])
def test_order_and_errors_do_not_depend_on_who_does_the_work(run):
    """What comes before the first error is there, too."""
    assert list(in_order(run, half, ((number,) for number in (2, 4, 8)))) == [1, 2, 4]
    found = []
    with pytest.raises(DesignError, match="3 is odd"):
        found.extend(in_order(run, half, [(2,), (3,), (5,)]))
    assert next(in_order(run, half, [(2,), (3,)])) == 1


def test_here_a_piece_waits_until_its_result_is_asked_for():
    """So that not all of their data are in memory at once."""
    made = []
    results = in_order(None, half, ((made.append(number) or number,) for number in (2, 4)))
    assert (next(results), made) == (1, [2])
