r"""What `reportkit check` finds in a paper: 26 mistakes, each with the same words made right.

`@` is the place of the mistake. The paper with `wrong` there gets exactly one finding, that of `rule`; with `right`
it gets none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pytest

from tests.conftest import run_command

CODES = {
    "table-number-differs": "RK101",
    "prose-number-differs": "RK102",
    "marking-not-best": "RK103",
    "average-does-not-follow": "RK105",
    "p-value-inconsistent": "RK107",
    "interval-inconsistent": "RK108",
    "interval-level-mislabelled": "RK110",
    "placeholder-left": "RK115",
    "p-value-impossible": "RK117",
    "signs-differ": "RK118",
    "effect-size-inconsistent": "RK120",
    "abstract-number-differs": "RK121",
    "percentages-do-not-sum": "RK122",
    "significance-unqualified": "RK201",
    "correction-unstated": "RK204",
    "claim-beyond-analysis": "RK206",
    "bold-without-test": "RK215",
    "spread-undefined": "RK301",
    "runs-unstated": "RK302",
    "metric-version-missing": "RK304",
    "naive-count": "RK609",
}
"""Name of a rule to its code."""

TESTED = r"""\section{Experiments}
We fine-tune our model with 5 random seeds and compare it with the baseline by a paired bootstrap test
(10,000 resamples), corrected by Holm's method."""
"""What a paper says that reports tests; `{tested}` in the texts."""

BY_DATASET = {"books": (50, 20), "films": (48, 20), "games": (44, 24), "music": (31, 29)}
"""Right answers of 60: ours on the first questions, the baseline on the last ones."""


class Case(NamedTuple):
    """A text with the place of a mistake in it."""

    rule: str
    text: str
    wrong: str
    right: str
    markdown: bool = False
    results: Mapping[str, tuple[int, int]] | None = None


