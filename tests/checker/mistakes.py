r"""Sentences and small tables with one mistake each, and the same made right.

`<<wrong||right>>` is the place of the mistake. Lines with bars are a table, with the line before as its caption;
`**x**` is bold, `__x__` underlined. Before the text stands a method with
tests and runs, unless `before` says otherwise.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from reportkit.checker.engine import CheckReport, check_documents
from reportkit.checker.paper.reading import document_of

TESTED = r"""\section{Experiments}
We fine-tune our model with 5 random seeds and compare it with the baseline by a paired bootstrap test (10,000
resamples), corrected by Holm's method."""


class Mistake(NamedTuple):
    """Code of the rule that finds it, and the text."""

    code: str
    text: str
    before: str = TESTED

    @property
    def wrong(self) -> str:
        """The paper with the mistake."""
        return latex(f"{self.before}\n\n{_PLACE.sub(lambda match: match[1], self.text)}")

    @property
    def right(self) -> str:
        """The paper with the near miss."""
        return latex(f"{self.before}\n\n{_PLACE.sub(lambda match: match[2], self.text)}")


def check_text(text: str, *, language: str = "latex", name: str = "", **more: object) -> CheckReport:
    """Check a paper that is given as text; more is for `check_documents`."""
    return check_documents([document_of(text, language=language, name=name)], **more)


_PLACE = re.compile(r"<<(.*?)\|\|(.*?)>>", re.DOTALL)


def latex(text: str) -> str:
    """Write a text with small tables as a paper in LaTeX."""
    lines: list[str] = []
    rows: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            cells = [re.sub(r"\*\*(.+?)\*\*", r"\\textbf{\1}", cell) for cell in cells]
            cells = [re.sub(r"__(.+?)__", r"\\underline{\1}", cell) for cell in cells]
            rows.append(" & ".join(cells) + r" \\")
            continue
        if rows:
            caption, width = lines.pop(), rows[0].count(" & ")
            head, *body = rows
            lines += [
                rf"\begin{{table}}\caption{{{caption}}}\begin{{tabular}}{{l{'r' * width}}}\toprule", head, r"\midrule",
                *body, r"\bottomrule\end{tabular}\end{table}",
            ]  # fmt: skip
            rows = []
        lines.append(line)
    content = "\n".join(lines)
    return "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + content + "\n\\end{document}\n"


TWO = """
Accuracy (\\%).
| System | SST-2 | MNLI |
| Baseline | 90.1 | 84.2 |
| Ours | 91.2 | 85.0 |
"""
LLAMA = """
Accuracy (\\%) on five tasks.
| System | CoLA | SST-2 | MRPC | QQP | RTE | Avg. |
| Llama-3-70B | 60.1 | 92.4 | 66.0 | 58.3 | 62.2 | 67.8 |
| GPT-4o | 61.3 | 93.0 | 67.1 | 60.0 | 61.1 | 68.5 |
| Ours (7B) | 63.2 | 93.9 | 68.6 | 61.2 | 63.6 | 70.1 |
"""

