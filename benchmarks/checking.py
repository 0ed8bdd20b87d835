"""How long `reportkit check` takes: for a paper of 50 pages, for a paragraph of 12,000 numbers, and to start.

The paper is made with a fixed seed: 25,000 words in 500 paragraphs, and 20 tables with 2 systems on 12 datasets, their
differences, intervals, p-values and marks. It is read and checked by all rules that need no data (`checking`), and once
more with results by instance for all 12 datasets (`with data`, which includes reading and comparing them). Start-up is
the time of `reportkit check` on a paper of one sentence in a process of its own, less that of `python -c pass`. The
other times are processor time, which says more on a machine that does other things, too. A paper that is one paragraph
of 12,000 numbers is checked as well, and one of 3,000, which should take a quarter of the time.

Usage::

    python benchmarks/checking.py [--repeats 5]
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

SEED = 20_251_122
N_TABLES, N_PARAGRAPHS, N_DATASETS, N_INSTANCES = 20, 500, 12, 500
WORDS = [
    "the",
    "a",
    "model",
    "system",
    "encoder",
    "decoder",
    "translation",
    "sentence",
    "token",
    "layer",
    "gradient",
    "schedule",
    "dataset",
    "which",
    "that",
    "with",
    "of",
    "on",
    "in",
    "for",
    "and",
    "or",
    "we",
    "show",
    "find",
    "train",
    "evaluate",
    "compare",
    "measure",
    "results",
    "scores",
    "accuracy",
    "small",
    "large",
    "new",
    "common",
    "each",
    "other",
    "from",
]


def made_paper(data_scores: dict[tuple[str, int], float]) -> str:
    """The paper as LaTeX; the first table prints the scores of the data."""
    draw = random.Random(SEED)  # noqa: S311 - made data, no secret
    parts = [r"\documentclass{article}\usepackage{booktabs}\begin{document}"]
    for number in range(N_PARAGRAPHS):
        if number % 25 == 0:
            parts.append(rf"\section{{Part {number // 25 + 1}}}")
            parts.append(_table(draw, number // 25, data_scores))
        words = [draw.choice(WORDS) for _ in range(44)]
        words[20:20] = ["a", "gain", "of", f"{draw.uniform(0, 5):.1f}", "points", r"\citep{key2020}.", "We"]
        words[-1] += (
            f" reach {draw.uniform(50, 99):.1f}\\% in Table~\\ref{{tab:{number // 25}}} ($p = {draw.random():.3f}$)."
        )
        parts.append(" ".join(words) + "\n")
    return "\n".join([*parts, r"\end{document}"])


def _table(draw: random.Random, index: int, scores: dict[tuple[str, int], float]) -> str:
    rows = []
    for dataset in range(N_DATASETS):
        a, b = (100 * scores[system, dataset] for system in ("ours", "base"))
        if index:
            a, b = draw.uniform(60, 90), draw.uniform(60, 90)
        gap = round(a, 1) - round(b, 1)
        mark = r"$^\dagger$" if gap > 5 else ""
        rows.append(
            rf"data{dataset:02d} & {N_INSTANCES} & {b:.1f} & {a:.1f}{mark} & {gap:+.1f} "
            rf"& [{gap - 2:.1f}, {gap + 2:.1f}] & {draw.random():.3f} \\"
        )
    return "\n".join(
        [
            r"\begin{table}\begin{tabular}{lrccccc}\toprule",
            r"Dataset & $n$ & base & ours & $\Delta$ & 95\% CI & $p$ \\ \midrule",
            *rows,
            r"\bottomrule\end{tabular}",
            rf"\caption{{Accuracy (\%). $^\dagger$ by a sign-flip test.}}\label{{tab:{index}}}\end{{table}}",
        ]
    )


def paragraph(n_numbers: int) -> str:
    """A paper of one paragraph, of which every third word is a number."""
    draw = random.Random(SEED)  # noqa: S311 - made data, no secret
    words = (f"{draw.choice(WORDS)} {draw.choice(WORDS)} {draw.uniform(0, 99):.1f}" for _ in range(n_numbers))
    return "\n".join([r"\documentclass{article}\begin{document}", " ".join(words), r"\end{document}"])


def made_results() -> tuple[str, dict[tuple[str, int], float]]:
    """Results as CSV, and the mean score of each system on each dataset."""
    draw = random.Random(SEED)  # noqa: S311 - made data, no secret
    lines = ["system,dataset,instance,score"]
    sums: dict[tuple[str, int], int] = {}
    for dataset in range(N_DATASETS):
        for instance in range(N_INSTANCES):
            for system, rate in (("ours", 0.8), ("base", 0.75)):
                score = int(draw.random() < rate)
                sums[system, dataset] = sums.get((system, dataset), 0) + score
                lines.append(f"{system},data{dataset:02d},{dataset}-{instance},{score}")
    return "\n".join(lines), {key: total / N_INSTANCES for key, total in sums.items()}


def seconds_of(command: list[str], repeats: int) -> float:
    """Median wall-clock time of a process."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run(command, check=False, capture_output=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    from reportkit.checker.engine import check

    results, scores = made_results()
    with tempfile.TemporaryDirectory() as folder:
        paper, data, short = (Path(folder) / name for name in ("paper.tex", "results.csv", "short.tex"))
        paper.write_text(made_paper(scores), encoding="utf-8")
        data.write_text(results, encoding="utf-8")
        short.write_text("One sentence.\n", encoding="utf-8")
        check(short)  # imports are start-up
        check(short, data=data)
        paragraphs = {n: Path(folder) / f"numbers-{n}.tex" for n in (3_000, 12_000)}
        for n, path in paragraphs.items():
            path.write_text(paragraph(n), encoding="utf-8")
        alone, linked = [], []
        numbers: dict[int, list[float]] = {n: [] for n in paragraphs}
        for _ in range(repeats):
            for n, path in paragraphs.items():
                began = time.process_time()
                check(path)
                numbers[n].append(time.process_time() - began)
            began = time.process_time()
            report = check(paper)
            alone.append(time.process_time() - began)
            began = time.process_time()
            check(paper, data=data)
            linked.append(time.process_time() - began)
        start = seconds_of([sys.executable, "-m", "reportkit", "check", str(short)], repeats)
        empty = seconds_of([sys.executable, "-c", "pass"], repeats)
        figures = {
            "numbers": report.coverage.n_numbers,
            "tables": len(report.coverage.tables),
            "rules": len(report.rules),
            "findings": len(report),
            "checking_seconds": round(statistics.median(alone), 3),
            "with_data_seconds": round(statistics.median(linked), 3),
            **{f"paragraph_of_{n}_numbers_seconds": round(statistics.median(of), 3) for n, of in numbers.items()},
            "start_up_seconds": round(start - empty, 3),
        }
    for name, value in figures.items():
        print(f"{name}: {value}")
    save("checking", figures)


if __name__ == "__main__":
    main()
