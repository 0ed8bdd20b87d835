"""The tables of the study, from its files: for the page as Markdown, for the paper as LaTeX."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cautions
import study
from scipy.stats import binom

from reportkit.report.model import Cell, Column, Row, Table
from reportkit.report.prose import text

OURS = "reportkit"
CHANCE = 0.0005
"""An excess counts where so many rejections, or more, are less probable than this at the level."""

FEWEST = 250
"""Samples below which a method is not shown: it was left out of most of a design, whose samples differ in size."""

HELD, NEVER = "yes", "no"
"""Whether a level is held at every n, and where it is not even at the largest."""

LEVELS = {"05": 0.05, "01": 0.01, "holm20": 0.05 / 20, "holm80": 0.05 / 80}
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Found:
    """One cell and one method: where it stands, and what was counted."""

    group: str
    design: str
    scores: str
    n: int
    effect: str
    method: str
    counts: Counts

    @property
    def draws(self) -> int:
        """Samples drawn."""
        return self.counts["draws"]

    def count(self, level: str, what: str = "") -> int:
        """Rejections in the direction with more of them; `what` is "" or "silent_"."""
        return max(self.counts[f"{what}{side}_{level}"] for side in "ab")

    def rate(self, level: str = "05", what: str = "") -> float:
        """Share of rejections in the direction with more of them."""
        return self.count(level, what) / self.draws

    def exceeds(self, level: str = "05", what: str = "") -> bool:
        """Whether there are more rejections than a test of this level gives by chance."""
        return bool(binom.sf(self.count(level, what) - 1, self.draws, LEVELS[level]) < CHANCE)

    @property
    def tests(self) -> Mapping[str, int]:
        """How often each test was the default."""
        named = (entry.rpartition(":") for entry in str(self.counts["tests"]).split())
        return {name: int(number) for name, _, number in named}

    @property
    def covered(self) -> float | None:
        """Share of intervals that hold the truth."""
        known = self.counts["intervals"]
        return 1 - (self.counts["above"] + self.counts["below"]) / known if known else None

    @property
    def misses(self) -> bool:
        """Whether fewer 95% intervals hold the truth than by chance."""
        known = self.counts["intervals"]
        return bool(known and binom.sf(self.counts["above"] + self.counts["below"] - 1, known, 0.05) < CHANCE)


def _rare(one: Found) -> bool:
    return one.scores.startswith(("99%", "90% gains"))


CLASSES: dict[str, Callable[[Found], bool]] = {
    "Means, symmetric": lambda one: one.group == "means" and one.scores.startswith("symmetric"),
    "Means, skewed": lambda one: one.group == "means" and ("skewed" in one.scores or "N(-.9" in one.scores),
    "Means, sparse": lambda one: one.group == "means" and one.scores.startswith("sparse"),
    "Means, rare losses": lambda one: one.group == "means" and _rare(one),
    "Means, partial credit": lambda one: one.scores == "partial credit",
    "Right or wrong": lambda one: one.group == "right or wrong",
    "Ratings and counts": lambda one: one.group == "ratings and counts",
    "Clusters, equally large": lambda one: one.design == "clusters of 5",
    "Clusters, sizes matter": lambda one: one.design == "clusters of 2 or 30",
    "Clusters, one in ten fails": lambda one: one.design == "clusters of 4",
    "F1 of the test set": lambda one: one.group == "corpus metrics",
    "Correlations with gold": lambda one: one.group == "correlations" and one.scores != "contaminated",
    "Correlations, contaminated": lambda one: one.scores == "contaminated",
    "Runs, normal": lambda one: one.group == "runs" and one.design.endswith("runs") and one.scores == "normal",
    "Runs, one in 7 collapses": lambda one: "collapses" in one.scores,
    "One score per run": lambda one: one.design == "one score per run",
    "Unpaired scores": lambda one: one.group == "unpaired",
    "k of n right": lambda one: one.group == "counts of right answers",
    "Cross-validation": lambda one: one.group == "folds",
}
"""What a line of the headline table is about; a cell belongs to the first that fits."""

COMMON = {
    "t-test (SciPy)": "t-test",
    "Wilcoxon (SciPy)": "Wilcoxon",
    "bootstrap of wins (Koehn)": "wins",
    "bootstrap of wins (compare-mt)": "compare-mt",
    "paired bootstrap (sacreBLEU)": "sacreBLEU bootstrap",
    "approximate randomization (sacreBLEU)": "sacreBLEU shuffling",
}
OTHERS = {
    "McNemar's chi-squared (no correction)": "McNemar's χ²",
    "Welch's t-test (SciPy)": "Welch",
    "Welch's t-test over run means (SciPy)": "Welch over runs",
    "Mann-Whitney (SciPy)": "Mann–Whitney",
    "ASO (deep-significance)": "ASO",
    "z-test of two proportions": "z-test",
    "Fisher's z, as if unpaired": "Fisher's z",
}


@cache
def tests() -> tuple[Found, ...]:
    """All rows of `results/tests.csv`."""
    return tuple(
        Found(*(row[key] for key in ("group", "design", "scores", "n", "effect", "method")), row)
        for row in study.rows("tests", study.read("tests"))
    )


def class_of(one: Found) -> str:
    """Title of the first class that a cell belongs to; "sparse and skewed" counts as sparse."""
    titles = [title for title, fits in CLASSES.items() if fits(one)]
    return "Means, sparse" if "Means, sparse" in titles else titles[0]


def nulls(method: str = OURS) -> dict[str, list[Found]]:
    """Null hypotheses by class, for one method."""
    found: dict[str, list[Found]] = {title: [] for title in CLASSES}
    for one in tests():
        if one.method == method and one.effect == "none" and one.draws >= FEWEST:
            found[class_of(one)].append(one)
    return found


def share(value: float, digits: int = 3) -> str:
    """Write a share without the zero before the point."""
    return f"{value:.{digits}f}".removeprefix("0") if value < 1 else "1"


def where_it_holds(cells: Sequence[Found], what: str = "", level: str = "05") -> str:
    """From which n on no cell exceeds the level: "yes" from the smallest on, "500+", or "no"."""
    beyond = [one.n for one in cells if one.exceeds(level, what)]
    if not beyond:
        return HELD
    later = sorted(one.n for one in cells if one.n > max(beyond))
    return f"{later[0]:,}+" if later else NEVER


def _table(name: str, caption: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], legend: str) -> Table:
    return Table(
        name=name,
        caption=text(caption),
        columns=tuple(Column.right(head) if place else Column.left(head) for place, head in enumerate(columns)),
        rows=tuple(Row(cells=tuple(row)) for row in rows),
        legend=text(legend),
    )


def _held(cells: Sequence[Found], what: str = "", *, short: bool = False) -> Cell:
    if not cells:
        return Cell.of("–")
    words = where_it_holds(cells, what)
    worst = share(max(one.rate("05", what) for one in cells), 2)
    return Cell.of(words if short else f"{words} ({worst})", bold=words != HELD)


RARELY = 0.1
"""Tests that are the default in a smaller share of the samples of a class are not named."""


def defaults(cells: Sequence[Found]) -> str:
    """The tests that reportkit chooses for most of these samples, the most frequent first."""
    chosen = sum((Counter(one.tests) for one in cells), Counter[str]())
    return ", ".join(name for name, number in chosen.most_common() if number >= RARELY * chosen.total())


def headline(*, short: bool = False) -> Table:
    """Which test holds .05, and from which n on; `short` without the names of the default tests, and without shares."""
    rows = []
    for title, cells in nulls().items():
        if not cells:
            continue
        common = [_held(nulls(method)[title], short=short) for method in COMMON]
        named = [] if short else [Cell.of(defaults(cells))]
        ours = [_held(cells, what, short=short) for what in ("", "silent_")]
        rows.append([Cell.of(title), *named, *ours, *common])
    columns = ["Scores", *([] if short else ["default test"]), OURS, "unwarned", *COMMON.values()]
    legend = (
        "yes: at every n; 500+: from n = 500 on; no: not even at the largest n. Bold: the level is exceeded beyond "
        "chance in one design at least. “Unwarned”: false claims of reportkit without a warning or a note about the "
        "size of the test."
    )
    if not short:
        legend += (
            " In brackets the largest share of false claims in one direction, over all designs and n. As the largest "
            "of many it is a little above .05 by chance even where the level is held."
        )
    caption = "Does a one-sided test of level .05 hold it, and from which n on?"
    table = _table("headline", caption, columns, rows, legend)
    return table if short else _with_words_left(table)


def verdicts(method: str, what: str = "") -> Counter[str]:
    """On how many classes a method holds .05 at every n, from some n on, and not even at the largest."""
    found = (where_it_holds(cells, what) for cells in nulls(method).values() if cells)
    return Counter(words if words in (HELD, NEVER) else "later" for words in found)


def _with_words_left(table: Table) -> Table:
    """The first two columns of a table as columns of words."""
    left = (Column.left(column.header) if place < 2 else column for place, column in enumerate(table.columns))
    return replace(table, columns=tuple(left))


def others() -> Table:
    """The same for what fits only some scores."""
    rows = []
    for method, name in OTHERS.items():
        for title, cells in nulls(method).items():
            if cells:
                rows.append([Cell.of(name), Cell.of(title), _held(cells), _held(nulls()[title])])
    legend = "As in the table before. ASO claims that a system is better where its bound on ε is below .2."
    columns = ["Test", "Scores", "Holds .05", OURS]
    return _with_words_left(_table("others", "Tests that fit some scores only.", columns, rows, legend))


def exceeding() -> list[Found]:
    """Cells in which reportkit exceeds .05 or .01, the largest excess first."""
    found = [one for cells in nulls().values() for one in cells if one.exceeds("05") or one.exceeds("01")]
    return sorted(found, key=lambda one: -one.rate())


def excess(*, short: bool = False) -> Table:
    """Where reportkit exceeds its level, and what it prints beside; `short` without the level .01."""
    together: dict[str, list[Found]] = {}
    for one in exceeding():
        together.setdefault(one.scores if one.design == "paired" else f"{one.design}: {one.scores}", []).append(one)
    rows = []
    for title, cells in together.items():
        cells.sort(key=lambda one: one.n)
        silent = any(one.exceeds("05", "silent_") or one.exceeds("01", "silent_") for one in cells)
        columns = [", ".join(f"{one.n:,}" for one in cells), ", ".join(share(one.rate(), 2) for one in cells)]
        columns += [] if short else [", ".join(share(one.rate("01"), 2) for one in cells)]
        alone = ", ".join(share(one.rate("05", "silent_"), 2) for one in cells)
        rows.append([Cell.of(title), *map(Cell.of, columns), Cell.of(alone, bold=silent)])
    legend = (
        "One number for each n. “Without a warning”: rejections at .05 beside which no warning, and no note that "
        "units are few, stands; bold where they alone exceed .05 or .01 beyond chance. 95% Monte Carlo intervals are "
        "at most "
        "±.04 wide with 500 samples, ±.02 with 2,000."
    )
    columns = ["Scores", "n", "rejected at .05", *([] if short else ["at .01"]), "without a warning"]
    return _table("excess", "Where reportkit rejects true hypotheses too often.", columns, rows, legend)


def _pooled(cells: Sequence[Found], level: str) -> tuple[int, int]:
    return sum(one.count(level) for one in cells), sum(one.draws for one in cells)


METHODS = {OURS: OURS, **COMMON}


def holm() -> Table:
    """Rejections at the first thresholds of Holm's procedure, pooled over n of 30 and more."""
    rows = []
    for title in CLASSES:
        line = [Cell.of(title)]
        for method in ("reportkit", "t-test (SciPy)", "bootstrap of wins (Koehn)"):
            cells = [one for one in nulls(method)[title] if one.n >= 30]
            for level in ("01", "holm20", "holm80"):
                count, draws = _pooled(cells, level)
                line.append(Cell.of(f"{count / draws / LEVELS[level]:.1f}" if draws else "–"))
        if any(nulls()[title]) and any(one.n >= 30 for one in nulls()[title]):
            line.append(Cell.of(f"{_pooled([one for one in nulls()[title] if one.n >= 30], '05')[1]:,}"))
            rows.append(line)
    heads = [f"{name}, {m}" for name in (OURS, "t", "wins") for m in (5, 20, 80)]
    legend = (
        "1 is nominal; the direction with more rejections in each cell, so a little above 1 is expected. Pooled "
        "over all cells with n of 30 and more; draws are those of reportkit, all cells together. A bootstrap of wins "
        "with 1,000 resamples gives either 0 or at least .001."
    )
    caption = (
        "Rejections at the first threshold of Holm’s procedure for 5, 20 and 80 hypotheses, divided by the threshold."
    )
    return _table("holm", caption, ["Scores", *heads, "draws"], rows, legend)


