"""Names to entries: of reportkit, of users, and of packages that are installed with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.registry import Registry

PACKAGE = """
import dataclasses
from reportkit.checker.rule import Rule
from reportkit.metrics.corpus import ACCURACY
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

KNOWN = SIGNIFICANCE_TESTS["mann-whitney"]
OWN = {"title": "Brunner-Munzel test", "citation": "elsewhere"}
TEST = dataclasses.replace(
    KNOWN,
    name="brunner-munzel",
    function=lambda sample, plan: dataclasses.replace(KNOWN.function(sample, plan), test="brunner-munzel", **OWN),
    **OWN,
)
METRIC = dataclasses.replace(ACCURACY, name="my-share", title="My share", columns=("right", "all"), at_most=())
RULE = Rule(code="RK950", name="of-another", severity="info", needs=frozenset({"paper"}), check=lambda context: ())
TAKEN = dataclasses.replace(TEST, name="welch")
NUMBER = 7
"""
ENTRY_POINTS = """\
[reportkit.tests]
brunner-munzel = somebody:TEST
welch = somebody:TAKEN
gone = somebody:ABSENT
[reportkit.metrics]
share = somebody:METRIC
number = somebody:NUMBER
nowhere = no_such_module:METRIC
[reportkit.rules]
RK950 = somebody:RULE
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with an installed distribution, as pip leaves it."""
    (tmp_path / "somebody.py").write_text(PACKAGE, encoding="utf-8")
    info = tmp_path / "some_package-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-package\nVersion: 1.2\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return tmp_path


def run(code: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the folder among those that modules are found in."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r})\n{code}"
    return subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_package_adds_one_of_each_and_what_is_broken_is_named(installed: Path) -> None:
    """Nothing is imported but reportkit; three entry points that cannot be used are warnings, and the rest is there."""
    code = """
import reportkit
from reportkit.checker.catalogue import RULES, named
from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
SIGNIFICANCE_TESTS["welch"], CORPUS_METRICS["bleu"]
print("somebody" in sys.modules)
print(SIGNIFICANCE_TESTS["brunner-munzel"].title, list(SIGNIFICANCE_TESTS)[-1], SIGNIFICANCE_TESTS["welch"].title)
print(list(CORPUS_METRICS)[-1], list(RULES)[-1], named("of-another").code)
try:
    SIGNIFICANCE_TESTS["gone"]
except reportkit.UnknownNameError as error:
    print(error)
"""
    done = run(code, installed)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:3] == [
        "False",
        "Brunner-Munzel test brunner-munzel Welch t-test",
        "my-share RK950 RK950",
    ]
    for said in (
        "a significance test is left out: entry point 'welch' (somebody:TAKEN): SettingsError: there is a",
        "a significance test is left out: entry point 'gone' (somebody:ABSENT): AttributeError",
        "a corpus metric is left out: entry point 'number' (somebody:NUMBER): SettingsError: 7 is no",
        "a corpus metric is left out: entry point 'nowhere' (no_such_module:METRIC): ModuleNotFoundError",
    ):
        assert done.stderr.count(said) == 1
    assert done.stderr.count("is left out") == 4


@pytest.mark.slow
def test_a_test_of_a_package_is_used_to_the_end(installed: Path) -> None:
    """From a frame to the paragraph, without a source that the bibliography does not have."""
    code = """
import warnings
warnings.simplefilter("ignore")
import numpy as np, pandas as pd, reportkit
rng = np.random.default_rng(0)
rows = [(s, "x", f"{s}{i}", g + rng.normal()) for s, g in (("new", 2.0), ("old", 0.0)) for i in range(20)]
frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
found = reportkit.compare(frame, "new", "old", pairing="unpaired", test="brunner-munzel")
print(found.outcomes["test"].tolist())
print(found.paragraph())
found.report().save(sys.path[0] + "/report")
"""
    done = run(code, installed)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['brunner-munzel']\n")
    assert "one-sided Brunner-Munzel test" in done.stdout
    assert (installed / "report" / "report.tex").is_file()


def test_entries_of_users_are_told_apart_from_built_in_ones() -> None:
    """Only those of users are replaced and taken away."""
    registry = Registry[int]("number")
    registry.register("one", 1)
    with pytest.raises(ValueError, match="registered twice"):
        registry.register("one", 2)
    registry.open_to("reportkit.no-such-group", registry.remove)
    registry.add("two", 3)
    registry.add("two", 2)
    with pytest.raises(SettingsError, match="there is a number 'one' already"):
        registry.add("one", 2)
    assert dict(registry) == {"one": 1, "two": 2}
    assert registry.built_in == {"one": 1}
    registry.remove("one")
    registry.remove("two")
    assert list(registry) == ["one"]
    with pytest.raises(UnknownNameError, match="no number 'two'"):
        registry["two"]
