"""Words of the field that rules look for: tests, corrections, levels, units, counts."""

from __future__ import annotations

import re


def words(*alternatives: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """One pattern of alternatives at the beginning of a word.

    Examples
    --------
    >>> bool(words("holm", "bonferroni").search("Holm-adjusted")), bool(words("holm").search("Stockholm"))
    (True, False)
    """
    return re.compile(rf"(?<![\w])(?:{'|'.join(alternatives)})", flags)


TEST = words(
    r"McNemar", r"Wilcoxon", r"signed[- ]rank", r"rank[- ]sum", r"Mann\s?[–-]+\s?Whitney", r"Friedman", r"Nemenyi",
    r"Kruskal", r"ANOVA", r"Welch['’]?s?\b", r"Steiger", r"Williams['’]?s? test", r"sign test", r"sign[- ]flip",
    r"(?:paired |unpaired |two[- ]sample |student['’]?s? |independent[- ]samples? )*[tz][- ]?tests?\b",
    r"(?:paired |stratified |non-?parametric )*bootstrap(?:ping)?"
    r"(?:[- ](?:re-?sampl\w+|tests?|significance|p\b|"
    r"hypothesis))",
    r"paired bootstrap",
    r"(?:permutation|randomi[sz]ation|significance|hypothesis|binomial|chi-squared?|χ\^?2) tests?\b",
    r"approximate randomi[sz]ation", r"almost stochastic", r"F-tests?\b", r"Fisher['’]s exact",
    r"statistical(?:ly)? test",
    r"Tukey", r"Dunnett", r"log-?rank", r"Cox (?:model|regression|"
    r"proportional)", r"Wald\b", r"likelihood[- ]ratio tests?",
    r"PERMANOVA", r"Kolmogorov", r"Shapiro", r"(?:linear )?mixed[- ]effects? (?:model|"
    r"regression)", r"post[- ]hoc (?:test|compar)",
)  # fmt: skip
"""Names of tests; a bootstrap counts if it tests."""

P_SAID = re.compile(
    r"\bp[- ]?values?\b|(?<![\w-])p\s*(?:[<≤]\s*0?\.\d|=\s*0?\.0\d*[1-9]|≪)|\bstatistical(?:ly)? (?:in)?significan|\bk̂"
    r"|\b(?:not significant|significant(?:ly)?(?: \w+)?) at (?:the )?(?:α|alpha|p|level|\d|0?\.)",
    re.IGNORECASE,
)
"""A p-value of a result, or significance in the sense of statistics; the p of dropout is none."""

LEVEL = re.compile(
    r"(?<![\w-])p\s*(?:-?\s*values?)?\s*(?:[<≤]|<=|(?:is |are )?(?:below|under|less than|smaller than|at most))|"
    r"α\s*[=<≤]"
    r"|\b(?:level|threshold)s?\s+(?:of\s+)?(?:α\s*)?[=.\d]|[.\d%]+[- ](?:significance )?level|adjusted p\b|"
    r"p\s*=\s*\d*\.\d",
    re.IGNORECASE,
)

SIDES = re.compile(
    r"\b(?:one|two|1|2|single)[- –]?(?:sided|tailed)|\bboth directions|\bdirectional|\bin (?:the|one) direction",
    re.IGNORECASE,
)

CORRECTION = words(
    r"Holm", r"Bonferroni", r"Hochberg", r"Benjamini", r"FDR\b", r"FWER\b", r"false discovery",
    r"family[- ]?wise", r"[SŠ]id[aá]k",
    r"multiplicity", r"multiple[- ](?:comparisons?|testing|tests?|hypothes\w+)", r"adjusted p",
    r"p[- ](?:values? )?adj", r"Nemenyi",
    r"Tukey", r"Dunnett", r"un(?:corrected|adjusted)", r"no corrections?\b", r"not (?:been )?(?:corrected|adjusted)",
    r"without (?:a |any )?correct\w+", r"partial conjunction", r"closed testing", r"Scheff", r"k̂",
    r"(?:correct|adjust)\w* (?:\w+ ){0,3}for (?:\w+ ){0,3}(?:comparisons|tests|hypotheses|multipl\w+|number)",
)  # fmt: skip
"""A correction for several hypotheses, or a word that there is none."""

COLLECTIONS = (
    r"(?:datasets?|data sets?|domains?|languages?|language pairs?|corpora|corpus|treebanks?|benchmarks?|tasks?|"
    r"test sets?|"
    r"collections?|genres?)"
)
"""What results are counted over."""

NUMERALS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "one": 1, "both": 2,
}  # fmt: skip
NUMERAL = rf"(?:\d{{1,3}}|{'|'.join(NUMERALS)})"


def number_of(text: str) -> int:
    """Value of a numeral in digits or in a word.

    Examples
    --------
    >>> number_of("Four"), number_of("12")
    (4, 12)
    """
    return NUMERALS.get(text.lower()) or int(text)


UNCERTAINTY = re.compile(
    r"±(?!\s?\{)|"
    r"\bplus[- ]minus\b|\b(?:confidence|credible) (?:intervals?|bounds?|limits?)|(?<![\w/-])(?-i:CIs?|HDIs?)(?![\w/-])|"
    r"\berror bars?|\bstandard errors?|\bmargins? of error|\b(?:standard deviations?|variance|std)\b[^.;]{0,40}"
    r"\b(?:runs?|seeds?|folds?|trials?|repetitions?|splits?|restarts?)\b",
    re.IGNORECASE,
)
"""What says how sure results are; the spread of data is another."""

LOWER_IS_BETTER = re.compile(
    r"\b(?:wer|cer|ter|ppl|perplexity|loss|errors?|error rate|rmse|mae|mse|ece|fid|latency|nll|brier|eer|bpc|bpb|"
    r"s?mape|mase|lpips|kid|rmsd)\b",
    re.IGNORECASE,
)
"""Metrics of which lower is better."""

HIGHER_IS_BETTER = re.compile(
    r"\b(?:acc(?:uracy|\.)?|f1|f-?score|bleu|chrf\+*|rouge(?:-?\w+)?|em|exact match|precision|recall|map|mrr|ndcg|"
    r"comet|bertscore|pearson|spearman|kendall|mcc|auc|auroc|win rate|las|uas|correlation|score|"
    r"(?:macro|micro)-?f_?1|f_1|bleu-?\d|top-?[15]|pass@\w+|hits@\w+|psnr|ssim|m?iou|dice|cider|meteor|success rate|s[di]r|si-?sdr|snr|pesq|stoi)\b",
    re.IGNORECASE,
)
"""Metrics of which higher is better."""
