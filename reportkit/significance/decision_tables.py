"""Which test for which data: the decision tables, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportkit.scores.choices import Kind
from reportkit.scores.shapes.sample import Shape
from reportkit.settings import Profile
from reportkit.significance.cautions import FEW
from reportkit.significance.tests.boschloo import MOST_TABLES

if TYPE_CHECKING:
    from reportkit.significance.choose import Design


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row of a decision table: conditions, all of which must hold, and the test they lead to.

    Parameters
    ----------
    row : int
        Number of the row; rows keep their numbers when others are added between them.
    test : str
        Name in the registry of tests.
    reason : str
        Why, as a clause: "scores are right or wrong, and paired".
    identical, clustered, weighted, skewed, rated : bool, optional
        What the design has to be; None if it does not matter.
    kinds : frozenset of str, optional
        Which kinds of scores the row is for; None for all.
    shape : str, optional
        Which shape of results the row is for; None for all.
    unit : str, optional
        Which unit the row is for; None for all.
    constant, few_differ, beyond_half : bool, optional
        As for the flags above.
    fewest_units, most_units : int, optional
        Bounds, inclusive, on the number of independent units.
    most_tables : int, optional
        Bound, inclusive, on the number of tables.
    """

    row: int
    test: str
    reason: str
    identical: bool | None = None
    clustered: bool | None = None
    weighted: bool | None = None
    skewed: bool | None = None
    rated: bool | None = None
    kinds: frozenset[Kind] | None = None
    shape: Shape | None = "paired"
    unit: str | None = None
    constant: bool | None = None
    few_differ: bool | None = None
    beyond_half: bool | None = None
    fewest_units: int | None = None
    most_units: int | None = None
    most_tables: int | None = None

    def matches(self, design: Design) -> bool:
        """Whether all conditions hold."""
        flags = (
            (self.shape, design.shape),
            (self.identical, design.identical),
            (self.clustered, design.clustered),
            (self.weighted, design.weighted),
            (self.skewed, design.skewed),
            (self.rated, design.rated),
            (self.unit, design.unit),
            (self.constant, design.constant),
            (self.few_differ, design.few_differ),
            (self.beyond_half, design.beyond_half),
        )
        fits = all(wanted is None or wanted == found for wanted, found in flags)
        enough = self.fewest_units is None or design.n_units >= self.fewest_units
        few = self.most_units is None or design.n_units <= self.most_units
        few = few and (self.most_tables is None or design.n_tables <= self.most_tables)
        return fits and enough and few and (self.kinds is None or design.kind in self.kinds)


_ORDINAL: frozenset[Kind] = frozenset({"ordinal"})
_BINARY: frozenset[Kind] = frozenset({"binary"})
_CONTINUOUS: frozenset[Kind] = frozenset({"continuous"})
_COUNT: frozenset[Kind] = frozenset({"count"})

_IDENTICAL = Rule(
    row=1, test="identical", shape=None, identical=True, reason="the two systems score the same on every instance"
)

_REPEATED: tuple[Rule, ...] = (
    Rule(
        row=2,
        test="two-way-t",
        shape="runs",
        reason="there are several runs of a system, and the claim is about the systems trained anew",
    ),
    Rule(
        row=2,
        test="mann-whitney-seeds",
        shape="run-scores",
        constant=True,
        reason="there is one score per run, and the runs of neither system differ",
    ),
    Rule(
        row=2,
        test="welch-seeds",
        shape="run-scores",
        reason="there is one score per run, and instances are not known",
    ),
    Rule(
        row=15,
        test="corrected-resampled-t",
        shape="folds",
        reason="there is one score per fold of a cross-validation, whose training sets overlap",
    ),
)
"""Rows of both profiles for runs and folds; with fixed seeds, row 3, scores are averaged and the rows 4 to 10 apply."""

