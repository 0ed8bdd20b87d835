"""Sentences with numbers filled in: short names, no code, helpful errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.errors import ReportkitError, SettingsError, UnknownNameError
from reportkit.rendering.filled import filled
from reportkit.report.model import Number
from tests.rendering.conftest import words

VALUES = {
    "main/n-datasets": "2",
    "main/alpha": ".05",
    "main/sst2/n": "1,821",
    "main/sst2/ours": "93.1",
    "main/imdb/ours": "88.0",
    "main/ours-vs-base/k-hat": "1",
    "main/ours-vs-base/k-hat/.01": "0",
    "main/ours-vs-base/k-hat/.01/bonferroni": "0",
    "main/ours-vs-base/identified": "R&D_set",
    "main/sst2/ours-vs-base/n": "1,821",
    "main/sst2/ours-vs-base/p": "<.001",
    "main/sst2/ours-vs-base/difference": "−1.5",
    "main/imdb/ours-vs-base/p": ".48",
    "main/sst2/ours-vs-base/mark": "*",
}
NUMBERS = {key: Number(content=words(text), meaning="") for key, text in VALUES.items()}
NUMBERS["main/sst2/ours-vs-base/p-stated"] = Number(content="𝑝 < .001")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{k_hat} of {n_datasets} at {alpha}", "1 of 2 at .05"),
        ("{k_hat:.01}", "0"),
        ("{k_hat:ours-vs-base/.01}", "0"),
        ("{k_hat:ours vs. base}", "1"),
        ("{k_hat/.01/bonferroni}", "0"),
        ("{score:sst2/ours} and {score:IMDB/Ours}", "93.1 and 88.0"),
        ("{p:imdb}", ".48"),
        ("{p:sst2/ours-vs-base}", "<.001"),
        ("{n:sst2}", "1,821"),
        ("{main/sst2/ours}", "93.1"),
        ("{sst2/ours}", "93.1"),
        ("{{{alpha}}}", "{.05}"),
        ("no field", "no field"),
        ("{p_stated}", "p < .001"),
    ],
)
def test_fields_name_numbers(template: str, expected: str) -> None:
    """By short names, with what they are about where that is needed, or by the whole key."""
    assert filled(template, NUMBERS) == expected


@pytest.mark.parametrize(
    ("text_format", "expected"),
    [
        ("plain", "R&D_set −1.5 <.001 * 1,821"),
        ("latex", r"R\&D\_set \ensuremath{-}1.5 \ensuremath{<}.001 $^{*}$ 1{,}821"),
        ("markdown", r"R&D_set −1.5 <.001 \* 1,821"),
    ],
)
def test_values_are_escaped_for_the_format(text_format, expected: str) -> None:
    """And the words are left as they are."""
    template = "{identified} {difference} {p:sst2} {mark} {n}"
    assert filled(template, NUMBERS, text_format) == expected
    assert filled(r"\emph{{x}} & {alpha}", NUMBERS, text_format) == r"\emph{x} & .05"


@pytest.mark.parametrize(
    ("template", "words_of_error"),
    [
        ("{khat}", "'{k_hat}'"),
        ("{score:sst/ours}", "'{main/sst2/ours}'"),
        ("{k_hat.__class__}", "there is no field"),
        ("{k_hat[0]}", "there is no field"),
        ("{0}", "there is no field"),
        ("{}", "there is no field"),
        ("{main}", "there is no field"),
    ],
)
def test_unknown_fields_name_the_nearest(template: str, words_of_error: str) -> None:
    """No attribute and no item of anything is read."""
    with pytest.raises(UnknownNameError, match=words_of_error.replace("{", r"\{")):
        filled(template, NUMBERS)


@pytest.mark.parametrize(
    ("template", "words_of_error"),
    [
        ("{p}", r"may be any of 2 numbers.*\{p:sst2/ours-vs-base\}"),
        ("{score:ours}", "may be any of 2"),
        ("{", r"write \{\{"),
        ("{alpha!r}", "is no field"),
    ],
)
def test_unclear_fields_are_refused(template: str, words_of_error: str) -> None:
    """With what to write instead."""
    with pytest.raises(SettingsError, match=f"(?s){words_of_error}"):
        filled(template, NUMBERS)


def test_an_unknown_format_is_refused() -> None:
    """With those that there are."""
    with pytest.raises(UnknownNameError, match="latex"):
        filled("{alpha}", NUMBERS, "late")  # type: ignore[arg-type]


@given(st.text("{}ab:!.[]_/ k-hat", max_size=20))
def test_no_template_breaks(template: str) -> None:
    """A text comes out, or an error of reportkit."""
    try:
        found = filled(template, NUMBERS)
    except ReportkitError:
        return
    assert isinstance(found, str)