def intervals() -> Table:
    """Coverage of 95% intervals: the mean over the cells of a class, and the worst of them."""
    methods = {OURS: OURS, "t-test (SciPy)": "t", "bootstrap of wins (Koehn)": "percentiles"}
    rows = []
    for title in CLASSES:
        line = [Cell.of(title)]
        for method in methods:
            cells = [one for one in tests() if one.method == method and class_of(one) == title and one.n >= 10]
            known = [(one.covered, one) for one in cells if one.covered is not None]
            if not known:
                line += [Cell.of("–"), Cell.of("–")]
                continue
            mean, (worst, place) = sum(c for c, _ in known) / len(known), min(known, key=lambda item: item[0])
            line += [
                Cell.of(f"{mean:.1%}".replace("%", "")),
                Cell.of(f"{100 * worst:.1f} (n = {place.n:,})", bold=place.misses),
            ]
        rows.append(line)
    heads = [name for title in methods.values() for name in (title, "worst n")]
    legend = (
        "In percent: the mean over all designs with n of 10 and more, with and without an effect, and the worst. "
        "“Percentiles”: of a bootstrap with 1,000 resamples. Bold: below 95 beyond chance."
    )
    return _table("intervals", "How often 95% intervals hold the true difference.", ["Scores", *heads], rows, legend)


