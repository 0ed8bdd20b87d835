"""Finished tests are taken up: the same bytes, and no test twice."""

import pyarrow.parquet
import pytest

import reportkit
from reportkit.replicability import compare
from reportkit.scale import finished
from tests.scale.result_files import files, scores


@pytest.fixture
def tested(monkeypatch):
    """Claims that were tested, one by one, as (dataset, A, B)."""
    found = []
    assess_pairs = compare.assess_pairs

    def counting(block, pairs, *arguments, **options):
        found.extend((block.dataset, *pair) for pair in pairs)
        return assess_pairs(block, pairs, *arguments, **options)

    monkeypatch.setattr(compare, "assess_pairs", counting)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["continuous", "percent"])
def test_what_was_tested_is_taken_up(tmp_path, tested, kind):
    """The second build tests nothing and writes the same bytes; one with a further system tests its pairs alone."""
    frame = scores(systems=5, datasets=2, kind=kind)
    without = frame[frame["model"] != "m4"]
    options = {"other_profile": False}
    expected = files(reportkit.compare(without, **options), tmp_path / "plain")
    tested.clear()
    assert files(reportkit.compare(without, resume=tmp_path / "kept", **options), tmp_path / "first") == expected
    assert len(tested) == 6 * 2
    tested.clear()
    assert files(reportkit.compare(without, resume=tmp_path / "kept", **options), tmp_path / "second") == expected
    assert tested == []
    more = reportkit.compare(frame, resume=tmp_path / "kept", **options)
    assert {(dataset, a) for dataset, a, b in tested if b == "m4"} == {
        (f"task{n}", f"m{m}") for n in (8, 9) for m in range(4)
    }
    outcomes = {(item.dataset, c.system_a, c.system_b): item for c in more.comparisons for item in c.assessments}
    for key in tested:  # where resamples were drawn, or something limits an outcome, the size of the family matters
        assert "m4" in key or outcomes[key].findings or outcomes[key].n_resamples
    assert files(more, tmp_path / "more") == files(reportkit.compare(frame, **options), tmp_path / "all")


def test_other_scores_and_settings_are_tested_anew(tmp_path, tested):
    """One score that differs, another test, another level: nothing is taken up that does not fit."""
    frame = scores(systems=2, datasets=1)
    reportkit.compare(frame, "m1", "m0", resume=tmp_path, other_profile=False)
    for changed, options in (
        (frame.assign(score=frame["score"].where(frame.index > 0, 0.5)), {}),
        (frame, {"test": "wilcoxon"}),
        (frame, {"alpha": 0.01}),
    ):
        tested.clear()
        reportkit.compare(changed, "m1", "m0", resume=tmp_path, other_profile=False, **options)
        assert tested


def test_what_is_damaged_is_tested_anew(tmp_path, tested):
    """A file that was cut off says nothing."""
    frame = scores(systems=2, datasets=1)
    whole = reportkit.compare(frame, "m1", "m0", resume=tmp_path, other_profile=False)
    kept = next(tmp_path.rglob("*.parquet"))
    assert pyarrow.parquet.read_table(kept).num_rows == 1
    kept.write_bytes(kept.read_bytes()[:-20])
    tested.clear()
    again = reportkit.compare(frame, "m1", "m0", resume=tmp_path, other_profile=False)
    assert tested
    assert again.to_frame().equals(whole.to_frame())


def test_only_classes_of_this_package_are_made():
    """JSON that names another class is refused."""
    with pytest.raises(ValueError, match="no module of reportkit"):
        finished.from_json('{"class": "subprocess:Popen", "arguments": ["true"]}')


def test_tests_of_the_other_profile_are_not_taken_for_whole_ones(tmp_path):
    """What was tested beside has neither intervals nor findings; a report of that profile has both."""
    frame = scores(systems=3, datasets=2)
    assert reportkit.compare(frame, resume=tmp_path / "kept").other is not None
    expected = files(reportkit.compare(frame, profile="dror2017"), tmp_path / "plain")
    resumed = reportkit.compare(frame, profile="dror2017", resume=tmp_path / "kept")
    assert files(resumed, tmp_path / "resumed") == expected
