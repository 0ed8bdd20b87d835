"""From a folder as a tool writes it to a report: what the terminal shows, and that what it proposes works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.cli.main import main

FIXTURES = Path(__file__).parent / "fixtures"
GOLDEN = Path(__file__).parent / "golden"

FOLDERS = {
    "alpaca_eval": "alpaca_eval",
    "comet": "comet",
    "comet_compare": "comet_compare",
    "conllu": "conllu",
    "evalplus": "evalplus",
    "mteb": "mteb",
    "sacrebleu": "sacrebleu",
    "scikit_learn_search": "scikit_learn/search",
    "scikit_learn_validation": "scikit_learn/validation",
    "swe_bench": "swe_bench",
    "swe_bench_leaderboard": "swe_bench_leaderboard/verified",
    "trec": "trec",
    "trec_eval": "trec_eval",
}
TABLES = ("excel", "feather", "json_records", "json_split", "json_lines", "parquet", "tsv", "csv_xz", "csv_in_zip")
NEEDS = {"sacrebleu": "sacrebleu", "trec": "ir_measures", "excel": "openpyxl"}
ACROSS = {"mteb"}


def scores() -> pd.DataFrame:
    """A small table in long form."""
    rows = [
        {
            "model": system,
            "task": task,
            "id": f"{task}-{number:03d}",
            "accuracy": int((number * step + len(task)) % 7 < 4),
        }
        for system, step in (("new", 1), ("old", 3))
        for task in ("cola", "rte")
        for number in range(40)
    ]
    return pd.DataFrame(rows)


def lay_out(name: str, folder: Path) -> str:
    """Put the input of a case into a folder; return what a user types."""
    if name in FOLDERS:
        first = Path(FOLDERS[name]).parts[0]
        shutil.copytree(FIXTURES / first, folder / first)
        if name == "swe_bench_leaderboard":  # the list that the message asks for
            shutil.move(folder / first / "instances.txt", folder / "instances.txt")
        return FOLDERS[name]
    frame = scores()
    names = {"json_records": "results.json", "json_split": "results.json", "excel": "results.xlsx"}
    given = names.get(name, f"results.{name.replace('_', '.').replace('json.lines', 'jsonl')}")
    path = folder / given.replace(".in", "")
    writers: dict[str, Callable[[], object]] = {
        "excel": lambda: frame.to_excel(path, index=False),
        "feather": lambda: frame.to_feather(path),
        "parquet": lambda: frame.to_parquet(path, index=False),
        "tsv": lambda: frame.to_csv(path, index=False, sep="\t"),
        "csv_xz": lambda: frame.to_csv(path, index=False),
        "csv_in_zip": lambda: frame.to_csv(path, index=False, compression={"method": "zip", "archive_name": "a/b.csv"}),
        "json_lines": lambda: frame.to_json(path, orient="records", lines=True),
        "json_records": lambda: frame.to_json(path, orient="records", indent=1),
        "json_split": lambda: frame.to_json(path, orient="split", indent=1),
    }
    writers[name]()
    return path.name


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code, and all that the terminal shows, with the command before it."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    out, err = capsys.readouterr()
    code = int(stopped.value.code or 0)
    return code, f"$ reportkit {shlex.join(arguments)}\n{out}{err}[exit code {code}]\n"


def proposed(shown: str, arguments: list[str]) -> list[str]:
    """The command that a message proposes: one written out, or the first option in brackets."""
    remedy = shown.partition("to do:")[2]
    if whole := re.search(r"^\s*reportkit (build .*)$", remedy, re.MULTILINE):
        return shlex.split(whole[1])
    option = re.search(r"\((--[a-z-]+(?: [\w.:+-]+)?)\)", remedy)
    assert option, shown
    return [*arguments, *shlex.split(option[1])]


@pytest.mark.usefixtures("sketched")
@pytest.mark.slow
@pytest.mark.parametrize("name", [*FOLDERS, *TABLES])
def test_the_first_command_works_or_proposes_one_that_does(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole terminal output is as it is stored; a refusal names a command that, run literally, writes a report."""
    pytest.importorskip(NEEDS.get(name, "json"))
    monkeypatch.chdir(tmp_path)
    arguments = ["build", lay_out(name, tmp_path)]
    code, shown = run(arguments, capsys)
    if code == 2:
        code, again = run(proposed(shown, arguments), capsys)
        shown += "\n" + again
    assert code in (0, 1), shown
    assert (tmp_path / "report" / "report.json").is_file()
    assert str(tmp_path) not in shown
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*FOLDERS, *TABLES])
def test_python_reads_what_the_command_reads(name: str, tmp_path: Path) -> None:
    """`reportkit.compare` of the path, and the accessor of the frame that was read, find the same differences."""
    pytest.importorskip(NEEDS.get(name, "json"))
    path = tmp_path / lay_out(name, tmp_path)
    paths = [path, tmp_path / "instances.txt"] if name == "swe_bench_leaderboard" else [path]
    options = {"missing": "drop", "across_datasets": name in ACROSS}
    reading = reportkit.inspect(paths)
    analysis = reportkit.compare(paths, **options)
    metric = {"metric": reading.computed} if reading.computed else {}
    of_frame = reading.frame.replic.compare(**options, **metric)
    np.testing.assert_array_equal(analysis.outcomes["p_value"], of_frame.outcomes["p_value"])
    assert reading.sentence().startswith(reading.format)


@pytest.mark.parametrize("name", ["alpaca_eval", "conllu", "sacrebleu", "trec_eval", "swe_bench"])
def test_an_archive_and_compressed_files_hold_the_same(name: str, tmp_path: Path) -> None:
    """The folder as .zip gives the frame that the folder gives."""
    pytest.importorskip(NEEDS.get(name, "json"))
    path = tmp_path / lay_out(name, tmp_path)
    shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, path.name)
    of_folder, of_archive = reportkit.inspect(path), reportkit.inspect(tmp_path / "packed.zip")
    columns = ["system", "dataset", "instance"]
    texts = [reading.frame.astype(dict.fromkeys(columns, str)) for reading in (of_folder, of_archive)]
    pd.testing.assert_frame_equal(texts[0], texts[1], check_categorical=False)