def power() -> Table:
    """Power where there is an effect, of what holds its level beside it."""
    rows = []
    for one in tests():
        if one.method != OURS or one.effect == "none" or one.n not in (10, 30, 100):
            continue
        same = {
            other.method: other
            for other in tests()
            if (other.design, other.scores, other.n, other.effect) == (one.design, one.scores, one.n, one.effect)
        }
        cells = [_power(same.get(method)) for method in METHODS]
        name = one.scores if one.design == "paired" else f"{one.design}: {one.scores}"
        rows.append([Cell.of(name), Cell.of(f"{one.n:,}"), Cell.of(one.effect), *cells])
    legend = (
        "2.5 SE: scores of the better system are higher by 2.5 standard errors of the difference. Bold: the test "
        "exceeds .05 on the same scores without an effect, so its power is not its own."
    )
    columns = ["Scores", "n", "effect", *METHODS.values()]
    return _table("power", "Power at .05, one-sided.", columns, rows, legend)


def _power(one: Found | None) -> Cell:
    if one is None:
        return Cell.of("–")
    null = next((x for x in tests() if _key(x) == (one.design, one.scores, one.n, "none", one.method)), None)
    return Cell.of(share(one.counts["a_05"] / one.draws, 2), bold=null is not None and null.exceeds())


