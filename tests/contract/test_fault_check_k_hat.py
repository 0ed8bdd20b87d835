"""`reportkit check` holds claims about many datasets against k-hat; small p-values alone are no k-hat."""

from __future__ import annotations

import json

import numpy as np
import pytest

import reportkit
from tests.conftest import run_command


def results(folder, *effects):
    """Write results on four datasets; return how many p-values are at most .05, and k-hat."""
    rng = np.random.default_rng(21)
    rows = ["system,dataset,instance,score"]
    for dataset, effect in zip("abcd", effects, strict=True):
        for instance in range(100):
            shared = rng.normal()
            new, old = shared + rng.normal(effect, 0.7), shared + rng.normal(0, 0.7)
            rows += [f"new,{dataset},{instance},{new!r}", f"old,{dataset},{instance},{old!r}"]
    (folder / "results.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    (folder / "reportkit.toml").write_text('system = "new"\nbaseline = "old"\n', encoding="utf-8")
    found = reportkit.compare(folder / "results.csv", "new", "old").k_hat.loc[0.05]
    return found["count"], found["recommended"]


@pytest.mark.parametrize(
    ("effects", "expected", "claim", "told"),
    [
        ((0.2, 0.2, 0.2, 0.2), (4, 0), "all", "'on all four datasets' claims 4 of 4, and the analysis supports none"),
        ((0.9, 0.2, 0.2, 0.2), (4, 1), "all", "claims 4 of 4, and the analysis supports at least 1 (k-hat)."),
        ((0.9, 0.2, 0.2, 0.2), (4, 1), "two of the", "claims 2 of 4, and the analysis supports at least 1 (k-hat)."),
        ((0.9, 0.2, 0.2, 0.2), (4, 1), "one of the", None),
    ],
)
def test_a_claim_is_held_against_k_hat(effects, expected, claim, told, tmp_path):
    """Also where each p-value is at most the level, which no correction survives."""
    assert results(tmp_path, *effects) == expected
    text = f"The new system is significantly better than the old one on {claim} four datasets (sign-flip test).\n"
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    command = ("check", "paper.tex", "--data", "results.csv", "--select", "RK206", "--output-format", "json")
    found = json.loads(run_command(*command, cwd=tmp_path).stdout)["findings"]
    assert len(found) == (told is not None)
    assert all(told in item["message"] for item in found)
    assert not any("at least 0" in f"{item['message']} {item['remedy']}" for item in found)
