"""A report is the same, byte for byte, however its results are read, held and tested."""

import pytest

import reportkit
from tests.scale.result_files import as_csv, by_dataset, by_system, files, scores


@pytest.mark.parametrize("write", [by_dataset, by_system, as_csv])
def test_datasets_one_by_one_are_the_same_as_all_at_once(tmp_path, write):
    """Whatever the partition, a memory limit changes no byte; and it is obeyed: the datasets are not in memory."""
    frame = scores()
    write(frame, tmp_path / "results")
    together = reportkit.compare(tmp_path / "results")
    apart = reportkit.compare(tmp_path / "results", memory_limit="100MB")
    assert together.results.datasets[0].head is None
    assert apart.results.datasets[0].head is not None
    assert files(apart, tmp_path / "apart") == files(together, tmp_path / "together")


def test_one_frame_is_the_same_as_its_parts(tmp_path):
    """The numbers are those of the frame in memory; only the name of the source differs."""
    frame = scores(kind="percent")
    by_dataset(frame, tmp_path / "results")
    parts = reportkit.compare(tmp_path / "results", memory_limit="100MB", baseline="m0")
    whole = reportkit.compare(frame, baseline="m0")
    assert parts.digest == whole.digest
    assert parts.findings == whole.findings
    assert parts.to_frame().equals(whole.to_frame())