def _key(one: Found) -> tuple[object, ...]:
    return one.design, one.scores, one.n, one.effect, one.method


def _by_need(low: int = 0, high: int = 10**9) -> Iterator[tuple[str, list[Found]]]:
    """Null hypotheses of so many instances, by whether the level is exceeded."""
    cells = [one for found in nulls().values() for one in found if low <= one.n < high]
    for title in ("exceeded", "held"):
        yield title, [one for one in cells if (title == "exceeded") is (one.exceeds("05") or one.exceeds("01"))]


def _samples_warned(cells: Sequence[Found]) -> float:
    return sum(one.counts["warned"] for one in cells) / sum(one.draws for one in cells)


def _claims_warned(cells: Sequence[Found]) -> float:
    return 1 - sum(one.count("05", "silent_") for one in cells) / max(sum(one.count("05") for one in cells), 1)


def warned() -> tuple[float, float, float]:
    """Share of false claims with a warning where the level is exceeded; of samples with one where it is held.

    The last is that of samples of 50 and more.
    """
    every, large = dict(_by_need()), dict(_by_need(50))
    return _claims_warned(every["exceeded"]), _samples_warned(every["held"]), _samples_warned(large["held"])


@cache
def _shown() -> Mapping[tuple[object, ...], Mapping[str, Mapping[str, int]]]:
    """Rows of `results/warnings.csv`: by cell, and then by warning."""
    found: dict[tuple[object, ...], dict[str, Mapping[str, int]]] = {}
    for row in study.rows("warnings", study.read("warnings")):
        found.setdefault((row["design"], row["scores"], row["n"]), {})[str(row["method"])] = row
    return found


