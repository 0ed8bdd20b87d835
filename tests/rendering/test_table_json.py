"""Tables as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from reportkit.rendering.exports import TABLE_SCHEMA_VERSION, json_table
from reportkit.rendering.notation import Context
from reportkit.report.model import Spanner, Table
from reportkit.report.tokens import ref
from tests.rendering.conftest import HOSTILE, SIGNATURE, counts, grid, p_values, words


@pytest.fixture(scope="module")
def validator(root: Path) -> Draft202012Validator:
    """The published schema, which is a schema itself."""
    schema = json.loads((root / "docs" / "reference" / "table.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


OVER = Spanner(header=words("In"), first=1, last=2)


@pytest.mark.parametrize("table", [grid(spanners=(OVER,)), p_values(), counts()])
def test_it_is_as_the_schema_says(table: Table, validator: Draft202012Validator) -> None:
    """And has no field that the schema does not describe."""
    content = json.loads(json_table(table, SIGNATURE))
    validator.validate(content)
    assert set(content) == set(validator.schema["properties"])
    cell = validator.schema["$defs"]["row"]["properties"]["cells"]["items"]["properties"]
    assert {key for row in content["rows"] for each in row["cells"] for key in each} == set(cell)
    assert {key for row in content["rows"] for key in row} == set(validator.schema["$defs"]["row"]["properties"])


def test_the_documentation_names_every_field(root: Path) -> None:
    """Each field of the schema stands in the table of docs/reference/table-json.md."""
    text = (root / "docs" / "reference" / "table-json.md").read_text("utf-8")
    schema = json.loads((root / "docs" / "reference" / "table.schema.json").read_text("utf-8"))
    row = schema["$defs"]["row"]["properties"]
    fields = {*schema["properties"], *row, *row["cells"]["items"]["properties"]} - {"schema_version"}
    assert not [field for field in fields if f"{field}`" not in text and f"{field}[]`" not in text]
    assert TABLE_SCHEMA_VERSION in text


def test_numbers_are_numbers() -> None:
    """A number has its value, a bound, an interval and a dash have none; symbols have their names."""
    rows = json.loads(json_table(p_values()))["rows"]
    assert [cell["number"] for cell in rows[0]["cells"]] == [None, None, 1024.0, 0.036, 0.072, None]
    assert rows[1]["cells"][4] == {
        "text": "1.6×10⁻⁹",
        "number": 1.6e-9,
        "mark": "*+",
        "bold": True,
        "underline": False,
    }
    assert rows[2]["cells"][4]["text"] == "<.001"
    assert rows[2]["cells"][4]["number"] is None
    headers = [column["header"] for column in json.loads(json_table(counts()))["columns"]]
    assert headers[1:4] == ["α", "count", "k_hat"]


def test_the_caption_is_for_people() -> None:
    """Symbols as they are read, references by number."""
    table = grid(caption=f"k̂ (Fisher), see {ref('tab', 'main')}.")
    content = json.loads(json_table(table, context=Context(numbers={("table", "main"): 2})))
    assert content["caption"] == "k̂ (Fisher), see Table 2."
    assert content["signature"] is None


@given(st.lists(st.text(max_size=20) | st.sampled_from(HOSTILE), min_size=1, max_size=5))
@settings(deadline=None, max_examples=60)
def test_names_come_back_as_they_were_given(names: list[str]) -> None:
    """Through the bytes of a file, controls and half surrogates included."""
    encoded = json_table(grid(systems=names, datasets=tuple(names))).encode("utf-8", "backslashreplace")
    content = json.loads(encoded)
    assert [row["cells"][0]["text"] for row in content["rows"]] == names
    assert [column["header"] for column in content["columns"][1:]] == names
