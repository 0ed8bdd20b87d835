"""JSON, as the documented schema says."""

from __future__ import annotations

import json

from reportkit.checker.outputs.json_report import SCHEMA_VERSION, json_report
from tests.checker.mistakes import check_text
from tests.conftest import needed


def test_it_is_as_documented(report, root):
    """Every field is in `docs/reference/check.schema.json`, which allows no others."""
    jsonschema = needed("jsonschema", "test")
    schema = json.loads((root / "docs" / "reference" / "check.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    for item in (report, check_text("Fine.")):
        read = json.loads(json_report(item))
        jsonschema.Draft202012Validator(schema).validate(read)
        assert read["schema_version"] == SCHEMA_VERSION
        assert [finding["code"] for finding in read["findings"]] == [found.code for found in item]
