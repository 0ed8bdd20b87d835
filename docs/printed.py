"""Write the table of every number that the four papers print: `python docs/printed.py`.

Paper, place, printed, what reportkit computes, why they differ. A test compares the page with this script, and its
numbers with truths that were computed elsewhere.
"""

from __future__ import annotations

import csv
import runpy
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.special import ndtr

from reportkit.calibration.toy import DEPENDENT, INDEPENDENT, exact_probabilities, toy_simulation
from reportkit.replicability.printed import METHODS, reproduce
from reportkit.reproducibility_analysis import BlockedCV, cantelli_bound, performance_table
from reportkit.significance.proportions import wilson

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
PAGE = HERE / "printed-numbers.md"
N_FAMILIES = 20_000
Line = tuple[str, str, str, str]
"""Place, printed, ours, why they differ."""

HEAD = """# Printed numbers

Every number that the four papers print and that follows from their data, with the number that reportkit computes.
Scores and *p*-values of their tables are the input of [examples/dror2017](../examples/dror2017), digit by digit.
Outputs of the systems of Berg-Kirkpatrick et al. are not published: their figures are compared with those of
[90 other systems](../examples/calibration). `python docs/printed.py` writes this page;
[why some numbers differ](methods.md#where-reportkit-differs-from-the-four-papers).
"""

NOT_OURS = "other systems and test sets"
TABLE_3 = {
    "SRL": ((61.98, 5.90, "61.87, 62.10"), (61.60, 5.94, "61.48, 61.71")),
    "NER": ((89.38, 1.86, "89.34, 89.42"), (89.20, 2.07, "89.16, 89.24")),
    "Chunking": ((82.25, 1.16, "82.23, 82.27"), (82.20, 1.10, "82.18, 82.22")),
}
"""Means in percent, standard errors in 10^-4, intervals in percent, of models A and B."""

TABLE_4 = {
    "SRL": ((0.181, 0.636), (0.414, 0.665), (0.465, 0.659), (0.645, 0.694), (0.684, 0.714)),
    "NER": ((0.510, 0.678), (1.258, 0.893), (0.889, 0.830), (1.179, 0.900), (1.421, 0.940)),
    "Chunking": ((0.195, 0.590), (0.483, 0.665), (3.200, 1.000), (1.818, 0.960), (3.063, 1.000)),
}
"""SNR and reproducibility of ST, RS, and of average, vote and mixture under 3 x 2 BCV."""

TABLE_1_OF_2012 = (
    ("(.00125, .0025]", "97%, 95%, 73%"),
    ("(.0025, .005]", "92%, 92%, 60%"),
    ("(.005, .01]", "92%, 85%, 56%"),
    ("(.01, .02]", "88%, 92%, 54%"),
    ("(.02, .04]", "87%, 78%, 51%"),
    ("(.04, .08]", "83%, 74%, 48%"),
)


def number(value: float, digits: int) -> str:
    """Write a number, without the zero before the point."""
    text = f"{value:.{digits}f}"
    return text.removeprefix("0") if text.startswith("0.") else text


