"""Ask other tools the question of `comparison.md`, and write what they answer: `python docs/comparison.py`.

Needs `pip install -e ".[bench]"`. The table is dated by the day on which this was run; `--date` sets another.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import io
import os
import re
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
PAGE = HERE / "comparison.md"
MARKED = re.compile(r"(<!-- answers: begin.*?-->\n).*?(<!-- answers: end -->)", re.DOTALL)
A, B = "vader", "textblob"
Scores = dict[str, pd.DataFrame]


def scores() -> Scores:
    """Right (1) or wrong (0) of both systems on each dataset, one row per instance."""
    results = pd.read_csv(HERE.parent / "examples" / "sentiment" / "results.csv.gz")
    wide = results.pivot(index=["dataset", "instance"], columns="system", values="score").dropna()  # noqa: PD010 - refuses duplicates
    return {str(name): part.reset_index(drop=True) for name, part in wide.groupby("dataset")}


def printed(values: list[float]) -> str:
    """Four numbers, one for each dataset, as a reader wants them."""
    return ", ".join("< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0") for value in values)


def scipy(data: Scores) -> str:
    """The exact McNemar test of each dataset."""
    from scipy.stats import binomtest

    differences = [part[A] - part[B] for part in data.values()]
    tests = [binomtest(int((d > 0).sum()), int((d != 0).sum()), alternative="greater") for d in differences]
    return f"four p-values: {printed([float(test.pvalue) for test in tests])}"


def statsmodels(data: Scores) -> str:
    """McNemar's test of each dataset, which is two-sided, and Holm's procedure over them."""
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    tables = [pd.crosstab(part[A], part[B]) for part in data.values()]
    adjusted = multipletests([mcnemar(table, exact=True).pvalue for table in tables], method="holm")[1]
    return f"four p-values, two-sided, adjusted by Holm: {printed(list(map(float, adjusted)))}"


def sacrebleu(data: Scores) -> str:
    """Unigram precision of one-word texts is accuracy."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    found = []
    for part in data.values():
        named = [(name, ["right" if score else "wrong" for score in part[name]]) for name in (B, A)]
        metric = {"BLEU": BLEU(max_ngram_order=1, references=[["right"] * len(part)])}
        results = PairedTest(named, metric, None, test_type="bs", n_samples=1000)()[1]
        found.append(float(results["BLEU"][1].p_value))
    return f"four p-values of its paired bootstrap: {printed(found)}"


def compare_mt(data: Scores) -> str:
    """Its bootstrap of wins, with accuracy as the score."""
    from compare_mt.scorers import Scorer
    from compare_mt.sign_utils import eval_with_paired_bootstrap

    class Accuracy(Scorer):  # type: ignore[misc]
        scale = 1

        def score_corpus(self, ref: Any, out: Any, src: Any = None) -> tuple[float, None]:
            return float(np.mean([a == b for a, b in zip(ref, out, strict=True)])), None

        def cache_stats(self, *_: Any, **__: Any) -> None:
            return None

        def name(self) -> str:
            return "accuracy"

        def idstr(self) -> str:
            return "accuracy"

    found = []
    for part in data.values():
        outputs = [part[name].tolist() for name in (A, B)]
        wins, _ = eval_with_paired_bootstrap([1] * len(part), outputs, [None] * len(part), Accuracy(), num_samples=1000)
        found.append(float(1 - wins[0][0]))
    return f"four shares of 1,000 resamples that vader does not win: {', '.join(f'{share:.1%}' for share in found)}"


def deepsig(data: Scores) -> str:
    """Almost stochastic order on the first 200 instances of each dataset; all of them take hours."""
    from deepsig import aso

    found = [
        aso(
            part[A].head(200).to_numpy(float),
            part[B].head(200).to_numpy(float),
            num_bootstrap_iterations=100,
            seed=1,
            show_progress=False,
        )
        for part in data.values()
    ]
    return f"four bounds on ε, from the first 200 instances each: {', '.join(f'{float(x):.2f}' for x in found)}"


def autorank(data: Scores) -> str:
    """One accuracy for each dataset."""
    from autorank import autorank as rank

    result = rank(pd.DataFrame({name: [part[name].mean() for part in data.values()] for name in (A, B)}))
    return f"{result.omnibus}: p = {result.pvalue:.3f}"


def ranx(data: Scores) -> str:
    """Each instance is a query, and the answer of a system the one document that it finds."""
    from ranx import Qrels, Run, compare

    found = []
    for part in data.values():
        queries = [f"q{i}" for i in range(len(part))]
        wanted = Qrels({query: {"right": 1} for query in queries})
        answers = {name: ["right" if score else "wrong" for score in part[name]] for name in (A, B)}
        runs = [Run({q: {a: 1.0} for q, a in zip(queries, answers[name], strict=True)}, name=name) for name in (A, B)]
        report = compare(wanted, runs=runs, metrics=["precision@1"], stat_test="student")
        found.append(float(report.comparisons[frozenset({A, B})]["precision@1"]["p_value"]))
    return f"four p-values of its paired t-test, two-sided: {printed(found)}"


def reportkit(_: Scores) -> str:
    """The whole question."""
    import reportkit as own

    return str(own.compare(HERE.parent / "examples" / "sentiment" / "results.csv.gz", A, B)).splitlines()[0]


TOOLS: dict[str, tuple[str, Callable[[Scores], str]]] = {
    "SciPy": ("scipy", scipy),
    "statsmodels": ("statsmodels", statsmodels),
    "sacreBLEU": ("sacrebleu", sacrebleu),
    "compare-mt": ("compare-mt", compare_mt),
    "deep-significance": ("deepsig", deepsig),
    "autorank": ("autorank", autorank),
    "ranx": ("ranx", ranx),
    "reportkit": ("reportkit-replic", reportkit),
}


def answer(ask: Callable[[Scores], str], data: Scores) -> str:
    """What a tool answers, or with which words it refuses."""
    np.random.seed(1)  # noqa: NPY002 - the generator of those tools
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return ask(data)
    except ImportError:
        raise
    except Exception as error:
        return f"refused: “{' '.join(str(error).split())}”"


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    day = datetime.date.fromisoformat(parser.parse_args().date)
    warnings.simplefilter("ignore")
    data = scores()
    rows = [f"| {name} {version(package)} | {answer(ask, data)} |" for name, (package, ask) in TOOLS.items()]
    table = "\n".join([f"Run on {day.day} {day:%B %Y}.", "", "| tool | answer |", "|---|---|", *rows, ""])
    PAGE.write_text(MARKED.sub(lambda found: f"{found[1]}{table}\n{found[2]}", PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("NUMBA_CACHE_DIR", folder)
        main()
