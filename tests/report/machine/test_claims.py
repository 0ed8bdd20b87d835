"""The columns of `report.json` say of each claim what the objects say, and are small."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.report.machine.claims import claims_in


def frame(n_systems, n_datasets, n=60, *, metrics=1, seeds=1, missing=0.0, clusters=0):
    """Scores with two decimals; the later a system, the better."""
    rng = np.random.default_rng(3)
    parts = []
    for metric in range(metrics):
        for dataset in range(n_datasets):
            for system in range(n_systems):
                for seed in range(seeds):
                    part = pd.DataFrame({"instance": np.arange(n)})
                    part["score"] = np.round(0.5 + 0.02 * system + rng.normal(0, 0.2, n), 2)
                    part = part.assign(system=f"s{system}", dataset=f"d{dataset}")
                    part = part.assign(**({"metric": METRICS[metric]} if metrics > 1 else {}))
                    part = part.assign(**({"seed": seed} if seeds > 1 else {}))
                    part = part.assign(**({"cluster": part.instance % clusters} if clusters else {}))
                    parts.append(part[rng.random(n) >= missing])
    return pd.concat(parts)


def without(table, system, dataset):
    """All but the scores of a system on a dataset."""
    return table[(table.system != system) | (table.dataset != dataset)]


METRICS = ["accuracy", "recall"]
CASES = {
    "both": lambda: (frame(2, 3), {}),
    "declared": lambda: (frame(2, 3), {"system_a": "s0", "system_b": "s1"}),
    "all pairs": lambda: (frame(4, 3), {}),
    "independent": lambda: (frame(4, 3), {"dependence": "independent"}),
    "baselines of each other": lambda: (frame(3, 2), {"systems": ["s1", "s2"], "baseline": ["s2", "s1"]}),
    "exploratory": lambda: (frame(3, 2, metrics=2), {"metric": METRICS, "gatekeeping": "exploratory"}),
    "gates": lambda: (
        frame(2, 2, metrics=2),
        {"system_a": "s1", "system_b": "s0", "metric": METRICS, "gatekeeping": "by-dataset"},
    ),
    "runs": lambda: (frame(3, 2, 30, seeds=4), {}),
    "clusters": lambda: (frame(3, 2, clusters=8), {}),
    "missing scores": lambda: (frame(4, 3, missing=0.1), {"missing": "drop"}),
    "a system without a dataset": lambda: (without(frame(4, 3), "s1", "d2"), {}),
    "across datasets": lambda: (frame(3, 12, 20), {"across_datasets": True}),
    "unpaired": lambda: (frame(3, 2, 40), {"pairing": "unpaired"}),
    "bounds": lambda: (
        frame(3, 2, missing=0.05).assign(score=lambda table: (table.score > 0.5).astype(int)),
        {"missing": "bounds"},
    ),
}


@pytest.fixture(scope="module", params=CASES)
def analysis(request):
    """One of each design."""
    table, options = CASES[request.param]()
    return reportkit.compare(table, **options)


def test_every_claim_is_as_the_frames_have_it(analysis, root):
    """To the last stored digit, in the order of the analysis; and the schema knows all of it."""
    content = json.loads(json.dumps(analysis.report().to_dict()))
    claims = claims_in(content)
    rows = [
        {**{name: claim[name] for name in ("system_a", "system_b", "metric")}, **outcome, **_ends_and_verdict(outcome)}
        for claim in claims
        for outcome in claim["datasets"]
    ]
    outcomes = analysis.outcomes
    assert len(rows) == len(outcomes)
    for name in outcomes.columns.intersection([*rows[0]]):
        found = pd.Series([row[name] for row in rows]).convert_dtypes()
        pd.testing.assert_series_equal(found, outcomes[name].convert_dtypes(), check_names=False, rtol=1e-8)
    if not analysis.across_datasets:
        counts = [claim["k_hat"][level]["recommended"] for claim in claims for level in ("0.05", "0.01")]
        assert counts == analysis.k_hat["recommended"].tolist()
    schema = json.loads((root / "docs" / "reference" / "report.schema.json").read_text("utf-8"))
    for name in ("settings", "family", "comparisons"):
        part = {"$defs": schema["$defs"], **schema["properties"][name]}
        jsonschema.Draft202012Validator(part).validate(content[name])


def _ends_and_verdict(outcome):
    interval = outcome["interval"] or {"low": None, "high": None}
    return {"ci_low": interval["low"], "ci_high": interval["high"], "identified": outcome["identified"]["0.05"]}


def test_a_pair_on_a_dataset_takes_few_bytes():
    """An outcome is some numbers, without the words that all of them share."""
    content = reportkit.compare(frame(12, 4, 40)).report().to_dict()
    written = json.dumps(content["comparisons"], separators=(",", ":"))
    assert len(written) < 130 * (12 * 11 // 2) * 4 + 5_000