def shown(cells: Sequence[Found], method: str) -> tuple[float, float]:
    """Shares of samples, and of false claims, beside which a warning stands, or one of its kind."""
    rows = [of for one in cells if (of := _shown().get((one.design, one.scores, one.n)))]
    draws = sum(row[OURS]["draws"] for row in rows)
    claims = warned = samples = 0
    for row in rows:
        side = max(("a_05", "b_05"), key=lambda name: row[OURS][name])
        claims += row[OURS][side]
        warned += row[method][side] if method in row else 0
        samples += row[method]["shown"] if method in row else 0
    return samples / max(draws, 1), warned / max(claims, 1)


KINDS = {cautions.SEEN: "something seen", cautions.TOO_SMALL: "too small to tell"}


def held_by_kind() -> list[float]:
    """Shares of all samples with a warning of either kind, where the level is held."""
    held = dict(_by_need())["held"]
    return [shown(held, kind)[0] for kind in KINDS]


def warnings() -> Table:
    """How often a warning about size stands where it is needed, and where it is not."""
    rows = []
    for name, low, high in (("fewer than 50", 0, 50), ("50 to 499", 50, 500), ("500 and more", 500, 10**9)):
        for need, cells in _by_need(low, high):
            if cells:
                numbers = [f"{len(cells):,}", share(_samples_warned(cells), 2), share(_claims_warned(cells), 2)]
                of_kinds = [share(shown(cells, kind)[0], 2) for kind in KINDS]
                rows.append([*map(Cell.of, (name, need, *numbers, *of_kinds))])
    heads = ["samples with a warning", "false claims with a warning", *KINDS.values()]
    legend = (
        "Warnings about the size of the test; those about power do not count. Behind, the share of samples with a "
        "warning of either kind, on the first 250 of each design: that something in the sample endangers the level, or "
        "that a sample of this size cannot show whether something does."
    )
    caption = "How often a warning is printed where the level is exceeded, and where it is held."
    return _with_words_left(
        _table("warnings", caption, ["Instances or runs", "level", "designs", *heads], rows, legend)
    )


def each_warning() -> Table:
    """Each warning: how often it stands where the level is exceeded, and where it is held."""
    every = {need: list(cells) for need, cells in _by_need()}
    codes = {code for of in _shown().values() for code in of} - {OURS, *KINDS}
    rows = []
    for code in sorted(codes, key=lambda code: -shown(every["held"], code)[0]):
        shares = [share(number, 2) for need in every for number in shown(every[need], code)]
        kind = KINDS[cautions.TOO_SMALL if code in cautions.UNSEEN else cautions.SEEN]
        rows.append([*map(Cell.of, (code, kind, *shares))])
    heads = ["exceeded: samples", "false claims", "held: samples", "false claims"]
    caption = "Each warning about the size of a test: shares of samples, and of false claims, beside which it stands."
    legend = "The first 250 samples of each null design. A sample can have several warnings."
    return _with_words_left(_table("each-warning", caption, ["Warning", "says", *heads], rows, legend))


K_HAT = {
    "counting p < .05": "count of p < .05",
    "Benjamini-Hochberg": "Benjamini–Hochberg",
    "bonferroni": "Bonferroni",
    "fisher-bonferroni": "Fisher–Bonferroni",
    "fisher": "Fisher",
    "stouffer": "Stouffer",
    "simes": "Simes",
}