TEXTBOOK = {
    "t and p": Mistake("RK107", "Length makes no difference, $t(48) = 2.31$, $p = <<.20||.025>>$."),
    "F and p": Mistake("RK107", "The groups differ, $F(2, 57) = 1.10$, $p = <<.01||.34>>$."),
    "r and p": Mistake("RK107", "Ratings and lengths go together, $r(98) = .50$, $p <<= .40||< .001>>$."),
    "gain in points": Mistake("RK104", "Accuracy rises from 80.0 to 82.0, a gain of <<12.5||2.0>> points."),
    "relative gain called points": Mistake(
        "RK104", r"Accuracy rises from 80.0 to 88.0, a gain of <<10 points||10\%>>."
    ),
    "average of a row": Mistake(
        "RK105",
        """
Accuracy (\\%).
| System | SST-2 | MNLI | QNLI | Avg. |
| Baseline | 90.1 | 84.2 | 91.0 | 88.4 |
| Ours | 91.2 | 85.0 | 91.9 | <<93.4||89.4>> |
""",
    ),
    "bold is not best": Mistake(
        "RK103",
        """
Accuracy (\\%). Best in bold.
| System | SST-2 | MNLI |
| Baseline | 90.1 | 84.2 |
| Ours | **91.2** | **<<83.0||85.0>>** |
""",
    ),
    "impossible accuracy": Mistake("RK106", r"Of the 40 questions, our model answers <<83.3||82.5>>\% correctly."),
    "p is zero": Mistake("RK117", "Ours is better than the baseline ($p <<= .000||< .001>>$)."),
    "interval without its estimate": Mistake("RK108", r"The difference is 2.1 points (95\% CI [<<2.5||0.2>>, 4.0])."),
    "interval against p": Mistake("RK110", r"The difference is 2.1 points (95\% CI [<<0.5||-1.9>>, 3.7], $p = .30$)."),
    "p as the probability of the null": Mistake(
        "RK209",
        r"With $p = .03$, the probability <<that the null hypothesis is true is 3\%||of such a difference under the "
        r"null hypothesis is 3\%>>.",
    ),
    "equal because not significant": Mistake(
        "RK207", "The two systems do not differ ($p = .21$)<<, so they are equally good||, which leaves both open>>."
    ),
    "marginally significant": Mistake(
        "RK211", "Ours is <<marginally significantly better||better, which is not significant>> ($p = .08$)."
    ),
    "shares above all": Mistake(
        "RK122", r"Of all errors, 45\% are names, 30\% are numbers and <<35||25>>\% are negations."
    ),
    "text against table": Mistake("RK116", rf"On MNLI, ours reaches an accuracy of <<86.9||85.0>>\%.{TWO}"),
    "naive count": Mistake(
        "RK609",
        "Ours is significantly better on 61 of 100 datasets<<, without correction||, after Holm's correction>>.",
    ),
    "abstract against table": Mistake(
        "RK121",
        rf"\begin{{abstract}}Our parser reaches an accuracy of <<95.3||91.2>>\% on SST-2.\end{{abstract}}{TWO}",
    ),
    "best of five seeds": Mistake(
        "RK302",
        "We compare by a bootstrap test. We report the <<best||mean>> of five seeds.",
        r"We fine-tune our model.",
    ),
    "significant without a test": Mistake(
        "RK201", r"We evaluate on SST-2. Our system <<significantly||clearly>> outperforms the baseline.", ""
    ),
    "unpaired test": Mistake(
        "RK205",
        "Both systems answer the same questions, and we compare them by <<an unpaired||a paired>> t-test "
        "over the instances.",
    ),
    "spread of what": Mistake(
        "RK301", r"Ours reaches an accuracy of $91.2 \pm 0.4$<<|| (mean and standard deviation over the 5 seeds)>>."
    ),
}
"""22 mistakes of textbooks."""

