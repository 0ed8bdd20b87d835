"""The last step of harnesses: one metric, one direction, equal instances, and a note for whatever falls away."""

from __future__ import annotations

import pytest

from reportkit.errors import ReadingError, SettingsError
from reportkit.readers.choosing import choose_filter, choose_metrics
from reportkit.readers.naming import distinct_systems
from reportkit.readers.pairing import Asked, paired_ids
from reportkit.readers.understood import Reading, Request
from reportkit.readers.units import Unit, latest, understood


def _unit(system: str, dataset: str, **scores: list[float | None]) -> Unit:
    n = len(next(iter(scores.values())))
    return Unit(system, dataset, f"{system}/{dataset}", ids=[str(i) for i in range(n)], scores=dict(scores))


def _understood(*units: Unit, **asked: object) -> Reading:
    return understood(units, Request(**asked), format_name="Toy", id_name="id", n_files=len(units))  # type: ignore[arg-type]


def test_the_metric_of_most_datasets_is_taken() -> None:
    """A dataset without it is scored by its own; the frame then has no column of metrics: they are one family."""
    of = {"x": "acc", "y": "f1", "z": "acc"}
    reading = _understood(*(_unit(s, d, **{m: [1.0, 0.0]}) for s in "ab" for d, m in of.items()))
    assert reading.metrics == {"x": ("acc",), "y": ("f1",), "z": ("acc",)}
    assert "metric" not in reading.frame
    assert len(reading.frame) == 12
    assert [note.code for note in reading.notes] == ["metric-chosen"]


def test_several_metrics_are_named_in_the_frame() -> None:
    """Those that are asked for, with a column that says which."""
    reading = _understood(*(_unit(s, "x", acc=[1.0, 0.0], f1=[0.5, 0.0]) for s in "ab"), metrics=("f1", "acc"))
    assert reading.frame.groupby("metric", observed=True).size().to_dict() == {"f1": 4, "acc": 4}
    assert not reading.notes


def test_a_metric_that_one_system_lacks_is_not_chosen() -> None:
    """Only what all systems have of a dataset; what none of them have in common is said."""
    reading = _understood(_unit("a", "x", loss=[1.0], acc=[1.0]), _unit("b", "x", acc=[0.0]))
    assert reading.all_metrics == ("acc",)
    reading = _understood(_unit("a", "x", loss=[1.0]), _unit("b", "x", acc=[0.0]))
    assert "scores-absent" in {note.code for note in reading.notes}


def test_nothing_scored_is_refused() -> None:
    """Files without a number."""
    with pytest.raises(SettingsError, match="no score of an instance"):
        _understood(_unit("a", "x", acc=[None]))


def test_what_files_do_not_have_cannot_be_named() -> None:
    """Columns, of files that are no tables; nothing that a user says is passed over."""
    with pytest.raises(SettingsError, match=r"columns were named[\s\S]*--metric"):
        _understood(_unit("a", "x", acc=[1.0]), columns={"score": "acc"})


def test_the_latest_counts_if_dates_tell() -> None:
    """Two evaluations of one system on one dataset: never their mean."""
    units = [_unit("a", "x", acc=[1.0]) for _ in range(2)]
    with pytest.raises(ReadingError, match="more than once"):
        latest(units, "model")
    units[0].date, units[1].date = "2", "1"
    kept, (note,) = latest(units, "model")
    assert kept == [units[0]]
    assert note.severity == "warning"


def test_filters_are_chosen_by_dataset() -> None:
    """The one that is named, where there is a choice; the only one elsewhere; refused where there are others."""
    available = {"gsm": ["strict", "flexible"], "arc": ["none"]}
    assert choose_filter(available, Request())[0] == {"gsm": "strict", "arc": "none"}
    assert choose_filter(available, Request(filter="flexible"))[0] == {"gsm": "flexible", "arc": "none"}
    with pytest.raises(SettingsError, match="gsm: strict and flexible"):
        choose_filter(available, Request(filter="none"))


def test_main_metrics_come_first() -> None:
    """In the order of the format, whatever is more frequent."""
    available = {"x": ["n", "acc"], "y": ["n"]}
    assert choose_metrics(available, Request(), main=("acc",)).metrics == {"x": ("acc",), "y": ("n",)}


def test_hashes_pair_where_ids_do_not() -> None:
    """Of the datasets concerned; equal instances more than once cannot be told apart."""
    first, second = (Asked(s, "x", ["0", "1"], h, s) for s, h in (("a", ["p", "q"]), ("b", ["q", "p"])))
    ids, paired_on, (note,) = paired_ids([first, second], "id", "hash")
    assert (ids, paired_on, note.code) == ([["p", "q"], ["q", "p"]], "hash", "different-instances")
    runs = Asked("c", "x", ["0", "0", "1", "1"], ["p", "p", "q", "q"], "c")
    assert paired_ids([first, runs], "id", "hash")[0] == [["0", "1"], ["0", "0", "1", "1"]]
    with pytest.raises(ReadingError, match="more than once"):
        paired_ids([first, Asked("b", "x", ["0", "1"], ["q", "q"], "b")], "id", "hash")


def test_names_differ_where_places_do(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One label in several folders gets what tells the folders apart."""
    folder = tmp_path_factory.mktemp("runs")
    places = {folder / "a" / "m": "m", folder / "b" / "m": "m", folder / "b" / "n": "n"}
    assert list(distinct_systems(places).values()) == ["m (a)", "m (b)", "n"]