def dror() -> Iterator[Line]:
    """Table 1 and footnote 13, the marks of Tables 2 to 5, and section 5."""
    yield "§3.2, P(V > 0) of 100 tests", "0.994", number(1 - 0.95**100, 6), ""
    tables = {"parsing": "Table 2", "pos": "Table 3", "sentiment": "Table 4", "word-similarity": "Table 5"}
    for name, table in tables.items():
        with (EXAMPLES / "dror2017" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        said = tomllib.loads((EXAMPLES / "dror2017" / f"{name}.toml").read_text("utf-8"))
        for claim in said["printed"]:
            a, b, alpha = claim["system_a"], claim["system_b"], claim["alpha"]
            mine = [row for row in rows if (row["system_a"], row["system_b"]) == (a, b)]
            p = np.array([float(row["p_value"]) or 5e-5 for row in mine])
            found = reproduce(
                system_a=a,
                system_b=b,
                datasets=[row["dataset"] for row in mine],
                cells=np.stack([p, p, p], axis=1),
                differences=np.array([float(row["score_a"]) - float(row["score_b"]) for row in mine]),
                alpha=alpha,
            )
            printed = ", ".join(str(claim[method]) for method in METHODS)
            ours = ", ".join(str(found.recomputed[method]) for method in METHODS)
            where = "footnote 13" if alpha == 0.01 and said["dependence"] == "independent" else "Table 1"
            why = "" if printed == ours else "no p-values that round to the printed ones give the printed count"
            yield f"{where}, k̂ (count, Bonferroni, Fisher), {a} – {b}, α = {alpha:g}", printed, ours, why
            if "identified" in claim:
                wrong = found.wrong_direction
                why = f"{', '.join(wrong)}: the claimed winner scores lower, so reportkit marks none" if wrong else ""
                marked = ", ".join(sorted(claim["identified"]))
                yield (
                    f"{table}, marked by Holm, {a} – {b}, α = {alpha:g}",
                    marked,
                    ", ".join(sorted(found.identified)),
                    why,
                )
    yield from toy()


def toy() -> Iterator[Line]:
    """Section 5."""
    for design, name, printed, which in (
        (INDEPENDENT, "independent", (0.963, 0.001, 0.021), 1),
        (DEPENDENT, "dependent", (0.943, 0.046, 0.234), 0),
    ):
        exact = exact_probabilities(design)
        drawn = {item.method: item for item in toy_simulation(design, n_replicates=N_FAMILIES, seed=1)}
        shared = exact_probabilities(replace(design, shared=True))
        for method, value in zip(METHODS, printed, strict=True):
            probabilities = []
            for above in (0, 1):
                known = exact[method][above]
                share = (drawn[method].above_zero, drawn[method].above_one)[above].value
                text = f"{number(share, 3)} of {N_FAMILIES:,}" if known is None else number(known, 6)
                probabilities.append(f"P(k̂ > {above}) = {text}")
            why = "P(k̂ > 1) is printed, as a share of 1,000 families" if which else "a share of 1,000 families"
            if name == "dependent" and method == "count":
                why = f"{number(shared['count'][0] or 0.0, 3)} if one factor moves all groups: the paper does not say"
            yield f"§5, {name}, {method}", number(value, 3), "; ".join(probabilities), why


def azer() -> Iterator[Line]:
    """Examples 1 to 4 and appendix A."""
    easy, challenge = (1721, 1637, 2376), (566, 496, 1172)
    for dataset, (a, b, n), printed in (
        ("ARC-easy", easy, ("0.72432", "0.68897")),
        ("ARC-challenge", challenge, ("48.3", "42.3")),
    ):
        digits, factor = (5, 1) if dataset == "ARC-easy" else (1, 100)
        for text, right in zip(printed, (a, b), strict=True):
            ours = f"{factor * right / n:.{digits}f}"
            yield f"accuracy, {dataset}, {right} of {n}", text, ours, "" if text == ours else CUT
    yield "§A.1, pooled accuracy", "0.70664", f"{(easy[0] + easy[1]) / (2 * easy[2]):.5f}", CUT
    script = runpy.run_path(str(EXAMPLES / "azer2020" / "reproduce.py"))
    for part in ("frequentist", "bayesian", "other_data"):
        for example, what, printed, ours, why in script[part]():
            if printed != "–":
                place = f"Example {example}" if example.isdigit() else example
                yield f"{place}, {what}", printed, ours, WHY.get(what, why)


CUT = "cut off, not rounded"
WHY = {
    "one-sided p-value": f"{CUT}; counts taken as independent samples",
    "“95%” interval, pooled variance": "the printed one is a 90% interval, made with 1.645 standard errors",
    "P(θ₁ − θ₂ > .01)": "the HDI overlaps the ROPE, but the probability is above .95",
    "BF₀₁, Beta(1, 1)": ".027 · .980 / (.019 · .972) is 1.433, not 1.382; other priors give .22 to 1.38",
    "prior P(ROPE)": CUT,
}


def berg() -> Iterator[Line]:
    """Thresholds, calibration on Brown, and Table 1."""
    folder = EXAMPLES / "calibration" / "tables"
    found: dict[str, list[str]] = {}
    for row in _rows(folder / "gain-thresholds.csv"):
        found.setdefault(row["Number"] and row["Pairs"], []).append(row["Threshold"])
    spans = {pairs: f"{min(values)} to {max(values)} points of accuracy" for pairs, values in found.items()}
    one, two = spans["of one family"], spans["of two families"]
    yield "§3.1.1, gain with p ≈ .05, ROUGE, summarization", "1.10", spans["all"], NOT_OURS
    for place, what, printed in (
        ("§3.2.2", "unlabeled dependencies", ("1.20", "1.51")),
        ("§3.2.3", "BLEU", ("0.28", "0.37")),
        ("§3.2.4", "alignment error rate", ("0.50", "1.12")),
        ("§3.2.5", "constituent F1", ("0.47", "0.57")),
    ):
        yield f"{place}, {what}, one model type", printed[0], one, NOT_OURS
        yield f"{place}, {what}, two model types", printed[1], two, NOT_OURS
    law = 3.00 / np.sqrt(24_000 / 100)
    yield (
        "§4.1, threshold on 100 and 24K sentences of Brown",
        "3.00, 0.22",
        f"3.00, {law:.2f}",
        "√n law from the first one",
    )
    yield "§4.2, right of 942 with p in [.04, .06]", "869, 92%", f"{100 * 869 / 942:.1f}%", ""
    bins = [row for row in _rows(folder / "bins.csv") if row["p"] == "(.04, .08]"]
    shares = sorted(float(row["Better"]) for row in bins)
    text = f"{number(shares[0], 3)} to {number(shares[-1], 3)} for p in (.04, .08]"
    yield "§4.2, the same on other data", "92%", text, NOT_OURS
    yield "§4.2, of 58 pairs on sections 22, 24, Brown", "83%, 71%, 48%", _again("(.04, .08]", folder), NOT_OURS
    for p, printed in TABLE_1_OF_2012:
        yield f"Table 1, p in {p}, sections 22, 24, Brown", printed, _again(p, folder), NOT_OURS


def _again(p: str, folder: Path) -> str:
    (row,) = [row for row in _rows(folder / "transfer-bins.csv") if row["p"] == p]
    return f"{100 * float(row['Win again']):.0f}% over four test sets"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def xue() -> Iterator[Line]:
    """Tables 1 to 4."""
    folds = BlockedCV(3).fold_of_block
    halves = {
        frozenset((frozenset(np.flatnonzero(row == 0) + 1), frozenset(np.flatnonzero(row == 1) + 1))) for row in folds
    }
    text = "; ".join(sorted(" | ".join(sorted("".join(map(str, sorted(half))) for half in pair)) for pair in halves))
    yield "Table 1, halves of four blocks", "12 | 34; 13 | 24; 14 | 23", text, ""
    models = [fold for pair in halves for fold in pair]
    votes = [sum(block not in fold for fold in models) for block in range(1, 5)]
    yield "Table 2, models that vote on each block", "3, 3, 3, 3", ", ".join(map(str, votes)), ""
    for task, systems in TABLE_3.items():
        for name, (mean, error, interval) in zip("AB", systems, strict=True):
            spread = error / 100 * np.sqrt(999) * np.repeat([-1.0, 1.0], 500)  # 1,000 re-splits with these moments
            table = performance_table({name: mean + spread})
            ours = f"{table['low'][0]:.2f}, {table['high'][0]:.2f}"
            why = "" if ours == interval else "the printed mean is rounded"
            yield f"Table 3, {task}, 95% interval of model {name}, from mean and error", interval, ours, why
    for task, cells in TABLE_4.items():
        for method, (snr, printed) in zip(("ST", "RS", "average", "vote", "mixture"), cells, strict=True):
            low, high = wilson(round(1000 * printed), 1000, 1.959964)
            ours = (
                f"≥ {number(cantelli_bound(snr), 3)} (Cantelli), {number(float(ndtr(snr)), 3)} (normal), "
                f"95% interval {number(low, 3)} to {number(high, 3)}"
            )
            yield f"Table 4, {task}, {method}, SNR {snr:.3f}: reproducibility", f"{printed:.3f}", ours, ""
        st, rs = cells[0][0], cells[1][0]
        why = "six independent splits; the printed ones are sample moments of 1,000 re-splits"
        yield f"Table 4, {task}, SNR of RS from that of ST", f"{rs:.3f}", f"{np.sqrt(6) * st:.3f}", why


PAPERS = {
    "Dror, Baumer, Bogomolov and Reichart (2017)": dror,
    "Sadat Azer, Khashabi, Sabharwal and Roth (2020)": azer,
    "Berg-Kirkpatrick, Burkett and Klein (2012)": berg,
    "Xue et al. (2023)": xue,
}


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD]
    for paper, lines in PAPERS.items():
        rows = [" | ".join(cell.replace("|", "\\|") for cell in line) for line in lines()]
        parts.append(f"\n## {paper}\n\n| place | printed | reportkit | why they differ |\n|---|---|---|---|\n")
        parts.extend(f"| {row} |\n".replace(" |  |", " | |") for row in rows)
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
