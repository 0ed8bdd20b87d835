"""The named calls of the contract, room by room: what a user asks, of small invented results and of real ones.

Each call takes the seed of its random draws, so that a number that depends on them can be told from one that does not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from tests.conftest import ROOT
from tests.contract import doors, frames
from tests.contract.doors import Seen
from tests.contract.frames import FEW, THREE

Call = Callable[[int], Seen]
Rooms = dict[str, dict[str, Call]]

SHARED = Path(os.environ.get("REPORTKIT_SHARED", ROOT.parent / "shared"))
EXAMPLES = ROOT / "examples"
NEW_OLD = ("new", "old")


def claim(source: pd.DataFrame | Path, *systems: str, counted: bool = True, **options: Any) -> Call:
    """Compare, and see k-hat and all outcomes."""
    return lambda rng: doors.observe(doors.compare(source, *systems, rng=rng, **options), counted=counted)


def beyond(ask: Callable[..., Seen], frame: pd.DataFrame, asked: dict[str, Any], **options: Any) -> Call:
    """Compare new and old, and ask the analysis one thing more."""
    return lambda rng: ask(doors.compare(frame, *NEW_OLD, rng=rng, **options), **asked)


BINARY, BINARY_3 = frames.right_or_wrong(), frames.right_or_wrong(THREE, datasets=FEW)
CONTINUOUS, CONTINUOUS_3 = frames.continuous(), frames.continuous(THREE, datasets=FEW)

PAIRED: dict[str, Call] = {
    "right or wrong: declared claim": claim(BINARY, *NEW_OLD),
    "right or wrong: both directions": claim(BINARY),
    "right or wrong: two-sided": claim(BINARY, *NEW_OLD, alternative="two-sided"),
    "right or wrong: level .01": claim(BINARY, *NEW_OLD, alpha=0.01),
    "right or wrong: baseline": claim(BINARY_3, baseline="old"),
    "right or wrong: all pairs": claim(BINARY_3),
    "right or wrong: one dataset": claim(frames.right_or_wrong(datasets=["tweets"]), *NEW_OLD),
    "right or wrong: 3,000 instances": claim(frames.right_or_wrong(n=3000), *NEW_OLD),
    "right or wrong: 7 instances": claim(frames.right_or_wrong(n=7), *NEW_OLD),
    "right or wrong: in percent": claim(BINARY.assign(score=100 * BINARY["score"]), *NEW_OLD),
    "right or wrong: identical": claim(frames.identical(BINARY), *NEW_OLD),
    "right or wrong: some missing, dropped": claim(frames.without(BINARY), *NEW_OLD, missing="drop"),
    "right or wrong: some missing, worst": claim(frames.without(BINARY), *NEW_OLD, missing="worst"),
    "right or wrong: clusters": claim(frames.clusters(binary=True), *NEW_OLD),
    "ratings: declared claim": claim(frames.ratings(), *NEW_OLD, kind="ordinal"),
    "ratings: all pairs": claim(frames.ratings(THREE, datasets=FEW), kind="ordinal"),
    "ratings: three raters": claim(frames.raters(), *NEW_OLD, kind="ordinal"),
    "one decimal: declared claim": claim(frames.one_decimal(), *NEW_OLD),
    "one decimal: baseline": claim(frames.one_decimal(THREE, datasets=FEW), baseline="old"),
    "one decimal: all pairs": claim(frames.one_decimal(THREE, datasets=FEW)),
    "continuous: declared claim": claim(CONTINUOUS, *NEW_OLD),
    "continuous: both directions": claim(CONTINUOUS),
    "continuous: two-sided at .01": claim(CONTINUOUS, *NEW_OLD, alternative="two-sided", alpha=0.01),
    "continuous: baseline": claim(CONTINUOUS_3, baseline="old"),
    "continuous: all pairs": claim(CONTINUOUS_3),
    "continuous: 12 instances": claim(frames.continuous(n=12), *NEW_OLD),
    "continuous: 1,000 instances": claim(frames.continuous(n=1000), *NEW_OLD),
    "continuous: some missing, dropped": claim(frames.without(CONTINUOUS), *NEW_OLD, missing="drop"),
    "continuous: identical": claim(frames.identical(CONTINUOUS), *NEW_OLD),
    "heavy tails: declared claim": claim(frames.heavy_tailed(), *NEW_OLD),
    "skewed: lower is better": claim(frames.skewed(), *NEW_OLD, higher_is_better=False),
    "skewed: baseline": claim(frames.skewed(THREE, datasets=FEW), baseline="old", higher_is_better=False),
    "counts of errors: lower is better": claim(frames.error_counts(), *NEW_OLD, kind="count", higher_is_better=False),
    "clusters: declared claim": claim(frames.clusters(), *NEW_OLD),
    "clusters: both directions": claim(frames.clusters()),
    "clusters: eight of them": claim(frames.clusters(n_clusters=8), *NEW_OLD),
    "test by name: paired t": claim(CONTINUOUS, *NEW_OLD, test="paired-t"),
    "test by name: Wilcoxon": claim(CONTINUOUS, *NEW_OLD, test="wilcoxon"),
    "test by name: paired bootstrap": claim(CONTINUOUS, *NEW_OLD, test="paired-bootstrap"),
    "profile of Dror et al.": claim(CONTINUOUS, *NEW_OLD, profile="dror2017"),
    "datasets as the sample: two systems": claim(frames.means(), *NEW_OLD, across_datasets=True, counted=False),
    "datasets as the sample: all pairs": claim(frames.means(THREE), across_datasets=True, counted=False),
}

RUNS: dict[str, Call] = {
    "runs taken as fixed: right or wrong": claim(frames.runs(), *NEW_OLD, runs="fixed"),
    "runs taken as fixed: continuous": claim(frames.runs(binary=False), *NEW_OLD, runs="fixed"),
    "folds: declared claim": claim(frames.folds(), *NEW_OLD),
    "folds: both directions": claim(frames.folds()),
    "folds: ten times ten": claim(frames.folds(n_repeats=10), *NEW_OLD),
    "folds: baseline": claim(frames.folds(THREE, datasets=FEW), baseline="old"),
}

CHANGING: dict[str, Call] = {
    "F1 of a rare class": claim(frames.rare_entities(), *NEW_OLD, metric="f1"),
    "one score per run": claim(frames.run_scores(), *NEW_OLD),
    "one score per run: three runs": claim(frames.run_scores(3), *NEW_OLD),
    "several runs by instance: right or wrong": claim(frames.runs(), *NEW_OLD),
    "several runs by instance: continuous": claim(frames.runs(binary=False), *NEW_OLD),
}


def _right(values: Any) -> Any:
    return (values > -0.3).astype(int)


UNPAIRED: dict[str, Call] = {
    "right or wrong": claim(frames.unpaired(_right), *NEW_OLD, pairing="unpaired"),
    "right or wrong: both directions": claim(frames.unpaired(_right), pairing="unpaired"),
    "right or wrong: large": claim(frames.unpaired(_right, n=(2500, 1800)), *NEW_OLD, pairing="unpaired"),
    "continuous": claim(frames.unpaired(lambda values: values), *NEW_OLD, pairing="unpaired"),
    "continuous: below 50 instances": claim(
        frames.unpaired(lambda values: values, n=(20, 14)), *NEW_OLD, pairing="unpaired"
    ),
    "continuous: baseline": claim(
        frames.unpaired(lambda values: values, systems=THREE), baseline="old", pairing="unpaired"
    ),
    "ratings": claim(
        frames.unpaired(lambda values: (3 + values).round().clip(1, 5).astype(int)),
        *NEW_OLD,
        pairing="unpaired",
        kind="ordinal",
    ),
    "k of n": claim(frames.k_of_n(), *NEW_OLD),
    "k of n: baseline": claim(frames.k_of_n(THREE), baseline="old"),
    "k of n: all pairs": claim(frames.k_of_n(THREE)),
    "k of n: large": claim(frames.k_of_n(size=4000), *NEW_OLD),
    "k of n: largest McNemar p-value": claim(frames.k_of_n(), *NEW_OLD, test="mcnemar-margins"),
}

CORPUS: dict[str, Call] = {
    "F1: declared claim": claim(frames.entities(), *NEW_OLD, metric="f1"),
    "F1: both directions": claim(frames.entities(), metric="f1"),
    "F1: baseline": claim(frames.entities(THREE, datasets=FEW), baseline="old", metric="f1"),
    "F1: approximate randomization": claim(frames.entities(), *NEW_OLD, metric="f1", test="approximate-randomization"),
    "precision and recall": claim(frames.entities(datasets=FEW), *NEW_OLD, metric=["precision", "recall"]),
    "word error rate": claim(frames.words(), *NEW_OLD, metric="wer"),
    "BLEU: declared claim": claim(frames.translations(), *NEW_OLD, metric="bleu"),
    "BLEU: all pairs": claim(frames.translations(THREE), metric="bleu", alpha=0.05),
    "Pearson: declared claim": claim(frames.similarities(), *NEW_OLD, metric="pearson"),
    "Spearman: declared claim": claim(frames.similarities(), *NEW_OLD, metric="spearman"),
    "Spearman: baseline": claim(frames.similarities(THREE), baseline="old", metric="spearman"),
    "predicted and gold labels": claim(frames.labels(), *NEW_OLD),
}

PRINTED: dict[str, Call] = {
    "p-values as printed": claim(frames.printed(), *NEW_OLD),
    "p-values, observed direction": claim(frames.printed(), *NEW_OLD, printed_reading="observed-direction"),
    "p-values, two-sided": claim(frames.printed(), *NEW_OLD, printed_reading="two-sided"),
    "p-values, independent": claim(frames.printed(), *NEW_OLD, dependence="independent"),
    "Dror et al., Table 2 (parsing)": claim(EXAMPLES / "dror2017/parsing.csv", dependence="independent"),
    "Dror et al., Table 3 (tagging)": claim(EXAMPLES / "dror2017/pos.csv", dependence="independent"),
    "Dror et al., Table 4 (sentiment)": claim(EXAMPLES / "dror2017/sentiment.csv"),
    "Dror et al., Table 5 (word similarity)": claim(EXAMPLES / "dror2017/word-similarity.csv"),
    "Sadat Azer et al., 2020": claim(
        EXAMPLES / "azer2020/results.csv", "BERT-MT-ensemble", "Reading-Strategies", dependence="independent"
    ),
}

MANY = frames.many_datasets()
TWO_METRICS = frames.two_metrics()
BOTH = ["accuracy", "fluency"]
P_VALUES = [0.0001, 0.004, 0.004, 0.011, 0.03, 0.2, 0.55, 0.9]

FAMILIES: dict[str, Call] = {
    "independent: right or wrong": claim(BINARY, *NEW_OLD, dependence="independent"),
    "independent: both directions": claim(BINARY, dependence="independent"),
    "independent: baseline": claim(CONTINUOUS_3, baseline="old", dependence="independent"),
    "independent: all pairs": claim(BINARY_3, dependence="independent"),
    "30 datasets": claim(MANY, *NEW_OLD),
    "30 datasets, independent": claim(MANY, *NEW_OLD, dependence="independent"),
    "30 datasets without any effect": claim(frames.many_datasets(0, n_datasets=12), *NEW_OLD),
    "two metrics: one family": claim(TWO_METRICS, *NEW_OLD, metric=BOTH),
    "two metrics: one after the other": claim(TWO_METRICS, *NEW_OLD, metric=BOTH, gatekeeping="serial"),
    "two metrics: by dataset": claim(TWO_METRICS, *NEW_OLD, metric=BOTH, gatekeeping="by-dataset"),
    "two metrics: the second exploratory": claim(TWO_METRICS, *NEW_OLD, metric=BOTH, gatekeeping="exploratory"),
    "two metrics: baseline": claim(frames.two_metrics(THREE), baseline="old", metric=BOTH),
    "bound for chosen datasets": beyond(doors.discoveries, BINARY, {"subsets": [["news"], ["reviews", "tweets"]]}),
    "bound for chosen datasets, independent": beyond(
        doors.discoveries, MANY, {"subsets": [[f"d{i:02}" for i in range(8)], ["d00"]]}, dependence="independent"
    ),
    "eight p-values": lambda _: doors.correct(P_VALUES),
    "eight p-values at .01": lambda _: doors.correct(P_VALUES, 0.01),
    "Friedman": lambda rng: doors.friedman(frames.means(THREE), across_datasets=True, rng=rng),
}

BAYES: dict[str, Call] = {
    "posterior: right or wrong, one point": beyond(doors.posterior, BINARY, {"rope": 0.01}),
    "posterior: right or wrong, 90% interval": beyond(doors.posterior, BINARY, {"credible_mass": 0.9}),
    "posterior: continuous": beyond(doors.posterior, CONTINUOUS, {"rope": 0.02}),
    "posterior: ratings": beyond(doors.posterior, frames.ratings(), {}, kind="ordinal"),
    "posterior: clusters": beyond(doors.posterior, frames.clusters(), {"rope": 0.1}),
    "posterior: folds": beyond(doors.posterior, frames.folds(), {"rope": 0.01}),
    "posterior: unpaired, right or wrong": beyond(
        doors.posterior, frames.unpaired(_right), {"rope": 0.02}, pairing="unpaired"
    ),
    "posterior: k of n": beyond(doors.posterior, frames.k_of_n(), {"rope": 0.01}),
    "posterior: datasets as the sample": beyond(doors.posterior, frames.means(), {"rope": 0.5}, across_datasets=True),
    "Bayes factor: better at all": beyond(doors.bayes_factor, BINARY, {}),
    "Bayes factor: better by two points": beyond(doors.bayes_factor, BINARY, {"better_by": 0.02}),
    "Bayes factor: within two points": beyond(doors.bayes_factor, frames.k_of_n(), {"equivalent_within": 0.02}),
    "Bayes factor: continuous": beyond(doors.bayes_factor, CONTINUOUS, {"prior": 0.1}),
    "four answers: better at all": beyond(doors.four_answers, BINARY, {}),
    "four answers: better by one point": beyond(doors.four_answers, BINARY, {"better_by": 0.01}),
    "four answers: within a point": beyond(doors.four_answers, CONTINUOUS, {"equivalent_within": 0.05, "prior": 0.1}),
    "four answers: Sadat Azer et al., one point": lambda rng: doors.four_answers(
        doors.compare(EXAMPLES / "azer2020/results.csv", "BERT-MT-ensemble", "Reading-Strategies", rng=rng),
        better_by=0.01,
    ),
    "hierarchical": beyond(doors.hierarchical, CONTINUOUS, {"tau_scale": 0.05}),
}

PAIR = frames.board(2)
BOARD = frames.board()


def study(frame: pd.DataFrame, *systems: str, part: str, parts: Sequence[str] = (), **options: Any) -> Call:
    """Run one part of a calibration on few replicates."""
    few = {"n_replicates": 400, "n_resamples": 199, "n_subsamples": 40, "max_tests": 2000, "n_families": 1000}
    return lambda rng: doors.calibrate(frame, *systems, part=part, parts=parts or (part,), rng=rng, **few | options)


CALIBRATION: dict[str, Call] = {
    "null: continuous": study(PAIR, "s00", "s01", part="null"),
    "null: right or wrong": study(BINARY, *NEW_OLD, part="null"),
    "joint null": study(BINARY, *NEW_OLD, part="joint_null", parts=("joint",)),
    "all pairs": study(frames.board(4), part="pairs"),
    "thresholds of gains": study(frames.board(44, step=0.007), part="thresholds", parts=("pairs",)),
    "sizes of test sets": study(PAIR, "s00", "s01", part="sizes"),
    "bins": study(BOARD[BOARD["dataset"] == "news"], part="bins", max_tests=1500),
    "domains": study(BOARD, part="domains"),
    "toy simulations of Dror et al.": study(PAIR, part="toy", parts=("null",), toy=True),
}

DIVISIONS = frames.divisions()

REPRODUCIBILITY: dict[str, Call] = {
    "many divisions of two corpora": lambda _: doors.reproducibility(DIVISIONS, *NEW_OLD),
    "many divisions, the other way round": lambda _: doors.reproducibility(DIVISIONS, "old", "new"),
    "many divisions, 90% intervals": lambda _: doors.reproducibility(DIVISIONS, *NEW_OLD, confidence_level=0.9),
    "one division": lambda _: doors.reproducibility(frames.one_division(), *NEW_OLD),
    "example: five corpora, 300 divisions": lambda _: doors.reproducibility(
        EXAMPLES / "reproducibility/estimates.csv.gz", "linear SVM", "logistic regression", metric="accuracy"
    ),
}

POWER: dict[str, Call] = {
    "how many instances: right or wrong": lambda _: doors.power(effect=0.02, accuracy=0.85),
    "how many instances: known disagreement": lambda _: doors.power(effect=0.02, discordant=0.1),
    "how many instances: two-sided at .01": lambda _: doors.power(
        effect=0.02, discordant=0.1, alternative="two-sided", alpha=0.01
    ),
    "how many instances: unpaired": lambda _: doors.power(effect=0.05, accuracy=0.7, pairing="unpaired"),
    "how many instances: continuous": lambda _: doors.power(effect=0.1, sd=1.0, power=0.9),
    "how small a difference": lambda _: doors.power(n=1000, accuracy=0.85),
    "how much power, and k-hat": lambda rng: doors.power(
        n=500, effect=[0.03, 0.05, 0.0, 0.08], discordant=0.2, rng=rng
    ),
    "how much power, and k-hat, independent": lambda rng: doors.power(
        n=500, effect=[0.03, 0.05, 0.0, 0.08], discordant=0.2, dependence="independent", rng=rng
    ),
    "clusters": lambda _: doors.power(effect=0.1, sd=1.0, design_effect=2.5, n_datasets=4),
    "pilot: smallest difference": lambda rng: doors.power(BINARY, *NEW_OLD, rng=rng),
    "pilot: power": lambda rng: doors.power(CONTINUOUS, *NEW_OLD, effect=0.04, rng=rng),
    "pilot: instances": lambda rng: doors.power(BINARY, *NEW_OLD, effect=0.08, power=0.8, rng=rng),
}


def real(name: str, *systems: str, of: Sequence[str] = (), **options: Any) -> Call:
    """Compare in real results, of some systems if they are named."""

    def call(rng: int) -> Seen:
        path = SHARED / name
        frame = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
        frame = frame[frame["system"].isin(of)] if of else frame
        return doors.observe(doors.compare(frame, *systems, rng=rng, **options))

    return call


def case(name: str, *systems: str, **options: Any) -> Call:
    """Read the files of a case, and compare."""
    return lambda rng: claim(SHARED / "cases" / name, *systems, **options)(rng)


LEXICONS = EXAMPLES / "sentiment/results.csv.gz"

EXAMPLE: dict[str, Call] = {
    "sentiment: two lexicons": claim(LEXICONS, "vader", "textblob"),
    "sentiment: two lexicons, both directions": claim(LEXICONS, systems=["vader", "textblob"]),
    "sentiment: baseline": claim(LEXICONS, baseline="afinn"),
    "sentiment: two lexicons, independent": claim(LEXICONS, "vader", "textblob", dependence="independent"),
}

BBH = "data/bbh/data.parquet"

REAL: dict[str, Call] = {
    "BIG-Bench Hard: 27 tasks, independent": real(
        BBH, "code-davinci-002-cot", "code-davinci-002-direct", dependence="independent"
    ),
    "ARC: counts alone": real("data/arc_counts/data.csv"),
    "AlpacaEval: U-shaped preferences": real(
        "data/alpaca_eval/v2.parquet", of=["claude-2.1", "claude-2", "Qwen-14B-Chat"], missing="drop"
    ),
    "SWE-bench Pro: incomplete, dropped": real(
        "data/swebench_pro/data.parquet", "claude-45sonnet-10132025", "gptoss-paper", missing="drop"
    ),
    "SWE-bench Pro: incomplete, worst": real(
        "data/swebench_pro/data.parquet", "claude-45sonnet-10132025", "gptoss-paper", missing="worst"
    ),
    "Robust 2003: average precision of 100 topics": real(
        "data/robust03/ap.parquet", of=["pircRBa1", "uwmtCR0", "THUIRr0301"]
    ),
    "compare-mt: BLEU": real("data/compare_mt/bleu_stats.parquet", of=["pbmt", "nmt"], metric="bleu"),
    "WMT 2017: BLEU against a baseline": real(
        "data/wmt17_ende/stats_bleu13a.parquet",
        baseline="LIUM-NMT.4900",
        of=["LIUM-NMT.4900", "online-A.0", "online-B.0"],
        metric="bleu",
    ),
    "WMT 2017: sentence TER, lower is better": real(
        "data/wmt17_ende/sentence.parquet",
        of=["FBK.4870", "KIT.4950"],
        metric="TER",
        higher_is_better=False,
    ),
    "sematch: Spearman": real(
        "data/sematch/data.parquet",
        "wpath",
        "path",
        metric="spearman",
        datasets=["noun_simlex"],
    ),
    "MQM: errors in documents": real(
        "data/mqm_ted/ted_error_counts.parquet",
        "ref",
        "eTranslation",
        datasets=["ted-ende"],
        columns={"cluster": "doc"},
        higher_is_better=False,
        kind="count",
    ),
    "SummEval: ratings by eight people": real("data/summeval/ratings.parquet", of=["M11", "M17"], kind="ordinal"),
    "baycomp: ten times ten folds": real(
        "data/baycomp_cv/data.parquet", "aode", "nbc", datasets=["anneal", "audiology", "ecoli", "iris"]
    ),
    "case: datasets as the sample, four systems": case("across_four/results.csv", across_datasets=True, counted=False),
    "case: a board with a tied top": case("tied-top/resolved.csv", baseline="agent08", metric="resolved"),
    "case: a candidate that is worse": lambda rng: doors.observe(
        doors.compare([SHARED / "cases/gate/candidate.csv", SHARED / "cases/gate/baseline.csv"], rng=rng)
    ),
    "case: a folder of archives": case("folder_of_zips/results"),
    "case: word error rates": case("wer/wer.csv", metric="wer", higher_is_better=False, columns={"instance": "utt"}),
}

ROOMS: Rooms = {
    "paired": PAIRED,
    "runs": RUNS,
    "unpaired": UNPAIRED,
    "corpus": CORPUS,
    "printed": PRINTED,
    "families": FAMILIES,
    "bayes": BAYES,
    "calibration": CALIBRATION,
    "reproducibility": REPRODUCIBILITY,
    "power": POWER,
    "examples": EXAMPLE,
    "real": REAL,
    "changing": CHANGING,
}
