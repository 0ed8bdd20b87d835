"""Every kind of bad input has a message that says what is wrong, where, and what to do.

All of them are in `bad_input_messages.md`, to be read from top to bottom. After a change, look at what
`REPORTKIT_UPDATE_SNAPSHOTS=1 pytest tests/scores/test_bad_input.py` writes there before you commit it.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReportkitError
from reportkit.scores.checks import refuse_out_of_range
from reportkit.scores.read import read_frame

SNAPSHOT = Path(__file__).parent / "bad_input_messages.md"
UPDATE = os.environ.get("REPORTKIT_UPDATE_SNAPSHOTS") == "1"


@dataclass(frozen=True)
class Case:
    """One kind of bad input: what is in the file or is called, and what leads to the error."""

    title: str
    block: str
    run: Callable[[], Any]
    language: str = ""


CASES: list[Case] = []


def from_file(
    title: str, text: str, *, name: str = "results.csv", call: str = "", content: bytes | None = None
) -> None:
    """A file that is read and ingested; `call` are the options of `reportkit.read`, as a user writes them."""

    def run() -> None:
        Path(name).write_bytes(text.encode() if content is None else content)
        options = eval(f"dict({call})")  # noqa: S307 (the text is ours, and is shown as it is)
        reportkit.read(name, **options)

    block = f"{name}\n{text.rstrip()}" + (f"\n\nreportkit.read({name!r}, {call})" if call else "")
    CASES.append(Case(title, block, run))


def from_code(title: str, code: str) -> None:
    """Some lines of Python, of which the last one raises."""

    def run() -> None:
        names = {
            "pd": pd,
            "read_frame": read_frame,
            "reportkit": reportkit,
            "refuse_out_of_range": refuse_out_of_range,
        }
        exec(code, names)  # noqa: S102 (the text is ours, and is shown as it is)

    CASES.append(Case(title, code.strip(), run, "python"))


def printed(title: str, text: str, call: str = "") -> None:
    """A printed table that is read from a file."""

    def run() -> None:
        Path("table.csv").write_text(text, encoding="utf-8")
        options = eval(f"dict({call})")  # noqa: S307 (as above)
        reportkit.read("table.csv", **options)

    block = f"table.csv\n{text.rstrip()}" + (f"\n\nreportkit.read('table.csv', {call})" if call else "")
    CASES.append(Case(title, block, run))


def absent(title: str, *present: str) -> None:
    """A file that is not there, next to others that are."""

    def run() -> None:
        for name in present:
            Path(name).write_text("x", encoding="utf-8")
        read_frame("results.csv")

    CASES.append(Case(title, "\n".join(f"{name} (there)" for name in present) + "\nresults.csv (asked for)", run))


def broken(title: str, name: str, content: bytes, shown: str) -> None:
    """A file that is not what its name says."""

    def run() -> None:
        Path(name).write_bytes(content)
        read_frame(name)

    CASES.append(Case(title, f"{name}\n{shown}", run))


HEAD = "system,dataset,instance,score\n"
GOOD = HEAD + "".join(f"{system},cb,{instance},{score}\n" for system in "ab" for instance, score in ((1, 1), (2, 0)))

# Files
absent("A file that is absent", "result.csv", "notes.txt")
absent("A file that is there, but compressed", "results.csv.gz")


def _folder() -> None:
    Path("scores").mkdir()
    Path("scores/a.csv").write_text("x", encoding="utf-8")
    read_frame("scores")


CASES.append(Case("A folder", "scores/\nscores/a.csv", _folder))
broken("A spreadsheet", "results.xlsx", b"PK", "(bytes)")
from_file("An empty file", "")
from_file("A header and no rows", HEAD)
from_file(
    "Another encoding than UTF-8",
    GOOD + "naïve,cb,1,1\n",
    content=(GOOD + "naïve,cb,1,1\n").encode("latin-1"),
)
from_file("A row with too few cells", GOOD + "c,cb,1\nc,cb,2,1\n")
from_file("A quote that is never closed", GOOD + '"c,cb,1,1\nc,cb,2,0\n')
broken("A name that promises gzip", "results.csv.gz", GOOD.encode(), GOOD)
broken("A compressed file that breaks off", "results.csv.gz", gzip.compress(GOOD.encode() * 50)[:40], "(40 bytes)")
broken(
    "A line that is not JSON",
    "results.jsonl",
    b'{"system": "a", "score": 1}\n{"system": "a", "score": }\n',
    '{"system": "a", "score": 1}\n{"system": "a", "score": }',
)
from_file("Two columns with one name", "system,dataset,instance,score,score\na,cb,1,1,0\n")

# Columns
from_file("Misspelt column names", "sytem,dataset,instance,scroe\na,cb,1,1\n")
from_file("No column of instances", "model,task,accuracy\na,cb,0.9\nb,cb,0.8\n")
from_file("Two columns that could be the system", "model,algorithm,task,id,acc\na,x,cb,1,1\n")
from_file("A named column that does not exist", GOOD, call='columns={"system": "modell"}')
from_file("A column named for two roles", GOOD, call='columns={"system": "instance", "instance": "instance"}')
from_file("A role that does not exist", GOOD, call='columns={"sytem": "system"}')
from_file("Sufficient statistics instead of scores", "system,dataset,instance,correct1,total1\na,cb,1,15,22\n")
COUNTS = "system,dataset,instance,tp,fp,fn\na,cb,1,5,1,0\na,cb,2,3,0,2\nb,cb,1,4,1,1\nb,cb,2,2,2,3\n"
from_file("A negative count", COUNTS.replace("3,0,2", "3,-1,2"), call='metric="f1"')
from_file("Counts of an instance twice", COUNTS.replace("cb,2,3", "cb,1,3"), call='metric="f1"')
from_file("A direction that is not that of the metric", COUNTS, call='metric="f1", higher_is_better=False')
from_file("A printed table without p-values", "dataset,score_a,score_b\ncb,0.9,0.8\n")
from_code(
    "Ids in the index",
    """