@cache
def counts() -> tuple[Mapping[str, object], ...]:
    """All rows of `results/counts.csv`."""
    return tuple(study.rows("counts", study.read("counts")))


def of_counts(method: str, dependence: str | None = None) -> Iterator[Mapping[str, object]]:
    """Rows of one method."""
    return (row for row in counts() if row["method"] == method and dependence in (None, row["dependence"]))


def k_hat() -> Table:
    """Probability that a count exceeds the truth, at its worst, and how much it finds."""
    rows = []
    for method, name in K_HAT.items():
        line = [Cell.of(name)]
        for dependence in ("none", "equal", "both signs"):
            worst = max(of_counts(method, dependence), key=lambda row: int(str(row["exceeds"])))
            rate = int(str(worst["exceeds"])) / int(str(worst["draws"]))
            beyond = binom.sf(int(str(worst["exceeds"])) - 1, int(str(worst["draws"])), 0.05) < CHANCE
            line.append(Cell.of(share(rate), bold=beyond))
        for n in (5, 20):
            (row,) = (r for r in of_counts(method, "none") if (r["datasets"], r["effects"]) == (n, n // 2))
            line.append(Cell.of(f"{int(str(row['total'])) / int(str(row['draws'])):.1f}"))
        rows.append(line)
    columns = ["k̂ by", "independent", "equally correlated", "both signs", "mean, 2 of 5", "mean, 10 of 20"]
    legend = (
        "The largest share over 2 to 80 datasets, none, half or all but one with an effect of 3 standard errors, "
        "100,000 draws each; correlations of .1 to .95, and of ±.5 and ±.9. Bold: above .05. Behind: the mean count "
        "where 2 of 5, and 10 of 20, independent datasets have an effect."
    )
    return _table("k-hat", "Probability that a count of datasets exceeds the truth.", columns, rows, legend)


def _analyses(name: str, design: str, caption: str, noticed: bool) -> Table:
    """Shares of analyses with a false claim, a column for each method."""
    found: dict[tuple[object, object], dict[str, Mapping[str, object]]] = {}
    for row in study.rows("analyses", study.read("analyses")):
        if str(row["design"]).startswith(design):
            found.setdefault((row["scores"], row["n"]), {})[str(row["method"])] = row
    methods = list(dict.fromkeys(method for line in found.values() for method in line))
    rows = []
    for (scores, n), line in found.items():
        ours = line[OURS]
        draws = int(str(ours["draws"]))
        cells = [Cell.of(str(scores)), Cell.of(f"{n:,}"), Cell.of(f"{draws:,}")]
        if noticed:
            cells.append(Cell.of(share(int(str(ours["noticed"])) / draws, 2)))
        for method in methods:
            claimed = int(str(line[method]["claimed"]))
            beyond = bool(binom.sf(claimed - 1, draws, 0.05) < CHANCE)
            cells.append(Cell.of(share(claimed / draws, 2), bold=beyond))
        rows.append(cells)
    columns = ["Scores", "n", "draws", *(["noticed"] if noticed else []), *methods]
    return _table(name, caption, columns, rows, "Bold: above .05 beyond chance.")


def declared() -> Table:
    """Datasets that are declared independent and are not."""
    caption = (
        "Six datasets that share instances and are declared independent: how often that is noticed, and how often one "
        "of two equally good systems is said to be better on one dataset or more."
    )
    return _analyses("declared", "six", caption, True)


def across() -> Table:
    """One score of each of four systems on each dataset."""
    caption = "Four equally good systems, one score per dataset (n datasets): how often any two are said to differ."
    return _analyses("across", "four", caption, False)


TABLES: dict[str, Callable[[], Table]] = {
    "headline": headline,
    "excess": excess,
    "warnings": warnings,
    "each-warning": each_warning,
    "others": others,
    "holm": holm,
    "intervals": intervals,
    "power": power,
    "k-hat": k_hat,
    "declared": declared,
    "across": across,
}
