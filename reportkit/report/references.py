"""The literature that reports cite: key, short form for Markdown, BibTeX entry."""

from __future__ import annotations

from dataclasses import dataclass

from reportkit.registry import Registry


@dataclass(frozen=True, slots=True)
class Entry:
    """One cited work.

    Parameters
    ----------
    key : str
        BibTeX key.
    short : str
        Author and year, for text without a bibliography.
    bibtex : str
        The whole entry.
    """

    key: str
    short: str
    bibtex: str


REFERENCES: Registry[Entry] = Registry("reference")


def _add(kind: str, key: str, short: str, **fields: str) -> None:
    width = max(map(len, fields))
    body = ",\n".join(f"  {name.ljust(width)} = {{{value}}}" for name, value in fields.items())
    REFERENCES.register(key, Entry(key, short, f"@{kind}{{{key},\n{body}\n}}\n"))


_add(
    "article",
    "dror2017replicability",
    "Dror et al., 2017",
    author="Dror, Rotem and Baumer, Gili and Bogomolov, Marina and Reichart, Roi",
    title="Replicability Analysis for Natural Language Processing: Testing Significance with Multiple Datasets",
    journal="Transactions of the Association for Computational Linguistics",
    volume="5",
    pages="471--486",
    year="2017",
)
_add(
    "inproceedings",
    "bergkirkpatrick2012empirical",
    "Berg-Kirkpatrick et al., 2012",
    author="Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan",
    title="An Empirical Investigation of Statistical Significance in {NLP}",
    booktitle="Proceedings of EMNLP-CoNLL",
    pages="995--1005",
    year="2012",
)
_add(
    "inproceedings",
    "sadatazer2020claims",
    "Sadat Azer et al., 2020",
    author="Sadat Azer, Erfan and Khashabi, Daniel and Sabharwal, Ashish and Roth, Dan",
    title="Not All Claims are Created Equal: Choosing the Right Statistical Approach to Assess Hypotheses",
    booktitle="Proceedings of ACL",
    pages="5715--5725",
    year="2020",
)
_add(
    "article",
    "benjamini2008screening",
    "Benjamini and Heller, 2008",
    author="Benjamini, Yoav and Heller, Ruth",
    title="Screening for Partial Conjunction Hypotheses",
    journal="Biometrics",
    volume="64",
    number="4",
    pages="1215--1222",
    year="2008",
)
_add(
    "article",
    "holm1979simple",
    "Holm, 1979",
    author="Holm, Sture",
    title="A Simple Sequentially Rejective Multiple Test Procedure",
    journal="Scandinavian Journal of Statistics",
    volume="6",
    number="2",
    pages="65--70",
    year="1979",
)
_add(
    "article",
    "goeman2011multiple",
    "Goeman and Solari, 2011",
    author="Goeman, Jelle J. and Solari, Aldo",
    title="Multiple Testing for Exploratory Research",
    journal="Statistical Science",
    volume="26",
    number="4",
    pages="584--597",
    year="2011",
)
_add(
    "book",
    "fisher1935design",
    "Fisher, 1935",
    author="Fisher, Ronald A.",
    title="The Design of Experiments",
    publisher="Oliver and Boyd",
    address="Edinburgh",
    year="1935",
)
_add(
    "article",
    "mcnemar1947note",
    "McNemar, 1947",
    author="McNemar, Quinn",
    title="Note on the Sampling Error of the Difference between Correlated Proportions or Percentages",
    journal="Psychometrika",
    volume="12",
    number="2",
    pages="153--157",
    year="1947",
)
_add(
    "article",
    "fagerland2013mcnemar",
    "Fagerland et al., 2013",
    author="Fagerland, Morten W. and Lydersen, Stian and Laake, Petter",
    title="The {McNemar} Test for Binary Matched-Pairs Data: Mid-p and Asymptotic are Better than Exact Conditional",
    journal="BMC Medical Research Methodology",
    volume="13",
    pages="91",
    year="2013",
)
_add(
    "article",
    "wilcoxon1945individual",
    "Wilcoxon, 1945",
    author="Wilcoxon, Frank",
    title="Individual Comparisons by Ranking Methods",
    journal="Biometrics Bulletin",
    volume="1",
    number="6",
    pages="80--83",
    year="1945",
)
_add(
    "article",
    "phipson2010permutation",
    "Phipson and Smyth, 2010",
    author="Phipson, Belinda and Smyth, Gordon K.",
    title="Permutation P-values Should Never Be Zero: Calculating Exact P-values When Permutations Are Randomly Drawn",
    journal="Statistical Applications in Genetics and Molecular Biology",
    volume="9",
    number="1",
    pages="39",
    year="2010",
)
_add(
    "article",
    "student1908probable",
    "Student, 1908",
    author="{Student}",
    title="The Probable Error of a Mean",
    journal="Biometrika",
    volume="6",
    number="1",
    pages="1--25",
    year="1908",
)
_add(
    "article",
    "dixon1946sign",
    "Dixon and Mood, 1946",
    author="Dixon, W. J. and Mood, A. M.",
    title="The Statistical Sign Test",
    journal="Journal of the American Statistical Association",
    volume="41",
    number="236",
    pages="557--566",
    year="1946",
)
_add(
    "article",
    "cameron2015practitioner",
    "Cameron and Miller, 2015",
    author="Cameron, A. Colin and Miller, Douglas L.",
    title="A Practitioner's Guide to Cluster-Robust Inference",
    journal="Journal of Human Resources",
    volume="50",
    number="2",
    pages="317--372",
    year="2015",
)
_add(
    "article",
    "tango1998equivalence",
    "Tango, 1998",
    author="Tango, Toshiro",
    title="Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample Design",
    journal="Statistics in Medicine",
    volume="17",
    number="8",
    pages="891--908",
    year="1998",
)
