"""Long columns stand beside `report.json`: what is read back is what was written, and nothing else is read."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest

import reportkit
from reportkit.cli.main import main
from reportkit.errors import ReadingError
from reportkit.rendering.files.manifest import read_manifest
from reportkit.report.machine import tables_beside


@pytest.fixture(scope="module")
def analysis() -> Any:
    """Two metrics, and a system without a dataset."""
    rng = np.random.default_rng(7)
    rows = pd.MultiIndex.from_product(
        [[f"s{i}" for i in range(5)], ["d0", "d1", "d2"], ["m0", "m1"], range(60)],
        names=["system", "dataset", "metric", "instance"],
    ).to_frame(index=False)
    rows["score"] = np.round(0.1 * rows.system.str[1].astype(int) + rng.normal(0, 0.2, len(rows)), 2)
    rows = rows[(rows.system != "s1") | (rows.dataset != "d2")]
    return reportkit.compare(rows, metric=["m0", "m1"], higher_is_better=True, dependence="independent")


@pytest.fixture(scope="module")
def written(analysis: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Its report, written as a short one and as a long one."""
    folder = tmp_path_factory.mktemp("reports")
    report = analysis.report()
    report.save(folder / "short")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables_beside, "MOST_OUTCOMES", 1)
        patch.setattr(tables_beside, "MOST_CLAIMS", 1)
        report.save(folder / "long")
        yield folder


@pytest.fixture
def long(written: Path, tmp_path: Path) -> Path:
    """A copy of the long one, to be changed."""
    return Path(shutil.copytree(written, tmp_path / "reports")) / "long"


def code_of(*arguments: str) -> int | str | None:
    """Exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        main([*arguments])
    return ended.value.code


@pytest.mark.slow
def test_a_long_report_is_read_as_a_short_one(long: Path, root: Path) -> None:
    """To the last digit; the schema knows both, and the file is shorter."""
    short = long.parent / "short"
    assert json.dumps(read_manifest(long).report.data) == json.dumps(read_manifest(short).report.data)
    assert read_manifest(long).intact
    text = (long / "report.json").read_text("utf-8")
    assert len(text) < len((short / "report.json").read_text("utf-8"))
    jsonschema.validate(json.loads(text), json.loads((root / "docs/reference/report.schema.json").read_text("utf-8")))
    tables = {path.name for path in (long / "more").glob("*.parquet")}
    assert tables == {"outcomes.parquet", "outcomes-metric-2.parquet", "claims.parquet", "claims-metric-2.parquet"}


@pytest.mark.slow
def test_a_long_report_replaces_an_older_one(analysis: Any, long: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables are known as its own; as a short one it leaves none of them behind."""
    monkeypatch.setattr(tables_beside, "MOST_OUTCOMES", 1)
    analysis.report().save(long)
    assert [*(long / "more").glob("*.parquet")]
    monkeypatch.setattr(tables_beside, "MOST_OUTCOMES", 10**9)
    monkeypatch.setattr(tables_beside, "MOST_CLAIMS", 10**9)
    analysis.report().save(long)
    assert not [*(long / "more").glob("*.parquet")]
    assert read_manifest(long).intact


def test_the_table_has_every_pair_on_every_dataset(long: Path, analysis: Any) -> None:
    """With the numbers of the analysis, and nothing where a pair is not compared."""
    table = pd.read_parquet(long / "more" / "outcomes.parquet").set_index(["system_a", "system_b", "dataset"])
    assert len(table) == 10 * 3
    for a, b, dataset in (("s0", "s4", "d1"), ("s2", "s3", "d2")):
        item = next(one for one in analysis[a, b, "m0"].assessments if one.dataset == dataset)
        row = table.loc[a, b, dataset]
        assert row["difference"] == pytest.approx(item.difference, rel=1e-8)
        assert (row["p_value/a"], row["p_value/b"]) == pytest.approx((item.p_greater, item.p_less), rel=1e-8)
    assert table.loc["s0", "s1", "d2"].isna().all()


@pytest.mark.slow
def test_the_same_files_are_written_again(long: Path, tmp_path: Path) -> None:
    """`show --check` finds nothing, and `show -o` copies the report."""
    assert code_of("show", str(long), "--check") == 0
    assert code_of("show", str(long), "-o", str(tmp_path / "again"), "--quiet") == 0
    for path in long.rglob("*"):
        if path.is_file() and path.suffix != ".pdf":
            assert path.read_bytes() == (tmp_path / "again" / path.relative_to(long)).read_bytes(), path


def test_the_checker_reads_it(long: Path, tmp_path: Path) -> None:
    """A paper is held against a long report as against a short one."""
    paper = tmp_path / "paper.md"
    paper.write_text("# Results\n\n| System | d0 |\n|---|---|\n| s0 | 0.99 |\n| s4 | 0.12 |\n", "utf-8")
    found = [
        [str(one) for one in reportkit.check(paper, report=where).diagnostics]
        for where in (long, long.parent / "short")
    ]
    assert found[0] == found[1]
    assert found[0]


def _without_the_file(folder: Path) -> None:
    (folder / "more" / "outcomes.parquet").unlink()


def _no_parquet(folder: Path) -> None:
    (folder / "more" / "outcomes.parquet").write_bytes(b"no table")


def _without_a_column(folder: Path) -> None:
    file = folder / "more" / "outcomes.parquet"
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(file).drop_columns(["difference"]), file)


def _elsewhere(folder: Path) -> None:
    text = (folder / "report.json").read_text("utf-8")
    (folder / "report.json").write_text(text.replace('"more/outcomes.parquet"', '"../outcomes.parquet"', 1), "utf-8")


def _no_list(folder: Path) -> None:
    content = json.loads((folder / "report.json").read_text("utf-8"))
    content["comparisons"][0]["datasets"] = 3
    (folder / "report.json").write_text(json.dumps(content), "utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_without_the_file, "more/outcomes.parquet is missing"),
        (_no_parquet, "cannot be read"),
        (_without_a_column, "more/outcomes.parquet has no column 'difference'"),
        (_elsewhere, "../outcomes.parquet is missing"),
        (_no_list, "do not go together"),
    ],
)
def test_what_is_not_as_it_was_written_is_an_error(long: Path, change: Any, said: str) -> None:
    """A sentence, whatever was done to the table."""
    change(long)
    with pytest.raises(ReadingError, match=said):
        read_manifest(long)


@pytest.mark.slow
def test_a_table_with_other_numbers_is_an_edited_file(long: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`show --check` names it."""
    file = long / "more" / "outcomes.parquet"
    table = pd.read_parquet(file)
    table["difference"] += 1
    table.to_parquet(file, index=False)
    assert code_of("show", str(long), "--check") == 1
    assert "edited" in capsys.readouterr().out


def test_half_a_surrogate_pair_stays_in_json() -> None:
    """Parquet has no bytes for it."""
    part = {
        "pairs": [["a", "\ud800"]],
        "datasets": ["d"] * 30_000,
        "outcomes": {"n": [[1] * 30_000]},
        "partial_conjunction": {},
    }
    short, files = tables_beside.put_beside({"comparisons": [part]})
    assert short == {"comparisons": [part]}
    assert not files