NEWCOMER = {
    "gain against table": Mistake("RK116", f"On average, ours outperforms GPT-4o by <<6.4||1.6>> points.{LLAMA}"),
    "average against table": Mistake("RK116", f"On average, ours reaches <<71.2||70.1>> accuracy.{LLAMA}"),
    "relative gain against table": Mistake(
        "RK116",
        rf"On average, ours reaches 70.1 accuracy, a relative improvement of <<12||3.4>>\% over Llama-3-70B.{LLAMA}",
    ),
    "p is 0.000": Mistake("RK117", "Ours beats GPT-4o on SST-2 ($p <<= 0.000||< 0.001>>$)."),
    "equally good": Mistake(
        "RK207", "Ours and GPT-4o do not differ on RTE ($p = .54$)<<, so they are equally good||: we cannot tell>>."
    ),
    "cell against text": Mistake("RK116", f"On MRPC we obtain <<70.6||68.6>>.{LLAMA}"),
    "marginally": Mistake("RK211", "The gain on CoLA is <<marginally||not>> significant ($p = .12$)."),
    "t and p disagree": Mistake("RK107", "Ours is better on QQP, $t(271) = 2.10$, $p = <<.21||.037>>$."),
    "bold cell": Mistake(
        "RK103",
        """
Accuracy (\\%). Best in bold.
| System | CoLA | SST-2 | MRPC |
| Llama-3-70B | 60.1 | 92.4 | <<**66.0**||66.0>> |
| GPT-4o | 61.3 | 93.0 | 67.1 |
| Ours (7B) | **63.2** | **93.9** | <<68.6||**68.6**>> |
""",
    ),
    "cell against average": Mistake(
        "RK105",
        """
Accuracy (\\%).
| System | CoLA | SST-2 | MRPC | Avg. |
| Llama-3-70B | 60.1 | 92.4 | 66.0 | 72.8 |
| GPT-4o | 61.3 | 93.0 | 67.1 | 73.8 |
| Ours (7B) | <<71.7||63.2>> | 93.9 | 68.6 | 75.2 |
""",
    ),
    "star without a test": Mistake(
        "RK201",
        """We evaluate our system.

Accuracy (\\%). <<* significantly better than the baseline||* our own run>>.
| System | SST-2 | MNLI |
| Baseline | 90.1 | 84.2 |
| Ours | 91.2$^*$ | 85.0 |
""",
        "",
    ),
}
"""Those of a newcomer's page that a paper alone shows."""

