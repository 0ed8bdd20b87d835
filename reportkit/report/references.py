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
_add(
    "book",
    "hall1992bootstrap",
    "Hall, 1992",
    author="Hall, Peter",
    title="The Bootstrap and {Edgeworth} Expansion",
    publisher="Springer",
    address="New York",
    year="1992",
)
_add(
    "article",
    "hall1988comparison",
    "Hall, 1988",
    author="Hall, Peter",
    title="Theoretical Comparison of Bootstrap Confidence Intervals",
    journal="The Annals of Statistics",
    volume="16",
    number="3",
    pages="927--953",
    year="1988",
)
_add(
    "article",
    "boschloo1970raised",
    "Boschloo, 1970",
    author="Boschloo, R. D.",
    title="Raised Conditional Level of Significance for the 2 x 2-Table when Testing the Equality of Two Probabilities",
    journal="Statistica Neerlandica",
    volume="24",
    number="1",
    pages="1--9",
    year="1970",
)
_add(
    "article",
    "newcombe1998interval",
    "Newcombe, 1998",
    author="Newcombe, Robert G.",
    title="Interval Estimation for the Difference between Independent Proportions: Comparison of Eleven Methods",
    journal="Statistics in Medicine",
    volume="17",
    number="8",
    pages="873--890",
    year="1998",
)
_add(
    "article",
    "welch1947generalization",
    "Welch, 1947",
    author="Welch, B. L.",
    title="The Generalization of `{Student}'s' Problem when Several Different Population Variances are Involved",
    journal="Biometrika",
    volume="34",
    number="1--2",
    pages="28--35",
    year="1947",
)
_add(
    "article",
    "chung2013exact",
    "Chung and Romano, 2013",
    author="Chung, EunYi and Romano, Joseph P.",
    title="Exact and Asymptotically Robust Permutation Tests",
    journal="Annals of Statistics",
    volume="41",
    number="2",
    pages="484--507",
    year="2013",
)
_add(
    "article",
    "mann1947test",
    "Mann and Whitney, 1947",
    author="Mann, H. B. and Whitney, D. R.",
    title="On a Test of Whether One of Two Random Variables is Stochastically Larger than the Other",
    journal="Annals of Mathematical Statistics",
    volume="18",
    number="1",
    pages="50--60",
    year="1947",
)
_add(
    "article",
    "brunner2000nonparametric",
    "Brunner and Munzel, 2000",
    author="Brunner, Edgar and Munzel, Ullrich",
    title="The Nonparametric {Behrens-Fisher} Problem: Asymptotic Theory and a Small-Sample Approximation",
    journal="Biometrical Journal",
    volume="42",
    number="1",
    pages="17--25",
    year="2000",
)
_add(
    "article",
    "demsar2006statistical",
    "Demšar, 2006",
    author="Demšar, Janez",
    title="Statistical Comparisons of Classifiers over Multiple Data Sets",
    journal="Journal of Machine Learning Research",
    volume="7",
    pages="1--30",
    year="2006",
)
_add(
    "article",
    "friedman1937use",
    "Friedman, 1937",
    author="Friedman, Milton",
    title="The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of Variance",
    journal="Journal of the American Statistical Association",
    volume="32",
    number="200",
    pages="675--701",
    year="1937",
)
_add(
    "article",
    "iman1980approximations",
    "Iman and Davenport, 1980",
    author="Iman, Ronald L. and Davenport, James M.",
    title="Approximations of the Critical Region of the {Friedman} Statistic",
    journal="Communications in Statistics -- Theory and Methods",
    volume="9",
    number="6",
    pages="571--595",
    year="1980",
)
_add(
    "article",
    "benavoli2016should",
    "Benavoli et al., 2016",
    author="Benavoli, Alessio and Corani, Giorgio and Mangili, Francesca",
    title="Should We Really Use Post-Hoc Tests Based on Mean-Ranks?",
    journal="Journal of Machine Learning Research",
    volume="17",
    number="5",
    pages="1--10",
    year="2016",
)
_add(
    "article",
    "hinkley1978improving",
    "Hinkley, 1978",
    author="Hinkley, David V.",
    title="Improving the Jackknife with Special Reference to Correlation Estimation",
    journal="Biometrika",
    volume="65",
    number="1",
    pages="13--21",
    year="1978",
)
_add(
    "article",
    "steiger1980tests",
    "Steiger, 1980",
    author="Steiger, James H.",
    title="Tests for Comparing Elements of a Correlation Matrix",
    journal="Psychological Bulletin",
    volume="87",
    number="2",
    pages="245--251",
    year="1980",
)
_add(
    "article",
    "williams1959comparison",
    "Williams, 1959",
    author="Williams, E. J.",
    title="The Comparison of Regression Variables",
    journal="Journal of the Royal Statistical Society, Series B",
    volume="21",
    number="2",
    pages="396--399",
    year="1959",
)
_add(
    "article",
    "dunn1969correlation",
    "Dunn and Clark, 1969",
    author="Dunn, Olive Jean and Clark, Virginia",
    title="Correlation Coefficients Measured on the Same Individuals",
    journal="Journal of the American Statistical Association",
    volume="64",
    number="325",
    pages="366--377",
    year="1969",
)
_add(
    "article",
    "meng1992comparing",
    "Meng et al., 1992",
    author="Meng, Xiao-Li and Rosenthal, Robert and Rubin, Donald B.",
    title="Comparing Correlated Correlation Coefficients",
    journal="Psychological Bulletin",
    volume="111",
    number="1",
    pages="172--175",
    year="1992",
)
_add(
    "article",
    "zou2007toward",
    "Zou, 2007",
    author="Zou, Guang Yong",
    title="Toward Using Confidence Intervals to Compare Correlations",
    journal="Psychological Methods",
    volume="12",
    number="4",
    pages="399--413",
    year="2007",
)
_add(
    "article",
    "bonett2000sample",
    "Bonett and Wright, 2000",
    author="Bonett, Douglas G. and Wright, Thomas A.",
    title="Sample Size Requirements for Estimating {Pearson}, {Kendall} and {Spearman} Correlations",
    journal="Psychometrika",
    volume="65",
    number="1",
    pages="23--28",
    year="2000",
)
_add(
    "inproceedings",
    "zmigrod2022exact",
    "Zmigrod et al., 2022",
    author="Zmigrod, Ran and Vieira, Tim and Cotterell, Ryan",
    title="Exact Paired-Permutation Testing for Structured Test Statistics",
    booktitle="Proceedings of NAACL-HLT",
    pages="4894--4902",
    year="2022",
)
_add(
    "article",
    "satterthwaite1946approximate",
    "Satterthwaite, 1946",
    author="Satterthwaite, F. E.",
    title="An Approximate Distribution of Estimates of Variance Components",
    journal="Biometrics Bulletin",
    volume="2",
    number="6",
    pages="110--114",
    year="1946",
)
_add(
    "book",
    "searle1992variance",
    "Searle et al., 1992",
    author="Searle, Shayle R. and Casella, George and McCulloch, Charles E.",
    title="Variance Components",
    publisher="Wiley",
    address="New York",
    year="1992",
)
_add(
    "article",
    "nadeau2003inference",
    "Nadeau and Bengio, 2003",
    author="Nadeau, Claude and Bengio, Yoshua",
    title="Inference for the Generalization Error",
    journal="Machine Learning",
    volume="52",
    number="3",
    pages="239--281",
    year="2003",
)
_add(
    "article",
    "bretz2009graphical",
    "Bretz et al., 2009",
    author="Bretz, Frank and Maurer, Willi and Brannath, Werner and Posch, Martin",
    title="A Graphical Approach to Sequentially Rejective Multiple Test Procedures",
    journal="Statistics in Medicine",
    volume="28",
    number="4",
    pages="586--604",
    year="2009",
)
_add(
    "article",
    "maurer2011multiple",
    "Maurer et al., 2011",
    author="Maurer, Willi and Glimm, Ekkehard and Bretz, Frank",
    title="Multiple and Repeated Testing of Primary, Coprimary, and Secondary Hypotheses",
    journal="Statistics in Biopharmaceutical Research",
    volume="3",
    number="2",
    pages="336--352",
    year="2011",
)
_add(
    "book",
    "efron1993introduction",
    "Efron and Tibshirani, 1993",
    author="Efron, Bradley and Tibshirani, Robert J.",
    title="An Introduction to the Bootstrap",
    publisher="Chapman and Hall",
    address="New York",
    year="1993",
)
_add(
    "article",
    "efron1987better",
    "Efron, 1987",
    author="Efron, Bradley",
    title="Better Bootstrap Confidence Intervals",
    journal="Journal of the American Statistical Association",
    volume="82",
    number="397",
    pages="171--185",
    year="1987",
)
_add(
    "book",
    "noreen1989computer",
    "Noreen, 1989",
    author="Noreen, Eric W.",
    title="Computer-Intensive Methods for Testing Hypotheses: An Introduction",
    publisher="Wiley",
    address="New York",
    year="1989",
)
_add(
    "inproceedings",
    "papineni2002bleu",
    "Papineni et al., 2002",
    author="Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    title="{BLEU}: A Method for Automatic Evaluation of Machine Translation",
    booktitle="Proceedings of ACL",
    pages="311--318",
    year="2002",
)
_add(
    "inproceedings",
    "post2018call",
    "Post, 2018",
    author="Post, Matt",
    title="A Call for Clarity in Reporting {BLEU} Scores",
    booktitle="Proceedings of the Third Conference on Machine Translation: Research Papers",
    pages="186--191",
    year="2018",
)
_add(
    "inproceedings",
    "popovic2015chrf",
    "Popović, 2015",
    author="Popovi{\\'c}, Maja",
    title="{chrF}: Character n-gram {F}-score for Automatic {MT} Evaluation",
    booktitle="Proceedings of the Tenth Workshop on Statistical Machine Translation",
    pages="392--395",
    year="2015",
)
_add(
    "inproceedings",
    "popovic2017chrfpp",
    "Popović, 2017",
    author="Popovi{\\'c}, Maja",
    title="{chrF++}: Words Helping Character n-grams",
    booktitle="Proceedings of the Second Conference on Machine Translation",
    pages="612--618",
    year="2017",
)
_add(
    "inproceedings",
    "snover2006ter",
    "Snover et al., 2006",
    author="Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
    title="A Study of Translation Edit Rate with Targeted Human Annotation",
    booktitle="Proceedings of AMTA",
    pages="223--231",
    year="2006",
)
_add(
    "article",
    "matthews1975comparison",
    "Matthews, 1975",
    author="Matthews, Brian W.",
    title="Comparison of the Predicted and Observed Secondary Structure of {T4} Phage Lysozyme",
    journal="Biochimica et Biophysica Acta (BBA) -- Protein Structure",
    volume="405",
    number="2",
    pages="442--451",
    year="1975",
)
_add(
    "book",
    "vanrijsbergen1979information",
    "van Rijsbergen, 1979",
    author="van Rijsbergen, C. J.",
    title="Information Retrieval",
    edition="2nd",
    publisher="Butterworths",
    address="London",
    year="1979",
)
_add(
    "article",
    "wilson1927probable",
    "Wilson, 1927",
    author="Wilson, Edwin B.",
    title="Probable Inference, the Law of Succession, and Statistical Inference",
    journal="Journal of the American Statistical Association",
    volume="22",
    number="158",
    pages="209--212",
    year="1927",
)
_add(
    "article",
    "clopper1934confidence",
    "Clopper and Pearson, 1934",
    author="Clopper, C. J. and Pearson, E. S.",
    title="The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial",
    journal="Biometrika",
    volume="26",
    number="4",
    pages="404--413",
    year="1934",
)
_add(
    "book",
    "breslow1980statistical",
    "Breslow and Day, 1980",
    author="Breslow, Norman E. and Day, Nicholas E.",
    title="Statistical Methods in Cancer Research, Volume 1: The Analysis of Case-Control Studies",
    publisher="International Agency for Research on Cancer",
    address="Lyon",
    year="1980",
)
_add(
    "article",
    "cumming2001primer",
    "Cumming and Finch, 2001",
    author="Cumming, Geoff and Finch, Sue",
    title="A Primer on the Understanding, Use, and Calculation of Confidence Intervals that Are Based on Central and "
    "Noncentral Distributions",
    journal="Educational and Psychological Measurement",
    volume="61",
    number="4",
    pages="532--574",
    year="2001",
)
_add(
    "article",
    "fieller1954some",
    "Fieller, 1954",
    author="Fieller, E. C.",
    title="Some Problems in Interval Estimation",
    journal="Journal of the Royal Statistical Society: Series B (Methodological)",
    volume="16",
    number="2",
    pages="175--185",
    year="1954",
)
_add(
    "inproceedings",
    "card2020little",
    "Card et al., 2020",
    author="Card, Dallas and Henderson, Peter and Khandelwal, Urvashi and Jia, Robin and Mahowald, Kyle and Jurafsky, "
    "Dan",
    title="With Little Power Comes Great Responsibility",
    booktitle="Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing ({EMNLP})",
    pages="9263--9274",
    year="2020",
)
_add(
    "article",
    "gelman2014beyond",
    "Gelman and Carlin, 2014",
    author="Gelman, Andrew and Carlin, John",
    title="Beyond Power Calculations: Assessing Type {S} (Sign) and Type {M} (Magnitude) Errors",
    journal="Perspectives on Psychological Science",
    volume="9",
    number="6",
    pages="641--651",
    year="2014",
)
_add(
    "article",
    "hoenig2001abuse",
    "Hoenig and Heisey, 2001",
    author="Hoenig, John M. and Heisey, Dennis M.",
    title="The Abuse of Power: The Pervasive Fallacy of Power Calculations for Data Analysis",
    journal="The American Statistician",
    volume="55",
    number="1",
    pages="19--24",
    year="2001",
)
_add(
    "article",
    "connor1987sample",
    "Connor, 1987",
    author="Connor, Robert J.",
    title="Sample Size for Testing Differences in Proportions for the Paired-Sample Design",
    journal="Biometrics",
    volume="43",
    number="1",
    pages="207--211",
    year="1987",
)
_add(
    "article",
    "schuirmann1987comparison",
    "Schuirmann, 1987",
    author="Schuirmann, Donald J.",
    title="A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of "
    "Average Bioavailability",
    journal="Journal of Pharmacokinetics and Biopharmaceutics",
    volume="15",
    number="6",
    pages="657--680",
    year="1987",
)
_add(
    "article",
    "cliff1993dominance",
    "Cliff, 1993",
    author="Cliff, Norman",
    title="Dominance Statistics: Ordinal Analyses to Answer Ordinal Questions",
    journal="Psychological Bulletin",
    volume="114",
    number="3",
    pages="494--509",
    year="1993",
)
_add(
    "article",
    "dunn1961multiple",
    "Dunn, 1961",
    author="Dunn, Olive Jean",
    title="Multiple Comparisons among Means",
    journal="Journal of the American Statistical Association",
    volume="56",
    number="293",
    pages="52--64",
    year="1961",
)
_add(
    "inproceedings",
    "agarwal2021deep",
    "Agarwal et al., 2021",
    author="Agarwal, Rishabh and Schwarzer, Max and Castro, Pablo Samuel and Courville, Aaron and Bellemare, Marc G.",
    title="Deep Reinforcement Learning at the Edge of the Statistical Precipice",
    booktitle="Advances in Neural Information Processing Systems",
    volume="34",
    year="2021",
)
_add(
    "book",
    "gelman2013bayesian",
    "Gelman et al., 2013",
    author="Gelman, Andrew and Carlin, John B. and Stern, Hal S. and Dunson, David B. and Vehtari, Aki and Rubin, "
    "Donald B.",
    title="Bayesian Data Analysis",
    edition="Third",
    publisher="Chapman and Hall/CRC",
    year="2013",
)
_add(
    "article",
    "rubin1981bayesian",
    "Rubin, 1981",
    author="Rubin, Donald B.",
    title="The {Bayesian} Bootstrap",
    journal="The Annals of Statistics",
    volume="9",
    number="1",
    pages="130--134",
    year="1981",
)
_add(
    "article",
    "corani2015bayesian",
    "Corani and Benavoli, 2015",
    author="Corani, Giorgio and Benavoli, Alessio",
    title="A {Bayesian} Approach for Comparing Cross-Validated Algorithms on Multiple Data Sets",
    journal="Machine Learning",
    volume="100",
    number="2--3",
    pages="285--304",
    year="2015",
)
