"""Labels: text, or TeX with its plain form."""

from __future__ import annotations

import reportkit
from reportkit.appearance import Appearance, plain_label


def test_a_table_of_toml_is_a_label():
    """{latex, plain} as TOML has it."""
    labels = Appearance(labels={"ours": {"latex": "$b_i$", "plain": "b_i"}, "base": "Base"}).labels
    assert labels == {"ours": reportkit.tex("$b_i$", plain="b_i"), "base": "Base"}
    assert list(map(plain_label, labels.values())) == ["b_i", "Base"]