_UNPAIRED: tuple[Rule, ...] = (
    Rule(
        row=11,
        test="boschloo",
        shape="unpaired",
        kinds=_BINARY,
        most_tables=MOST_TABLES,
        reason="scores are right or wrong, and each system has instances of its own",
    ),
    Rule(
        row=11,
        test="fisher-exact",
        shape="unpaired",
        kinds=_BINARY,
        reason="scores are right or wrong, each system has instances of its own, and they are too many for Boschloo's "
        "test",
    ),
    Rule(
        row=12,
        test="mann-whitney",
        shape="unpaired",
        kinds=_ORDINAL,
        reason="scores are ordinal, so only which is higher counts, and each system has instances of its own",
    ),
    Rule(
        row=12,
        test="studentised-permutation",
        shape="unpaired",
        most_units=1,
        reason="each system has instances of its own, one of them has a single one, and the claim is about the mean",
    ),
    Rule(
        row=12,
        test="studentised-permutation",
        shape="unpaired",
        constant=True,
        reason="each system has instances of its own, and the scores of neither vary",
    ),
    Rule(
        row=12,
        test="welch-permutation",
        shape="unpaired",
        most_units=FEW - 1,
        reason="each system has instances of its own, one of them few, and the claim is about the mean",
    ),
    Rule(
        row=12,
        test="welch",
        shape="unpaired",
        reason="each system has instances of its own, and the claim is about the mean",
    ),
    Rule(
        row=13,
        test="aggregate-boschloo",
        shape="counts",
        most_tables=MOST_TABLES,
        reason="only numbers of right answers are known",
    ),
    Rule(
        row=13,
        test="aggregate-fisher",
        shape="counts",
        reason="only numbers of right answers are known, and they are too large for Boschloo's test",
    ),
)

_UNPAIRED_IN_PRINT: tuple[Rule, ...] = (
    Rule(
        row=11,
        test="pooled-z",
        shape="unpaired",
        kinds=_BINARY,
        reason="scores are right or wrong, and each system has instances of its own",
    ),
    Rule(
        row=12,
        test="mann-whitney",
        shape="unpaired",
        reason="scores can be ordered, and each system has instances of its own",
    ),
    Rule(
        row=13,
        test="aggregate-z",
        shape="counts",
        reason="only numbers of right answers are known",
    ),
)

_CORPUS = "the metric is a function of sums over all instances"
_FEW_UNITS = 19
"""With so few independent units or fewer, resamples of them say little."""

