"""Every harness, from a folder in its own layout to a report: what a terminal shows, and that Python reads the same."""

from __future__ import annotations

import json
import os
import random
import zipfile
from pathlib import Path

import pytest

import reportkit
from reportkit.readers import HARNESSES
from tests.readers.harnesses.layouts import HERE, all_layouts, proposed, run


def _shuffled(value: object, generator: random.Random) -> object:
    """The same with the members of the outermost object in another order."""
    if not isinstance(value, dict):
        return value
    names = list(value)
    generator.shuffle(names)
    return {name: value[name] for name in names}


LAYOUTS = all_layouts()
"""After what a module of tests takes from here."""


@pytest.fixture(params=LAYOUTS)
def name(request: pytest.FixtureRequest) -> str:
    """A harness."""
    return str(request.param)


@pytest.fixture
def folder(name: str, tmp_path: Path) -> Path:
    """A folder that holds `results/` as the harness writes it."""
    LAYOUTS[name](tmp_path / "results")
    return tmp_path


@pytest.mark.usefixtures("sketched")
@pytest.mark.slow
def test_the_naive_command_and_the_one_that_a_refusal_proposes(name: str, folder: Path) -> None:
    """What a terminal shows is as in the golden file; a command that is refused names one that works, and it does."""
    commands = [["inspect", "results"], ["build", "results"]]
    _, said = run(folder, *commands[0])
    commands += [["inspect", "results", "--metric", "no-such-metric"]]
    shown = [f"# {name}"]
    for command in commands:
        code, said = run(folder, *command)
        shown += [f"$ reportkit {' '.join(command)}", said.rstrip(), f"exit code {code}"]
        assert code in (0, 2), said
        if code == 2:
            second = [*command[:-2], *proposed(said)]
            code, said = run(folder, *second)
            shown += [f"$ reportkit {' '.join(second)}", said.rstrip(), f"exit code {code}"]
            assert code == 0, said
    written = "\n\n".join(shown) + "\n"
    path = HERE / "golden" / f"{name.replace(' ', '-').casefold()}.md"
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(written, encoding="utf-8")
    assert written == path.read_text(encoding="utf-8")
    assert (folder / "report" / "report.tex").is_file()


def test_the_first_line_says_what_was_understood(name: str, folder: Path) -> None:
    """The format, how many systems and datasets, the metric; `build --dry-run` says the same and writes nothing."""
    code, said = run(folder, "inspect", "results")
    assert code == 0
    first = said.splitlines()[0]
    assert first.startswith(f"{name}: 2 models, ")
    assert ", metric" in first
    assert run(folder, "build", "results", "--dry-run")[1].splitlines()[0] == first
    assert sorted(path.name for path in folder.iterdir()) == ["results"]


def test_python_reads_the_same(folder: Path) -> None:
    """`reportkit.read`, `inspect`, `compare` and the accessor give the same results for a folder, a list and a zip."""
    read = reportkit.read(folder / "results")
    assert len(read.systems) == 2
    files = [path for path in sorted((folder / "results").rglob("*")) if path.is_file()]
    assert reportkit.read([folder / "results"]).digest() == read.digest()
    assert reportkit.read(reportkit.inspect(folder / "results")).digest() == read.digest()
    with zipfile.ZipFile(folder / "packed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, path.relative_to(folder))
    assert reportkit.read(folder / "packed.zip").digest() == read.digest()
    analysis = reportkit.compare(folder / "results")
    reading = reportkit.inspect(folder / "results")
    through_accessor = reading.frame.replic.compare(higher_is_better=dict(reading.higher_is_better) or True)
    assert [str(p) for p in through_accessor.outcomes["p_value"]] == [str(p) for p in analysis.outcomes["p_value"]]


def test_files_of_two_harnesses_are_not_mixed(name: str, folder: Path) -> None:
    """The message names a format, and with it the command works."""
    other = next(one for one in LAYOUTS if one != name)
    LAYOUTS[other](folder / "more")
    (folder / "notes.md").write_text("notes")
    code, said = run(folder, "inspect", ".")
    assert code == 2
    assert "2 formats" in said
    options = proposed(said)
    code, said = run(folder, "inspect", ".", *options)
    assert code == 0
    assert said.startswith(options[1])
    assert "files-not-read" in said


def test_rows_in_any_order_give_the_same(name: str, folder: Path) -> None:
    """Lines of JSON Lines, and members of objects, may stand in any order."""
    read = reportkit.read(folder / "results")
    generator = random.Random(5)  # noqa: S311 - no secret
    for path in (folder / "results").rglob("*.jsonl"):
        lines = [_shuffled(json.loads(line), generator) for line in path.read_text().splitlines()]
        generator.shuffle(lines)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for path in (folder / "results").rglob("*.json"):
        path.write_text(json.dumps(_shuffled(json.loads(path.read_text()), generator)))
    assert reportkit.read(folder / "results", metric=read.metrics[0] if read.metrics != ("score",) else None)


@pytest.mark.parametrize("harness", HARNESSES.built_in)
def test_every_harness_says_what_it_takes(harness: str) -> None:
    """For the table of the documentation."""
    taken = HARNESSES[harness].taken
    for field in ("files", "system", "dataset", "instance", "run", "metric", "refused"):
        assert getattr(taken, field)