frame = pd.DataFrame({"system": ["a", "b"], "dataset": "cb", "score": [1, 0]}, index=pd.Index([1, 1], name="instance"))
reportkit.read(frame)
""",
)
from_code(
    "Column names of two levels",
    """
frame = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("score", "a"), ("score", "b")]))
reportkit.read(frame)
""",
)
from_code(
    "Levels of the index without names",
    """
frame = pd.DataFrame({"score": [1, 0]}, index=[["a", "b"], [1, 1]])
reportkit.read(frame)
""",
)
from_code("Something that is no frame", 'reportkit.read([{"system": "a", "score": 1}])')
from_code(
    "A frame without rows",
    """
frame = pd.DataFrame({"system": ["a"], "dataset": "cb", "instance": 1, "score": 1})
reportkit.read(frame[frame["dataset"] == "cola"])
""",
)

# Names and ids
from_file("A row without a system", HEAD + "a,cb,1,1\n,cb,2,0\n  ,cb,1,1\nb,cb,2,0\n")
from_code(
    "Ids that are numbers in one place and text in another",
    """
frame = pd.DataFrame({"system": ["a", "b"], "dataset": "cb", "instance": [1, "1"], "score": [1, 0]})
reportkit.read(frame)
""",
)

# Scores
from_file("Scores that are not numbers", HEAD + "a,cb,1,1\na,cb,2,wrong\nb,cb,1,failed\nb,cb,2,wrong\n")
from_file("Decimal commas", HEAD + 'a,cb,1,"0,5"\na,cb,2,"0,7"\nb,cb,1,0.4\nb,cb,2,"1,0"\n')
from_file("Infinite scores", HEAD + "a,cb,1,inf\na,cb,2,1\nb,cb,1,0\nb,cb,2,1\n")
from_file("Empty scores", HEAD + "a,cb,1,1\na,cb,2,\na,cola,1,NaN\nb,cb,1,0\nb,cb,2,1\nb,cola,1,1\n")
from_file("No score at all", HEAD + "a,cb,1,\na,cb,2,\nb,cb,1,\nb,cb,2,\n")
from_file("A row of the wide form without any score", "dataset,id,bert,gpt\ncb,1,1,0\ncb,2,,\ncb,3,0,1\n")
from_file("A cell of the wide form that is no number", "dataset,id,bert,gpt\ncb,1,1,0\ncb,2,1,n/v\ncb,3,0,1\n")
from_file("Percentages beside proportions", HEAD + "a,cb,1,0.9\na,cb,2,0.8\nb,cb,1,88\nb,cb,2,91.5\n")
from_file(
    "Scores declared as binary that are not", HEAD + "a,cb,1,1\na,cb,2,0.5\nb,cb,1,0\nb,cb,2,1\n", call='kind="binary"'
)
from_file("A direction for a metric that does not occur", GOOD, call='higher_is_better={"TER": False}')
from_code(
    "A score outside of the declared range",
    """