DECISION_TABLES: Mapping[Profile, tuple[Rule, ...]] = {
    "recommended": (
        _IDENTICAL,
        *_REPEATED,
        Rule(
            row=6,
            test="approximate-randomization",
            shape="corpus",
            few_differ=True,
            reason=f"{_CORPUS}, and the systems differ on too few for a bootstrap",
        ),
        Rule(
            row=6,
            test="approximate-randomization",
            shape="corpus",
            beyond_half=True,
            reason=f"{_CORPUS}, and the difference is more than half of its range, which no resample can double",
        ),
        Rule(
            row=6,
            test="approximate-randomization",
            shape="corpus",
            constant=True,
            most_units=_FEW_UNITS,
            reason=f"{_CORPUS}, there are too few for a bootstrap, and they hold no information on the variance",
        ),
        Rule(
            row=6,
            test="corpus-jackknife-t",
            shape="corpus",
            most_units=_FEW_UNITS,
            reason=f"{_CORPUS}, and there are too few for a bootstrap",
        ),
        Rule(row=6, test="corpus-bootstrap", shape="corpus", reason=_CORPUS),
        Rule(
            row=7,
            test="correlation-jackknife-t",
            clustered=True,
            shape="correlation",
            reason="predictions are paired and judged by their correlation with a gold score, and instances nest in "
            "clusters, which are left out whole",
        ),
        Rule(
            row=7,
            test="correlation-jackknife-t",
            shape="correlation",
            reason="predictions are paired, and judged by their correlation with a gold score",
        ),
        Rule(
            row=14,
            test="sign-flip",
            unit="dataset",
            reason="there is one score per system and dataset, and the claim is about the mean over datasets",
        ),
        Rule(
            row=4,
            test="sign-test",
            clustered=True,
            rated=True,
            kinds=_ORDINAL,
            reason="scores are ordinal, so only who scores better counts, and the ratings of an instance are not "
            "independent of each other, so their signs are flipped together",
        ),
        Rule(
            row=4,
            test="bootstrap-t",
            clustered=True,
            skewed=True,
            rated=True,
            reason="the ratings of an instance are not independent of each other, so instances are drawn with all "
            "their ratings, and differences are skewed",
        ),
        Rule(
            row=4,
            test="sign-flip",
            clustered=True,
            rated=True,
            reason="the ratings of an instance are not independent of each other, so they are flipped together",
        ),
        Rule(
            row=4,
            test="sign-test",
            clustered=True,
            kinds=_ORDINAL,
            reason="scores are ordinal, so only who scores better counts, and instances nest in clusters, "
            "whose signs are flipped together",
        ),
        Rule(
            row=4,
            test="bootstrap-t",
            clustered=True,
            skewed=True,
            reason="instances nest in clusters, which we draw as wholes, and their differences are skewed",
        ),
        Rule(
            row=4,
            test="sign-flip",
            clustered=True,
            reason="instances nest in clusters, which we permute as wholes",
        ),
        Rule(
            row=9,
            test="sign-test",
            weighted=True,
            kinds=_ORDINAL,
            reason="scores are ordinal, paired and weighted, so only who scores better counts",
        ),
        Rule(
            row=8,
            test="bootstrap-t",
            weighted=True,
            skewed=True,
            reason="instances are paired and weighted, the claim is about the weighted mean, and differences are "
            "skewed",
        ),
        Rule(
            row=8,
            test="sign-flip",
            weighted=True,
            reason="instances are paired and weighted, and the claim is about the weighted mean",
        ),
        Rule(row=5, test="mcnemar", kinds=_BINARY, reason="scores are right or wrong, and paired"),
        Rule(
            row=8,
            test="bootstrap-t",
            kinds=_CONTINUOUS,
            skewed=True,
            reason="scores are continuous and paired, the claim is about the mean, and differences are skewed",
        ),
        Rule(
            row=8,
            test="sign-flip",
            kinds=_CONTINUOUS,
            reason="scores are continuous and paired, and the claim is about the mean",
        ),
        Rule(
            row=9,
            test="sign-test",
            kinds=_ORDINAL,
            reason="scores are ordinal and paired, so only who scores better counts",
        ),
        Rule(
            row=10,
            test="bootstrap-t",
            kinds=_COUNT,
            skewed=True,
            reason="scores are counts and paired, the claim is about the mean, and differences are skewed",
        ),
        Rule(
            row=10,
            test="sign-flip",
            kinds=_COUNT,
            reason="scores are counts and paired, and the claim is about the mean",
        ),
        *_UNPAIRED,
    ),
    "dror2017": (
        _IDENTICAL,
        *_REPEATED,
        Rule(
            row=6,
            test="corpus-bootstrap",
            shape="corpus",
            reason=f"{_CORPUS}, so its distribution is unknown",
        ),
        Rule(
            row=7,
            test="steiger",
            shape="correlation",
            reason="predictions are paired, and judged by their correlation with a gold score",
        ),
        Rule(
            row=14,
            test="wilcoxon",
            unit="dataset",
            reason="there is one score per system and dataset",
        ),
        Rule(
            row=9,
            test="sign-test",
            weighted=True,
            kinds=_ORDINAL,
            reason="scores are ordinal, paired and weighted; Dror et al. (2017) had no such scores, "
            "and their Wilcoxon test takes no weights",
        ),
        Rule(
            row=8,
            test="paired-bootstrap",
            weighted=True,
            reason="instances are paired and weighted, so the distribution of the metric is unknown",
        ),
        Rule(row=5, test="mcnemar-chi2", kinds=_BINARY, reason="scores are right or wrong, and paired"),
        Rule(
            row=8,
            test="wilcoxon",
            kinds=_CONTINUOUS,
            reason="scores are continuous, and paired instance by instance",
        ),
        Rule(row=9, test="wilcoxon", kinds=_ORDINAL, reason="scores are ordinal, and paired instance by instance"),
        Rule(
            row=10,
            test="paired-bootstrap",
            kinds=_COUNT,
            reason="scores are counts, and the distribution of the metric is unknown",
        ),
        *_UNPAIRED_IN_PRINT,
    ),
}
"""Per profile, rows of which the first that matches applies. Every design matches one: the last rows name all kinds."""