OWN = {
    "close to": Mistake("RK211", "<<Both are||Neither is>> close to significance in the signed-rank test ($p = .31$)."),
    # arithmetic of tests
    "chi-squared with subscript": Mistake("RK107", r"The groups differ, $\chi^2_{3} = 7.45$, $p = <<.02||.059>>$."),
    "z and p": Mistake("RK107", r"A Wilcoxon test gave $z = 1.10$, $p = <<.01||.27>>$."),
    "t with df beside": Mistake("RK107", r"We used a paired $t$-test: $t = 1.40$, $df = 28$, $p = <<.03||.17>>$."),
    "not significant is": Mistake("RK107", "The effect is absent, $t(30) = 3.1$, $p <<> .05||< .01>>$."),
    "one-sided": Mistake("RK107", "In a one-tailed test, the tagger was faster, $t(40) = 1.80$, $p = <<.39||.04>>$."),
    "p of an equivalence test": Mistake(
        "RK107", "<<The systems differ||By TOST the systems are equivalent>>, $r(229) = -0.04$, $p = .015$."
    ),
    "p in a table of coefficients": Mistake(
        "RK107",
        """
Linear model, 120 residual degrees of freedom.
| Term | Estimate | SE | t | p |
| Length | 2.10 | 1.00 | 2.10 | <<.38||.038>> |
| Depth | 0.50 | 0.10 | 5.00 | .0001 |
""",
    ),
    "p above one": Mistake("RK117", "The split did not matter, $t(20) = -0.22$, $p = <<1.83||.83>>$."),
    "sign of a coefficient": Mistake("RK118", "Speed fell ($b = <<2.1||-2.1>>$, $SE = 0.2$, $t = -10.5$, $p < .001$)."),
    # intervals
    "bounds swapped": Mistake("RK108", r"The difference is 0.52 (95\% CI [<<0.62, 0.41||0.41, 0.62>>])."),
    "interval in a table": Mistake(
        "RK108",
        """
Differences in accuracy with 95\\% confidence intervals.
| Dataset | Difference | 95\\% CI |
| SST-2 | 1.1 | [0.2, 2.0] |
| MNLI | 0.8 | [<<1.1||0.1>>, 1.9] |
""",
    ),
    "interval contains zero and p is small": Mistake(
        "RK110", r"The difference is 0.9 points (95\% CI [<<-1.9||0.3>>, 3.7], $p = .004$)."
    ),
    # gains, shares and counts
    "relative reduction": Mistake(
        "RK104", r"The error rate drops from 20.0\% to 15.0\%, a relative reduction of <<33||25>>\%."
    ),
    "absolute called percent": Mistake("RK104", r"Accuracy increases by <<22||6.0>> points, from 82.0 to 88.0."),
    "points of two scores": Mistake(
        "RK104", "Ours scores 84.2 and the baseline 81.1, an improvement of <<4.1||3.1>> points."
    ),
    "k of n and its percentage": Mistake("RK119", r"In total, 131 of 300 answers (<<54.6||43.7>>\%) are correct."),
    "k/n and its percentage": Mistake("RK119", r"Ours answers 48/50 questions (<<98||96>>\%)."),
    "accuracy of n in a heading": Mistake(
        "RK106",
        """
Accuracy (\\%).
| Model | GPQA ($n=198$) | AIME ($n=30$) |
| Base | 45.5 | 33.3 |
| Ours | 47.5 | <<38.0||36.7>> |
""",
        "",
    ),
    "accuracy of n in a row": Mistake(
        "RK106",
        """
Accuracy by level.
| Level | n | Accuracy (\\%) |
| Easy | 15 | 53.3 |
| Hard | 23 | <<40.1||39.1>> |
""",
    ),
    "mean of a scale": Mistake(
        "RK106", "The 20 participants rated fluency on a 5-point Likert scale ($M = <<3.42||3.45>>$)."
    ),
    # averages and totals
    "average in the first row": Mistake(
        "RK105",
        """
Accuracy.
| Language | Model A | Model B |
| Average | <<53.71||53.64>> | <<46.29||46.36>> |
| Sicilian | 54.59 | 45.41 |
| Emilian | 56.51 | 43.49 |
| Neapolitan | 49.81 | 50.19 |
""",
    ),
    "average where rows and columns share names": Mistake(
        "RK105",
        """
Accuracy on a held-out test set.
| Classifier | Real data | CNN | MLP |
| MLP | 87.60 | 62.64 | 84.71 |
| Transformer | 82.11 | 54.23 | 76.73 |
| CNN | 73.17 | 51.15 | 67.11 |
| Average | <<80.79||80.96>> | 56.01 | 76.18 |
""",
    ),
    "average weighted by n": Mistake(
        "RK105",
        """
Accuracy (\\%) by level.
| Level | Ours | Base |
| Easy (15) | 53.3 | 40.0 |
| Medium (23) | 39.1 | 30.4 |
| Hard (10) | 40.0 | 30.0 |
| Expert (2) | 0.0 | 0.0 |
| Overall (50) | <<44.0||42.0>> | 32.0 |
""",
    ),
    "total of counts": Mistake(
        "RK105",
        """
Instances of each split.
| Split | Books | Films | Total |
| Train | 120 | 240 | 360 |
| Dev | 40 | 30 | 70 |
| Test | 55 | 62 | <<127||117>> |
| Extra | 10 | 15 | 25 |
""",
    ),
    "shares of a column": Mistake(
        "RK122",
        """
Errors.
| Kind of error | Count | Share (\\%) |
| Names | 45 | 45.0 |
| Numbers | 30 | <<35.0||30.0>> |
| Negation | 25 | 25.0 |
| Total | 100 | 100.0 |
""",
    ),
    # claims about own tables
    "best on all": Mistake(
        "RK123",
        """As the table shows, ours is the best on all datasets.

Accuracy (\\%).
| System | SST-2 | MNLI | QNLI |
| Baseline | 90.1 | <<85.6||84.2>> | 90.0 |
| Ours | 91.2 | 85.0 | 91.1 |
""",
    ),
    "largest gap": Mistake(
        "RK123",
        """The gap between ours and the baseline is largest on <<SST-2||MNLI>>.

Accuracy (\\%).
| System | SST-2 | MNLI | QNLI |
| Baseline | 90.1 | 80.2 | 90.0 |
| Ours | 91.2 | 85.0 | 91.4 |
""",
    ),
    "all drop": Mistake(
        "RK123",
        """All models drop from the clean to the noisy test set.

Accuracy (\\%) on clean and noisy test sets.
| Model | Clean | Noisy |
| NLTK | 61.0 | <<62.4||58.1>> |
| TextBlob | 58.2 | 44.0 |
| VADER | 70.3 | 61.5 |
""",
    ),
    "better on average": Mistake(
        "RK123",
        """On average, the L1 model outperforms the L2 model.

SDR (dB) on the test set.
| Model | Bass | Drums | Vocals |
| L1 | 5.1 | 6.0 | <<6.2||6.9>> |
| L2 | 5.4 | 6.1 | 6.4 |
""",
    ),
    "consistently": Mistake(
        "RK123",
        """Ours consistently outperforms GPT-4o.

F1 on four tasks.
| System | A | B | C | D |
| GPT-4o | 70.1 | <<66.8||64.8>> | 80.0 | 51.2 |
| Ours | 71.2 | 65.0 | 81.1 | 54.5 |
""",
    ),
    "highest score of a row": Mistake(
        "RK123",
        """<<CNN||MLP>> achieves the highest F1 on Books.

F1 by classifier.
| Model | Books | Films |
| CNN | 70.1 | 81.0 |
| MLP | 73.3 | 78.2 |
| SVM | 69.0 | 80.0 |
""",
    ),
    # one quantity, two numbers
    "abstract and text": Mistake(
        "RK121",
        r"""\begin{abstract}Notably, the Validator module alone corrects <<17.2||10.0>>\% of tasks that would
otherwise be submitted incorrectly.\end{abstract}
\section{Results} The Validator module alone corrects 10.0\% of incorrectly submitted tasks.""",
    ),
    "introduction and conclusion": Mistake(
        "RK121",
        r"""\section{Introduction} Our annotators agree with a Cohen's kappa of <<0.81||0.71>> on the sentiment labels.
\section{Conclusion} Cohen's kappa of our annotators on the sentiment labels is 0.71.""",
    ),
    # marks and reporting
    "underlined is not second": Mistake(
        "RK103",
        """
Accuracy (\\%). Best in bold, second best underlined.
| System | SST-2 | MNLI |
| Base | 88.0 | 80.1 |
| Large | __90.1__ | <<84.2||__84.2__>> |
| Older | 89.0 | <<__83.0__||83.0>> |
| Ours | **91.2** | **85.0** |
""",
    ),
    "significant with a size": Mistake(
        "RK201",
        "We evaluate our classifiers. Ours achieves a <<significant||clear>> gain over the baseline (86.5 vs. 84.8).",
        "",
    ),
    "spread of one run": Mistake(
        "RK301",
        r"""
Accuracy (\%), mean $\pm$ standard deviation.
| System | Runs | Accuracy |
| Base | 3 | $84.8 \pm 0.4$ |
| Ours | 1 | $86.5 \pm <<0.0||0.2>>$ |
""".replace("| Ours | 1 |", "| Ours | <<1||3>> |"),
    ),
    "runs of systems unstated": Mistake(
        "RK302",
        """We fine-tune our model with a learning rate of 1e-5 for 3 epochs<<||, and report the mean of 5 seeds>>. We
use random seed 42 to shuffle the texts. Our model outperforms the baseline (paired bootstrap test, $p = .003$).
"""
        + TWO,
        "",
    ),
    "bold without a test": Mistake(
        "RK215",
        """We prompt three agents<<||, and compare them by McNemar's test>>; our code is tested by a CI/CD pipeline. Our
agent performs better than the others.

Accuracy (\\%) of one run each. Best in bold.
| Agent | Books | Films |
| Alpha | 70.1 | 81.0 |
| Beta | 72.0 | 80.2 |
| Ours | **73.3** | **82.4** |
""",
        "",
    ),
    "significant by word alone": Mistake(
        "RK201",
        r"""\section{Classification performance}
Ours reaches 91.6\% accuracy and the baseline 88.8\%, a statistically significant improvement<<|| (McNemar's test)>>.
The difference in runtime is within our margin of error.
""",
        "",
    ),
    "placeholder": Mistake("RK115", "Ours is better than the baseline by <<XX.X||12.3>> points."),
    "coloured note": Mistake(
        "RK115",
        r"Scores lie between 1 and 9. <<\textcolor{red}{[Must be in range, check!]}||\textcolor{red}{Red} wins.>>",
    ),
}
"""40 of our own."""

