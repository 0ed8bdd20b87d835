"""The numbers that users see: each named call of a public door says what `numbers/<room>.json` records.

How far a number may move is at the top of `record.py`. REPORTKIT_UPDATE_GOLDEN=1 records anew the calls that are
run (`-k paired`), to be read before they are committed. `changing.json` holds what is known to be wrong, or is to be
replaced by the published test: F1 of a rare class, and the t-tests over training runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.contract.calls import ROOMS, Call
from tests.contract.doors import Seen
from tests.contract.record import differences, observe, read, write

UPDATE = os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1"
CALLS = [
    pytest.param(room, name, call, id=f"{room}: {name}")
    for room, calls in ROOMS.items()
    for name, call in calls.items()
]


@pytest.fixture(scope="module")
def recorded() -> Iterator[dict[str, dict[str, Seen]]]:
    """What the files record, by room and call."""
    found = {room: read(room) for room in ROOMS}
    yield found
    if UPDATE:
        for room, calls in ROOMS.items():
            write(room, {name: found[room][name] for name in calls if name in found[room]})


@pytest.mark.parametrize(("room", "name", "call"), CALLS)
def test_a_call_says_what_it_said(
    room: str, name: str, call: Call, recorded: dict[str, dict[str, Seen]], request: pytest.FixtureRequest
) -> None:
    """P-values, adjusted ones, k-hat, names, estimates, intervals, n and tests."""
    if room == "real":
        request.getfixturevalue("shared")
    if UPDATE:
        recorded[room][name] = observe(call)
    found = differences(recorded[room][name], call(0))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("room", ROOMS)
def test_calls_and_records_are_the_same(room: str, recorded: dict[str, dict[str, Seen]]) -> None:
    """No call without a record, no record without a call."""
    assert sorted(recorded[room].keys() & ROOMS[room].keys()) == sorted(ROOMS[room])
    assert UPDATE or sorted(recorded[room]) == sorted(ROOMS[room])
