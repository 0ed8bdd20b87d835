"""What is noticed about data in which nothing is wrong: columns, names, sizes, constant systems, nested ids."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.scores.checks import documents_of, name_findings
from tests.scores.reading import results_of


def findings(frame: pd.DataFrame) -> dict[str, Finding]:
    """Findings of a frame by their code."""
    found = results_of(frame).findings
    by_code = {finding.code: finding for finding in found}
    assert len(by_code) == len(found)
    return by_code


def frame_of(sizes: dict[str, int], *, form: str = "{0}") -> pd.DataFrame:
    """Two systems on datasets of these sizes; both scores of every instance differ from those of its neighbours."""
    rows = [
        (system, dataset, form.format(number), (number * step) % 7 / 7)
        for dataset, size in sizes.items()
        for number in range(size)
        for system, step in (("a", 3), ("b", 5))
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def test_nothing_to_say() -> None:
    """Two datasets of 20 and 200 instances with canonical columns have no findings."""
    assert findings(frame_of({"cb": 20, "cola": 200})) == {}


def test_small_datasets() -> None:
    """Fewer than 20 instances are a warning with the number (D7)."""
    finding = findings(frame_of({"cb": 19, "cola": 150}))["small-dataset"]
    assert finding.severity == "warning"
    assert finding.where == "'cb' (19)"
    assert finding.message.startswith("1 of 2 datasets has fewer than 20 instances")


def test_unequal_sizes() -> None:
    """More than ten times the instances of the smallest dataset is worth an information (D8)."""
    finding = findings(frame_of({"cb": 20, "cola": 201}))["unequal-sizes"]
    assert finding.severity == "info"
    assert "from 20 to 201 instances" in finding.message


def test_constant_systems() -> None:
    """A system with one score for all instances of a dataset is a warning, with that score as given (D4)."""
    frame = frame_of({"cb": 30, "cola": 30})
    frame.loc[(frame["system"] == "a") & (frame["dataset"] == "cb"), "score"] = 0.25
    finding = findings(frame)["constant-system"]
    assert finding.where == "'a' on 'cb' (always 0.25)"
    lower = results_of(frame, higher_is_better=False).findings
    assert [one.where for one in lower] == [finding.where]
    more = pd.concat([frame, frame[frame["system"] == "b"].assign(system="c")])
    found = [{one.code for one in reportkit.compare(more, "b", other).findings} for other in "ac"]
    assert ["constant-system" in codes for codes in found] == [True, False]


def test_nested_instances() -> None:
    """Ids of documents without a column of clusters are a warning; with one, they are not (D6)."""
    frame = frame_of({"cb": 60})
    frame["instance"] = [f"nyt/{int(number) // 6}_{int(number) % 6}" for number in frame["instance"]]
    finding = findings(frame)["nested-instances"]
    assert finding.severity == "warning"
    assert finding.where == "'cb': 60 instances in 10 documents such as 'nyt/0', 'nyt/1' and 'nyt/2'"
    clustered = frame.assign(cluster=frame["instance"].str.partition("_")[0])
    assert findings(clustered) == {}


def test_similar_names() -> None:
    """Names that differ in case or spaces only are probably one system."""
    frame = frame_of({"cb": 40})
    frame["system"] = np.where(
        frame["instance"].astype(int) % 2 == 0, frame["system"] + " ", frame["system"].str.upper()
    )
    finding = findings(frame)["similar-names"]
    assert finding.where == "'A' and 'a ' and 'B' and 'b '"
    assert "Names of systems differ" in finding.message


@pytest.mark.parametrize(
    ("twin", "shown"),
    [
        ("ou\u200brs", r"\u200b"),
        ("\ufeffours", r"\ufeff"),
        ("ou\u00adrs", r"\xad"),
        ("ours\u200d", r"\u200d"),
        ("ours\u2060", r"\u2060"),
        ("ours\u00a0", r"\xa0"),
        ("ours\u202e", r"\u202e"),
        ("ours ", "'ours '"),
        ("OURS", "'OURS'"),
    ],
)
def test_names_that_look_alike_are_found(twin: str, shown: str) -> None:
    """Invisible characters, in front, inside and behind; they are shown by their codes."""
    (finding,) = name_findings(["ours", "base", twin], "system")
    assert (finding.code, finding.severity) == ("similar-names", "warning")
    assert "'ours' and " in finding.where
    assert shown in finding.where
    assert finding.where.isprintable()


@pytest.mark.parametrize("names", [["a", "b"], ["ours", "ours 2"], ["नमस्ते", "नमस्त"], ["ours", "ours-v2"]])
def test_other_names_are_left_alone(names: list[str]) -> None:
    """Names that differ by what can be seen."""
    assert list(name_findings(names, "system")) == []


def test_twins_of_datasets_explain_why_nothing_is_in_common() -> None:
    """Each system under a spelling of its own: the error shows both."""
    frame = frame_of({"cb": 40})
    frame["dataset"] = np.where(frame["system"] == "a", "cb", "cb\u200b")
    with pytest.raises(SettingsError, match="no dataset in common") as raised:
        reportkit.compare(frame, "a", "b")
    assert r"'cb' and 'cb\u200b'" in raised.value.where
    assert raised.value.remedy == "write each name in one way"


DOCUMENTS = range(1, 21)
PARTS = range(1, 13)


@pytest.mark.parametrize(
    "form",
    [
        "{0}_{1}",
        "amazon/{0}_{1}",
        "talk.{0}:{1}",
        "doc{0}-s{1}",
        "d{0}.{1}",
        "d{0}/sent_{1:03}",
        "{0}::{1}",
        "news-{0}-{1}",
    ],
)
def test_documents_and_their_parts(form: str) -> None:
    """A prefix for each document, a separator, and a number, with or without a word before it."""
    assert len(documents_of([form.format(document, part) for document in DOCUMENTS for part in PARTS])) == 20


@pytest.mark.parametrize(
    "ids",
    [
        [str(number) for number in range(240)],
        [f"{number}.5" for number in range(240)],
        [f"tweets/{number}" for number in range(240)],
        [f"{split}-{number}" for split in ("train", "test") for number in range(120)],
        [f"instance_org__repo-{hashlib.sha1(bytes([number])).hexdigest()}" for number in range(240)],  # noqa: S324
        [f"{number}:car-automobile" for number in range(240)],
        [f"dm-test-{hashlib.sha1(bytes([number])).hexdigest()}" for number in range(240)],  # noqa: S324
        [f"q{number}" for number in range(240)],
        [f"{number}-0" for number in range(240)],
        [f"d{number // 15}_{number}" for number in range(30)] + [f"e{number}_0" for number in range(10)],
        [f"-{number}" for number in range(240)],
        ["1_1", "1_2", "2_1", "2_2"],
        [],
    ],
)
def test_what_is_no_document(ids: list[str]) -> None:
    """Numbers, one prefix for all, two splits, hashes, words, and one part per document are no nesting."""
    assert documents_of(ids) == []