ALL = {**TEXTBOOK, **NEWCOMER, **OWN}

WAYS = {
    "RK107": [
        r"The groups differed ($F_{2,57}=4.50$; $p=<<0.15||0.015>>$).",
        r"The groups differ ($\chi^2 = 7.45$, df = 1, p = <<0.06||0.006>>).",
        r"Ratings and lengths correlate ($r = .20$, $n = 100$, $p = <<.46||.046>>$).",
        r"Ratings and lengths correlate ($r = .20$, $p = <<.46||.046>>$, $n = 100$).",
    ],
    "RK108": [
        r"The difference is <<0.72||0.52>> (95\% CI: 0.41--0.62).",
        r"The mean difference is <<5.2||3.2>> points [95\% CI: 2.1, 4.3].",
        r"The hazard ratio was 0.52 (95\% CI <<0.62--0.41||0.41--0.62>>).",
    ],
    "RK110": [r"The gain is 2.1 points (95\% confidence interval <<-1.1||0.3>> to 3.9; $p = .004$)."],
    "RK104": [
        r"Accuracy improves from 80.0\% to 82.0\% (+<<3.5||2.0>>).",
        r"F1 increases by <<3.5||2.0>> points (80.0 $\rightarrow$ 82.0).",
        r"Our model improves F1 by <<3.5||2.0>> points (80.0 vs. 82.0).",
        r"Our model reaches an F1 of 82.0, outperforming the baseline (80.0) by <<3.5||2.0>> points.",
        r"Our model reaches an F1 of 82.0, which is <<3.5||2.0>> points higher than the baseline (80.0).",
        r"The error falls from 12.0\% to 9.0\% (a <<35||25>>\% relative reduction).",
        r"Accuracy increases from 40.0 to 50.0, a <<35||25>>\% relative improvement.",
        r"We reduce the number of tokens from 1200 to 900 (<<35||25>>\% fewer).",
        r"It gains <<3.5||2.0>> F1 over BERT (82.0 vs. 80.0).",
        r"This is a <<35||25>>\% relative reduction of the error, from 16.0 to 12.0.",
    ],
    "RK106": [r"The accuracy is <<83.3||82.5>>\% ($n = 40$)."],
    "RK119": [
        r"<<54.6||43.7>>\% of the answers (131 of 300) are correct.",
        r"131 out of the 300 answers, or <<54.6||43.7>>\%, are correct.",
        r"Among 300 answers, 131 were correct (<<54.6||43.7>>\%).",
        r"131 (<<54.6||43.7>>\%) of 300 participants agreed.",
        r"131 outputs (<<54.6||43.7>>\% of 300) were correct.",
        r"We checked 300 outputs, of which 131 (<<54.6||43.7>>\%) were correct.",
    ],
    "RK120": [r"Length matters, $F(2, 57) = 4.50$, $p = .015$, partial $\eta^2 = <<.24||.14>>$."],
    "RK122": [r"The errors are names (45\%), numbers (30\%) and negations (<<35||25>>\%)."],
    "RK123": [
        TWO.replace("Accuracy", "<<Baseline||Ours>> has the highest MNLI score (85.0) on this test set. Accuracy"),
    ],
    "RK116": [
        rf"Ours is ahead with <<93.2||91.2>>\% on SST-2 and 85.0\% on MNLI.{TWO}",
        rf"On MNLI, accuracy falls to <<82.4||84.2>>\% for the baseline.{TWO}",
        rf"The baseline (MNLI: <<82.4||84.2>>\%) is behind.{TWO}",
    ],
}
"""Further ways in which authors write the same."""
WRITTEN = {f"{code} {n}": Mistake(code, text) for code, texts in WAYS.items() for n, text in enumerate(texts)}