CASES = {
    "a t-test with the p of another t": Case(
        "p-value-inconsistent",
        "{tested} Length makes no difference, $t(48) = 2.31$, $p = @$.",
        wrong=".20",
        right=".025",
    ),
    "a correlation with too large a p": Case(
        "p-value-inconsistent",
        "Ratings and lengths go together, r(98) = .50, p = @.",
        wrong=".40",
        right="1.6e-7",
        markdown=True,
    ),
    "a chi-squared with the degrees of freedom of another": Case(
        "p-value-inconsistent",
        r"{tested} The groups differ, $\chi^2(@) = 7.45$, $p = .006$.",
        wrong="3",
        right="1",
    ),
    "a t that is not the estimate by its standard error": Case(
        "p-value-inconsistent",
        r"""\begin{table}\begin{tabular}{lrrrr}\toprule Term & Estimate & SE & t & p \\ \midrule
Length & 2.10 & @ & 2.10 & .038 \\
Depth & 0.50 & 0.10 & 5.00 & $<$ .001 \\ \bottomrule\end{tabular}
\caption{Linear model, 120 residual degrees of freedom.}\end{table}""",
        wrong="0.50",
        right="1.00",
    ),
    "the bounds of an interval the wrong way round": Case(
        "interval-inconsistent",
        r"{tested} The difference is 0.52 (95\% CI [@]).",
        wrong="0.62, 0.41",
        right="0.41, 0.62",
    ),
    "an interval without its estimate": Case(
        "interval-inconsistent",
        r"{tested} The difference is 2.1 points (95\% CI [@, 4.0]).",
        wrong="2.5",
        right="0.2",
    ),
    "an interval without zero and a large p": Case(
        "interval-level-mislabelled",
        r"{tested} The difference is 2.1 points (95\% CI [@, 3.7], $p = .30$).",
        wrong="0.5",
        right="-1.9",
    ),
    "bold beside a better number": Case(
        "marking-not-best",
        r"""{tested}
\begin{table}\begin{tabular}{lrr}\toprule System & SST-2 & MNLI \\ \midrule
Baseline & 90.1 & 84.2 \\ Ours & \textbf{91.2} & \textbf{@} \\ \bottomrule\end{tabular}
\caption{Accuracy (\%). Best in bold.}\end{table}""",
        wrong="83.0",
        right="85.0",
    ),
    "bold, and no test": Case(
        "bold-without-test",
        r"""We fine-tune our model with 5 random seeds@. Ours outperforms the baseline.
\begin{table}\begin{tabular}{lrr}\toprule System & SST-2 & MNLI \\ \midrule
Baseline & 90.1 & 84.2 \\ Ours & \textbf{91.2} & \textbf{85.0} \\ \bottomrule\end{tabular}
\caption{Accuracy (\%). Best in bold.}\end{table}""",
        wrong="",
        right=" and compare by a paired bootstrap test",
    ),
    "an average that is not the mean of its row": Case(
        "average-does-not-follow",
        r"""{tested}
\begin{table}\begin{tabular}{lrrrr}\toprule System & SST-2 & MNLI & QNLI & Avg. \\ \midrule
Baseline & 90.1 & 84.2 & 91.0 & 88.4 \\ Ours & 91.2 & 85.0 & 91.9 & @ \\ \bottomrule\end{tabular}
\caption{Accuracy (\%).}\end{table}""",
        wrong="93.4",
        right="89.4",
    ),
    "an open place": Case(
        "placeholder-left",
        "{tested} Ours is better than the baseline by @ points.",
        wrong="XX.X",
        right="12.3",
    ),
    "a p-value of zero": Case(
        "p-value-impossible",
        "{tested} Ours is better than the baseline ($p @ .001$).",
        wrong="= .000, not",
        right="<",
    ),
    "a coefficient and a t of different signs": Case(
        "signs-differ",
        "{tested} Speed rose with group size ($b = @$, $SE = 0.2$, $t = -10.8$, $p < .001$).",
        wrong="2.1",
        right="-2.1",
    ),
    "partial eta squared that is not that of its F": Case(
        "effect-size-inconsistent",
        r"{tested} Length matters, $F(2, 57) = 4.50$, $p = .015$, $\eta_p^2 = @$.",
        wrong=".24",
        right=".14",
    ),
    "an abstract that was not updated": Case(
        "abstract-number-differs",
        r"""\begin{abstract}Our parser reaches @ LAS on the English treebank, 2.1 points above the baseline.
\end{abstract}
{tested} \section{Conclusion}
Our parser reaches 91.7 LAS on the English treebank, 2.1 points above the baseline.""",
        wrong="91.4",
        right="91.7",
    ),
    "shares that are more than all": Case(
        "percentages-do-not-sum",
        r"""\begin{table}\begin{tabular}{lrr}\toprule Kind of error & Count & Share (\%) \\ \midrule
Names & 45 & 45.0 \\ Numbers & 30 & @ \\ Negation & 25 & 25.0 \\ Total & 100 & 100.0 \\ \bottomrule\end{tabular}
\caption{Errors.}\end{table}""",
        wrong="35.0",
        right="30.0",
    ),
    "significant without a test": Case(
        "significance-unqualified",
        "We evaluate on SST-2. Our system is significantly better than the baseline@.",
        wrong="",
        right=" (paired bootstrap test, $p = .003$)",
    ),
    "three p-values and no word on correction": Case(
        "correction-unstated",
        """| Dataset | Difference | p |
|---|---|---|
| books | 1.0 | .010 |
| films | 0.3 | .200 |
| games | 2.0 | .003 |

Table: Differences of the means, sign-flip test by instance, two-sided@.
""",
        wrong="",
        right=", adjusted by Holm's method",
        markdown=True,
    ),
    "a spread of something": Case(
        "spread-undefined",
        r"{tested} Ours reaches $91.2 \pm 0.4$@, and the baseline $90.1 \pm 0.3$.",
        wrong="",
        right=" (mean and standard deviation over the 5 seeds)",
    ),
    "the best of several runs": Case(
        "runs-unstated",
        "We fine-tune our model and compare it with the baseline by a bootstrap test. We report the @ of five seeds.",
        wrong="best",
        right="mean",
    ),
    "BLEU of an unknown kind": Case(
        "metric-version-missing",
        r"""{tested} @
\begin{table}\begin{tabular}{lrr}\toprule System & BLEU de & BLEU fr \\ \midrule
Baseline & 28.4 & 38.1 \\ Ours & 29.0 & 38.2 \\ \bottomrule\end{tabular}
\caption{Translation into German and French.}\end{table}""",
        wrong="We compute BLEU.",
        right=r"We compute BLEU by sacreBLEU 2.3.1 (nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp).",
    ),
    "a score that is not the one of the results": Case(
        "table-number-differs",
        r"""\begin{table}\begin{tabular}{lrrrr}\toprule System & books & films & games & music \\ \midrule
base & 33.3 & 33.3 & 40.0 & 48.3 \\ ours & 83.3 & @ & 73.3 & 51.7 \\ \bottomrule\end{tabular}
\caption{Accuracy (\%).}\end{table}""",
        wrong="88.0",
        right="80.0",
        results=BY_DATASET,
    ),
    "a claim about more datasets than the results support": Case(
        "claim-beyond-analysis",
        "Ours is significantly better than base on @ four datasets (exact McNemar test, Holm's method).",
        wrong="all",
        right="at least three of",
        results=BY_DATASET,
    ),
    "a mark that no test supports": Case(
        "naive-count",
        r"""\begin{table}\begin{tabular}{lrrrr}\toprule System & books & films & games & music \\ \midrule
base & 33.3 & 33.3 & 40.0 & 48.3 \\
ours & 83.3$^\dagger$ & 80.0$^\dagger$ & 73.3$^\dagger$ & 51.7@ \\ \bottomrule\end{tabular}
\caption{Accuracy (\%). $\dagger$: significantly better than base (exact McNemar test, $p < .05$,
Holm-adjusted).}\end{table}""",
        wrong=r"$^\dagger$",
        right="",
        results=BY_DATASET,
    ),
    "bold that no test supports": Case(
        "naive-count",
        r"""\begin{table}\begin{tabular}{lrrrr}\toprule System & books & films & games & music \\ \midrule
base & 33.3 & 33.3 & 40.0 & 48.3 \\
ours & \textbf{83.3} & \textbf{80.0} & \textbf{73.3} & @ \\ \bottomrule\end{tabular}
\caption{Accuracy (\%). Bold: significantly better than base (exact McNemar test, Holm-adjusted).}\end{table}""",
        wrong=r"\textbf{51.7}",
        right="51.7",
        results=BY_DATASET,
    ),
    "a sentence with a score that is not the one of the results": Case(
        "prose-number-differs",
        "On films, ours reaches an accuracy of @\\%.",
        wrong="83.0",
        right="80.0",
        results=BY_DATASET,
    ),
}


