"""What each tool writes is read as the right systems, datasets, instances, metric, direction and scores."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

from reportkit.errors import ReportkitError, SettingsError
from reportkit.harnesses import File, Harvest, read_harness
from tests.harnesses.layouts import LAYOUTS, SYSTEMS, Layout, N, right

NEEDS = {"trec-run": "ir_measures", "sacrebleu": "sacrebleu", "vlmeval": "openpyxl", "excel": "openpyxl"}
FIELDS = ["system", "dataset", "metric", "filter", "instance", "run", "fold"]


def files_in(folder: Path) -> list[File]:
    """Return all files of a folder, as the reader gives them."""
    return [File(path, path.read_bytes) for path in sorted(folder.rglob("*")) if path.is_file()]


def harvested(folder: Path) -> Harvest:
    """Read a folder, by one of its metrics for each dataset."""
    found = read_harness(files_in(folder))
    assert found is not None
    return found


def by_main(found: Harvest) -> pd.DataFrame:
    """Return the rows that are compared where nothing is asked for."""
    frame = found.frame
    if "filter" in frame:
        frame = frame[frame["filter"].isna() | (frame["filter"] == found.filter)]
    if "metric" in frame and found.main:
        frame = frame[frame["metric"] == frame["dataset"].map(found.main)]
    return frame


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest) -> Layout:
    """Each layout in turn."""
    if NEEDS.get(request.param):
        pytest.importorskip(NEEDS[request.param])
    return LAYOUTS[request.param]


def test_each_tool_is_read_right(layout: Layout, tmp_path: Path) -> None:
    """Systems, datasets, metric, direction, numbers of instances and scores are those that were written."""
    layout.write(tmp_path)
    found = harvested(tmp_path)
    frame = by_main(found)
    assert found.name == layout.tool
    assert sorted(set(frame["system"])) == sorted(layout.systems)
    assert {*layout.datasets} <= set(frame["dataset"])
    metrics = (
        set(frame.loc[frame["dataset"].isin(layout.datasets), "metric"]) if "metric" in frame else {found.computed}
    )
    assert metrics == {layout.metric}
    assert found.directions.get(layout.metric) is layout.higher
    unit = next((name for name in ("instance", "fold") if name in frame), None)
    for dataset in layout.datasets:
        own = frame[frame["dataset"] == dataset]
        units = [set(own.loc[own["system"] == system, unit]) if unit else {""} for system in layout.systems]
        assert len(set.intersection(*units)) == layout.n
        assert not own.duplicated([name for name in FIELDS if name in own]).any()
    if layout.score is not None and "run" not in frame:
        kept = frame[frame["dataset"].isin(layout.datasets)]
        expected = [layout.score(*row) for row in zip(kept["system"], kept["dataset"], kept["instance"], strict=True)]
        assert kept["score"].tolist() == pytest.approx(expected)
    assert not frame.filter(regex="score|stat_").isna().any(axis=None)


@pytest.mark.slow
def test_the_ending_does_not_matter(layout: Layout, tmp_path: Path) -> None:
    """JSON Lines in .json and JSON in .txt are what their content says."""
    layout.write(tmp_path)
    before = harvested(tmp_path).frame
    for path in list(tmp_path.rglob("*.json*")):
        path.rename(
            path.with_name(path.name.removesuffix(path.suffix) + {".json": ".JSON", ".jsonl": ".json"}[path.suffix])
        )
    pd.testing.assert_frame_equal(harvested(tmp_path).frame, before)


def test_large_files_are_recognised(tmp_path: Path) -> None:
    """What tells the tool may come after the first 64 KiB."""
    LAYOUTS["mteb"].write(tmp_path)
    before = harvested(tmp_path).frame
    for path in tmp_path.rglob("*.json"):
        content = json.loads(path.read_text())
        path.write_text(json.dumps({"notes": "x" * (1 << 17), **content}))
    pd.testing.assert_frame_equal(harvested(tmp_path).frame, before)


@pytest.mark.slow
def test_a_damaged_file_is_never_misread(layout: Layout, tmp_path: Path) -> None:
    """One damaged file refuses nothing: the rest is read as before, and a warning names what is left out."""
    layout.write(tmp_path)
    whole = harvested(tmp_path)
    keys = [name for name in FIELDS if name in whole.frame and name != "filter"]
    values = [name for name in whole.frame if name == "score" or str(name).startswith("stat_")]
    scores = whole.frame.drop_duplicates(keys).set_index(keys)[values]
    chance = random.Random(0)  # noqa: S311 - it places damage
    paths = [path for path in sorted(tmp_path.rglob("*")) if str(path) in whole.used]
    damages = ("cut", "cut at the end", "emptied", "bytes", "another object", "twice")
    for path, damage in product(chance.sample(paths, min(2, len(paths))), damages):
        content = path.read_bytes()
        place = int(len(content) * chance.uniform(0.2, 0.9))
        path.write_bytes(
            {
                "cut": content[:place],
                "cut at the end": content[:-3],
                "emptied": b"",
                "bytes": content[:place] + b"\x00\xff\x00" + content[place + 3 :],
                "another object": b'{"results": [], "scores": 1}',
                "twice": content + content,
            }[damage]
        )
        try:
            found = read_harness(files_in(tmp_path))
        except ReportkitError as error:
            assert error.remedy  # noqa: PT017 - both ways are right
            found = None
        path.write_bytes(content)
        if found is None or set(keys) != {name for name in FIELDS if name in found.frame and name != "filter"}:
            continue
        now = found.frame.drop_duplicates(keys).set_index(keys)[values]
        if layout.metric in ("bleu", "resolved") and damage == "cut at the end" and path.suffix == ".txt":
            continue  # a text, or a list of names, may end anywhere
        common = now.index.intersection(scores.index)
        if layout.tool != "TREC run" and layout.metric != "reward":  # fewer documents; trials are numbered anew
            pd.testing.assert_frame_equal(now.loc[common], scores.loc[common])
        if len(common) < len(scores) or len(common) < len(now):
            unread = str(path) not in found.used
            assert unread or any(note.severity == "warning" for note in found.findings), path


def test_files_of_two_tools_are_a_question(tmp_path: Path) -> None:
    """The message names both; without the files of one the other is read."""
    LAYOUTS["helm"].write(tmp_path / "helm")
    LAYOUTS["comet"].write(tmp_path / "comet")
    with pytest.raises(SettingsError, match=r"2 tools: COMET and HELM[\s\S]*--exclude"):
        read_harness(files_in(tmp_path))
    assert harvested(tmp_path / "helm").name == "HELM"


def test_other_files_are_of_no_tool(tmp_path: Path) -> None:
    """Tables and texts are left to the reader of tables."""
    (tmp_path / "a.csv").write_text("model,task,score\na,b,1\n")
    (tmp_path / "b.json").write_text('[{"model": "a", "score": 1}]')
    assert read_harness(files_in(tmp_path)) is None


def test_both_trials_are_runs(tmp_path: Path) -> None:
    """Trials of HELM and Harbor, repeats of promptfoo and epochs of Inspect are runs of one instance."""
    for name in ("helm", "harbor", "promptfoo", "inspect"):
        LAYOUTS[name].write(tmp_path / name)
        frame = by_main(harvested(tmp_path / name))
        assert frame.groupby(["system", "dataset"])["run"].nunique().max() == 2, name
    frame = by_main(harvested(tmp_path / "promptfoo"))
    first = frame[frame["run"] == "1"].set_index(["system", "instance"])["score"]
    assert all(first[system, str(i)] == right(system, "promptfoo", str(i), 0) for system in SYSTEMS for i in range(N))