frame = pd.DataFrame({"dataset": "cb", "id": [1, 2], "bert": [0.5, 101.0], "gpt": [70.0, 80.0]})
refuse_out_of_range(reportkit.read(frame), (0, 100))
""",
)

# Duplicates
from_file("Several scores of one instance", GOOD + "b,cb,2,1\n")
from_file(
    "A rater who rates twice",
    "system,dataset,instance,rater,score\na,cb,1,r1,4\na,cb,1,r1,5\na,cb,2,r2,3\nb,cb,1,r1,2\nb,cb,2,r2,2\nb,cb,2,r1,1\n",
)

# Seeds, clusters, weights
_RUNS = "system,dataset,instance,seed,score\na,cb,1,0,1\na,cb,1,1,0\na,cb,2,0,1\na,cb,2,1,1\nb,cb,1,0,1\nb,cb,2,0,0\n"
from_file("Ordinal scores of several runs", _RUNS, call='kind="ordinal"')
from_file(
    "The best of several runs",
    "system,dataset,instance,best_score\na,cb,1,.9\na,cb,2,.8\nb,cb,1,.7\nb,cb,2,.6\n",
    call='columns={"score": "best_score"}',
)
_FOLDS = "system,dataset,run,fold,score\na,cb,0,0,.9\na,cb,0,1,.8\na,cb,1,0,.9\nb,cb,0,0,.7\nb,cb,0,1,.6\nb,cb,1,0,.8\n"
from_file("Repetitions of different size", _FOLDS)
from_file("A system that lacks folds", _FOLDS + "a,cb,1,1,.8\n")
from_file("One score per dataset", "system,dataset,instance,score\na,cb,0,.9\nb,cb,0,.8\na,cola,0,.7\nb,cola,0,.6\n")
from_file(
    "An instance in two clusters",
    "system,dataset,id,doc,score\na,cb,1,d1,1\na,cb,2,d2,0\nb,cb,1,d2,1\nb,cb,2,d2,1\n",
    call='columns={"cluster": "doc"}',
)
from_file("One cluster for all", "system,dataset,id,doc,score\na,cb,1,g,1\na,cb,2,g,0\nb,cb,1,g,1\nb,cb,2,g,1\n")
from_file("A weight of zero", "system,dataset,id,weight,score\na,cb,1,1,1\na,cb,2,0,0\nb,cb,1,1,1\nb,cb,2,0,1\n")
from_file(
    "Weights that differ between systems",
    "system,dataset,id,weight,score\na,cb,1,1,1\na,cb,2,2,0\nb,cb,1,1,1\nb,cb,2,3,1\n",
    call='columns={"weight": "weight"}',
)

# Pairs
_PAIR = """
frame = pd.DataFrame({"system": list("aaabb"), "dataset": "cb", "id": [1, 2, 3, 1, 4], "score": [1, 0, 1, 1, %s]})
reportkit.read(frame).datasets[0].pair("a", "b"%s)
"""
from_code("Systems scored on different instances", _PAIR % ("0", ""))
from_code(
    "No instance in common",
    """
frame = pd.DataFrame({"system": list("aabb"), "dataset": "cb", "id": ["q1", "q2", "1", "2"], "score": [1, 0, 1, 1]})
reportkit.read(frame).datasets[0].pair("a", "b", missing="drop")
""",
)

# Printed tables
PRINTED = "dataset,score_a,score_b,p_value\nBC,90.73,89.05,0.0001\n"
printed("A p-value in percent", PRINTED + "BN,90.82,89.31,5%\nMZ,91.92,89.29,4.2\n")
printed("A p-value in words", PRINTED + "BN,90.82,89.31,n.s.\n")
printed("A p-value that is absent", PRINTED + "BN,90.82,89.31,\n")
printed("A printed score with a mark", PRINTED + "BN,90.82*,89.31,0.01\n")
printed("A dataset that is printed twice", PRINTED + "BC,91.92,89.29,0.03\n")
printed(
    "A pair that is not in the table",
    "dataset,system_a,system_b,score_a,score_b,p_value\nBC,Mate,SpaCy,90.73,89.05,0.0001\n",
    'system_a="Mate", system_b="Redshift"',
)


@pytest.fixture(scope="module")
def messages() -> dict[str, str]:
    """The snapshot: title to the text under it; rewritten first if that is asked for."""
    if UPDATE:
        SNAPSHOT.write_text(_INTRODUCTION, encoding="utf-8")
        return {}
    sections = SNAPSHOT.read_text(encoding="utf-8").split("\n## ")[1:]
    return {section.partition("\n")[0]: section.partition("\n")[2].strip() for section in sections}


_INTRODUCTION = """# What reportkit says to bad input

Each kind of bad input, as it stands in a file or is passed, and the message that it leads to. Written by
`tests/scores/test_bad_input.py`, which also says how to write it anew.
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_message(case: Case, messages: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is the one in the snapshot, names a remedy, and does not run off the screen."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReportkitError) as raised:
        case.run()
    message = f"{type(raised.value).__name__}: {raised.value}"
    assert raised.value.remedy
    assert max(map(len, message.splitlines())) < 250
    section = f"```{case.language}\n{case.block}\n```\n\n```\n{message}\n```"
    if UPDATE:
        with SNAPSHOT.open("a", encoding="utf-8") as file:
            file.write(f"\n## {case.title}\n\n{section}\n")
    else:
        assert messages.get(case.title) == section


@pytest.mark.skipif(UPDATE, reason="the snapshot is being written")
def test_snapshot_holds_nothing_else(messages: dict[str, str]) -> None:
    """A case that is removed from this file is removed from the snapshot, too."""
    assert list(messages) == [case.title for case in CASES]
