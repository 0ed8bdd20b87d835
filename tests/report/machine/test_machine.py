"""The report for machines holds what the objects hold, under their names, and the published schema knows all of it."""

from __future__ import annotations

import dataclasses
import json
import typing

import jsonschema
import pytest

from reportkit.report.machine.machine import SCHEMA_VERSION, settings_dict
from reportkit.scores.shapes.sample import Details, SideDetails
from reportkit.settings import SETTING_NAMES, Settings

CHOICES = {
    name: set(typing.get_args(hint))
    for name, hint in typing.get_type_hints(Settings).items()
    if typing.get_origin(hint) is typing.Literal
}
OTHERS = {
    "alpha": (0.1, 0.001),
    "preregistered": True,
    "test": "wilcoxon",
    "n_resamples": 99_999,
    "rng": 7,
    "higher_is_better": {"TER": False},
    "kind": {"likert": "ordinal"},
    "datasets": ("news", "reviews"),
    "score_range": (0.0, 100.0),
    "metric": ("BLEU", "TER"),
    "primary_metric": "TER",
    "across_datasets": True,
    "friedman": True,
    "rope": 0.01,
    "bayes": True,
    "prior": 0.5,
}


@pytest.fixture(scope="module")
def schema(root):
    """docs/reference/report.schema.json."""
    return json.loads((root / "docs" / "reference" / "report.schema.json").read_text("utf-8"))


def test_every_setting_is_written(schema):
    """All fields of the dataclass, with their values, as JSON keeps them; the schema requires each."""
    settings = Settings(**OTHERS)
    written = json.loads(json.dumps(settings_dict(settings)))
    assert tuple(written) == tuple(item.name for item in dataclasses.fields(Settings)) == SETTING_NAMES
    again = {name: tuple(value) if isinstance(value, list) else value for name, value in written.items()}
    assert Settings(**again) == settings
    known = schema["properties"]["settings"]
    assert set(known["properties"]) == set(known["required"]) == set(SETTING_NAMES)
    jsonschema.validate(written, known)


@pytest.mark.parametrize("name", CHOICES)
def test_the_schema_knows_each_choice(name, schema):
    """Its values are those of the type."""
    assert set(schema["properties"]["settings"]["properties"][name]["enum"]) == CHOICES[name]


def test_the_schema_knows_all_details(schema):
    """Those of both systems together, and those of each; and its version is that of the report."""
    for name, kind in (("details", Details), ("side", SideDetails)):
        assert set(schema["$defs"][name]["properties"]) == {item.name for item in dataclasses.fields(kind)}
    assert schema["properties"]["schema_version"] == {"const": SCHEMA_VERSION}


def test_the_documentation_lists_all_details(root):
    """docs/reference/report-json.md has each by its name."""
    text = (root / "docs" / "reference" / "report-json.md").read_text("utf-8")
    fields = [*dataclasses.fields(Details), *dataclasses.fields(SideDetails)]
    assert [item.name for item in fields if f"`{item.name}`" not in text] == []
    assert f"schema version {SCHEMA_VERSION}" in text