def checked(case: Case, text: str, folder) -> list[tuple[str, str]]:
    """Codes and messages of what `reportkit check` finds in a paper, as its JSON says them."""
    paper = folder / ("paper.md" if case.markdown else "paper.tex")
    text = text.replace("{tested}", TESTED)
    if not case.markdown:
        text = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{text}\n\\end{{document}}\n"
    paper.write_text(text, encoding="utf-8")
    command = ["check", paper.name, "--output-format", "json"]
    if case.results is not None:
        rows = [
            f"{system},{dataset},{dataset}-{number},{int(answered)}"
            for dataset, (ours, base) in case.results.items()
            for number, place in enumerate(np.random.default_rng(4).permutation(60))  # neighbours are not alike
            for system, answered in (("ours", place < ours), ("base", place >= 60 - base))
        ]
        (folder / "results.csv").write_text("\n".join(["system,dataset,instance,score", *rows, ""]), encoding="utf-8")
        command += ["--data", "results.csv"]
    done = run_command(*command, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    return [(item["code"], item["message"]) for item in json.loads(done.stdout)["findings"]]


def test_there_are_26_of_each():
    """Every case has a mistake, and every rule of a case a code."""
    assert len(CASES) == 26
    assert all(case.wrong != case.right and case.text.count("@") == 1 for case in CASES.values())
    assert {case.rule for case in CASES.values()} == CODES.keys()


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_found(name, tmp_path):
    """One finding, of its rule."""
    case = CASES[name]
    found = checked(case, case.text.replace("@", case.wrong), tmp_path)
    assert [code for code, _ in found] == [CODES[case.rule]], found


@pytest.mark.parametrize("name", CASES)
def test_the_same_made_right_is_left_alone(name, tmp_path):
    """No finding of any rule."""
    case = CASES[name]
    assert checked(case, case.text.replace("@", case.right), tmp_path) == []
