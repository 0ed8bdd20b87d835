"""The fields of a cell: what they are for one system on one dataset, and the sentence that explains them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from reportkit.cell_pattern import COMPARISON_FIELDS, CellPattern, Part, Piece
from reportkit.errors import SettingsError
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import fixed, interval_end, p_value_text, percent_text
from reportkit.replicability.comparison import Comparison, SystemScore
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.replicability.score_spread import ScoreSpread
from reportkit.report.model import Cell
from reportkit.report.prose import Inline, Prose, Raised, Text, joined, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.tables.marks import baselines_of, correction_words, names_of_tests

SPREAD_FIELDS = ("ci_low", "ci_high", "sd", "se")
_COMPARED = tuple(name for name in COMPARISON_FIELDS if name != "mark")
_DASH = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the cells of a table show, as far as the caption has to say it.

    Parameters
    ----------
    sd_over, error_over, intervals, levels, units : tuple of str
        Each once: what standard deviations and errors are over, names and levels of the intervals, what `n` counts.
    absent : bool
        Whether the data do not tell a value of some cell.
    """

    sd_over: tuple[str, ...] = ()
    error_over: tuple[str, ...] = ()
    intervals: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    absent: bool = False

    def with_others(self, others: Iterable[Facts]) -> Facts:
        """The same of several tables."""
        every = [self, *others]

        def union(name: str) -> tuple[str, ...]:
            return tuple(dict.fromkeys(value for facts in every for value in getattr(facts, name)))

        names = ("sd_over", "error_over", "intervals", "levels", "units")
        return Facts(**{name: union(name) for name in names}, absent=any(facts.absent for facts in every))


@dataclass(slots=True, eq=False, kw_only=True)
class CellWriter:
    """Fills the pattern of one table.

    Parameters
    ----------
    pattern : CellPattern
        What is shown.
    scale : ScoreScale
        How scores are printed.
    family : ReplicabilityAnalysis
        Of one metric.

    Raises
    ------
    SettingsError
        If the pattern shows a comparison, and there are several that could be meant.
    """

    pattern: CellPattern
    scale: ScoreScale
    family: ReplicabilityAnalysis
    facts: Facts = field(default_factory=Facts)
    _against: dict[tuple[str, str], tuple[Comparison, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        asked = [name for name in self.pattern.fields if name in _COMPARED]
        if not asked:
            return
        if not self.family.one_claim and len(baselines_of(self.family)) != 1:
            raise SettingsError(
                f"the field {asked[0]!r} is of the comparison with one system, and each is compared with several",
                where=f"cell is {self.pattern.text!r}",
                remedy="name one baseline (--baseline NAME), or leave the field out; marks='letters' shows who is "
                "better than which system",
            )
        for comparison in self.family.comparisons:
            for index, dataset in enumerate(comparison.datasets):
                self._against[comparison.system_a, dataset] = (comparison, index)

    def cell(self, system: str, dataset: str, score: SystemScore, mark: str, common: tuple[str, ...] = ()) -> Cell:
        """Fill the cell of one system on one dataset.

        Parameters
        ----------
        system, dataset : str
            Which cell.
        score : SystemScore
            Its score, and the spread of that on request.
        mark : str
            Its signs.
        common : tuple of str
            Systems that it is compared with on common instances only, of which the score then is.

        Raises
        ------
        SettingsError
            If the design does not have what the pattern shows.
        """
        if self.pattern.text == "{score}{mark}":
            return Cell.of((Text(self.scale.on(dataset).score(score.mean)),), mark=mark)
        values = self._values(system, dataset, score, common)
        parts: list[Inline] = []
        for number, part in enumerate(self.pattern.parts):
            wanted = [name for name in part.fields if name != "mark"]
            if (
                part.bracket
                and part.fields
                and not any(map(values.get, wanted))
                and not ("mark" in part.fields and mark)
            ):
                continue
            for place, piece in enumerate(part.pieces):
                at_end = number == len(self.pattern.parts) - 1 and place == len(part.pieces) - 1
                if piece.field == "mark":
                    parts += [] if at_end or not mark else [Raised(mark)]
                else:
                    parts.append(Text(piece.words or values[piece.field] or _DASH))
        last = self.pattern.parts[-1].pieces[-1]
        return Cell.of(joined(parts), mark=mark if last.field == "mark" else "")

    def _values(self, system: str, dataset: str, score: SystemScore, common: tuple[str, ...]) -> dict[str, str | None]:
        pieces = {piece.field: piece for part in self.pattern.parts for piece in part.pieces if piece.field}
        values: dict[str, str | None] = {"score": self._number(score.mean, pieces["score"], dataset)}
        if any(name in pieces for name in SPREAD_FIELDS):
            values |= self._spread(score.spread(common=common), pieces, dataset)
        if "n" in pieces:
            if score.n is None:
                raise self._unavailable("n", "the paper does not print the number of instances")
            values["n"] = f"{score.n:,}"
        if any(name in pieces for name in _COMPARED):
            values |= self._compared(system, dataset, pieces)
        if any(value is None for name, value in values.items() if name not in COMPARISON_FIELDS):
            self.facts = replace(self.facts, absent=True)
        return values

    def _spread(self, spread: ScoreSpread, pieces: Mapping[str, Piece], dataset: str) -> dict[str, str | None]:
        if "sd" in pieces and spread.no_sd:
            raise self._unavailable("sd", spread.no_sd)
        for name in ("se", "ci_low", "ci_high"):
            if name in pieces and spread.no_error:
                raise self._unavailable(name, spread.no_error)
        interval = spread.interval
        known = {
            "sd": spread.sd,
            "se": spread.standard_error,
            "ci_low": None if interval is None else interval.low,
            "ci_high": None if interval is None else interval.high,
        }
        self.facts = self.facts.with_others(
            [
                Facts(
                    sd_over=(spread.sd_over,),
                    error_over=(spread.error_over,),
                    intervals=() if interval is None else (interval.title,),
                    levels=() if interval is None else (percent_text(interval.level),),
                )
            ]
        )
        return {
            name: None if value is None else self._number(value, pieces[name], dataset)
            for name, value in known.items()
            if name in pieces
        }

    def _compared(self, system: str, dataset: str, pieces: Mapping[str, Piece]) -> dict[str, str | None]:
        found = self._against.get((system, dataset))
        if found is None:
            return dict.fromkeys(name for name in _COMPARED if name in pieces)
        comparison, index = found
        difference = comparison.assessments[index].score_difference
        values = {
            "diff": lambda: self._number(difference, pieces["diff"], dataset, with_sign=True),
            "p": lambda: p_value_text(float(comparison.p_values[index])),
            "adjusted_p": lambda: p_value_text(float(comparison.adjusted_p_values[index])),
        }
        return {name: values[name]() for name in _COMPARED if name in pieces}

    def _number(self, value: float, piece: Piece, dataset: str, *, with_sign: bool = False) -> str:
        scale = self.scale.on(dataset)
        decimals = scale.decimals if piece.decimals is None else piece.decimals
        return (interval_end if with_sign else fixed)(value * scale.factor, decimals)

    def _unavailable(self, name: str, why: str) -> SettingsError:
        return SettingsError(
            f"the field {name!r} is not known: {why}",
            where=f"cell is {self.pattern.text!r}",
            remedy="leave it out, or show another field",
        )


def fields_in_words(pattern: CellPattern, facts: Facts, family: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    """Explain every field of a pattern but score and signs: what it is, over what, and where it stands.

    Parameters
    ----------
    pattern : CellPattern
        What is shown.
    facts : Facts
        What the cells turned out to hold.
    family : ReplicabilityAnalysis
        Whose comparisons they are.
    scale : ScoreScale
        Unit of differences.
    """
    places: dict[str, list[tuple[str, Prose]]] = {}
    for where, name in _placed(pattern):
        if words := _meaning(name, pattern, facts, family, scale):
            places.setdefault(where, []).append((name, words))
    found = [
        prose("{where}: {what}.", where=where, what=_all(words for _, words in items))
        for where, items in places.items()
    ]
    dash = prose("Where a value is absent, the data do not tell it.") if facts.absent else ()
    return sentences(*found, dash)


def _placed(pattern: CellPattern) -> Iterator[tuple[str, str]]:
    """Where each field stands: "±", "In brackets", "In parentheses", "Behind the score"."""
    before = ""
    for part in pattern.parts:
        for piece in part.pieces:
            if not piece.field:
                before = piece.words
                continue
            yield _place(part, before), piece.field
            before = ""


def _place(part: Part, before: str) -> str:
    if before.rstrip().endswith(("±", "+/-", "+-")):
        return before.rstrip().lstrip("( [") if not part.bracket else "±"
    return {"(": "In parentheses", "[": "In brackets"}.get(part.bracket, "Beside the score")


def _meaning(name: str, pattern: CellPattern, facts: Facts, family: ReplicabilityAnalysis, scale: ScoreScale) -> Prose:
    if name in ("ci_low", "ci_high"):
        return _interval(name, pattern, facts)
    if name == "sd":
        return prose("standard deviation over the {over}", over=listed(facts.sd_over, last="or"))
    if name == "se":
        return prose("standard error over the {over}", over=listed(facts.error_over, last="or"))
    if name == "n":
        return prose("number {n} of {units}", units=listed(facts.units, last="or") or "instances")
    if name == "diff":
        return prose(
            "difference to {whom}{points}",
            whom=_whom(family),
            points=f" in {scale.points}" if scale.points and scale.factor == 100 else "",
        )
    if name == "p":
        return prose(
            "{p}-value for better than {whom} ({test}, one-sided)",
            whom=_whom(family),
            test=names_of_tests(family),
        )
    if name == "adjusted_p":
        return prose(
            "adjusted {p}-value for better than {whom} ({test}, one-sided, {how})",
            whom=_whom(family),
            test=names_of_tests(family),
            how=correction_words(family),
        )
    return ()


def _interval(name: str, pattern: CellPattern, facts: Facts) -> Prose:
    if name == "ci_high" and "ci_low" in pattern.fields:
        return ()
    both = {"ci_low", "ci_high"} <= set(pattern.fields)
    end = "" if both else "lower end of the " if name == "ci_low" else "upper end of the "
    return prose(
        "{end}{level} interval of each score alone{titles}, not a test of a difference",
        end=end,
        level=listed(facts.levels, last="or"),
        titles=f" ({listed(facts.intervals, last='or')})" if facts.intervals else "",
    )


def _whom(family: ReplicabilityAnalysis) -> str:
    if family.design == "both":
        return "the other system"
    return baselines_of(family)[0]


def _all(items: Iterable[Prose]) -> Prose:
    """Join with "and"; the last behind a comma where one holds a comma itself."""
    parts: list[Inline] = []
    for number, item in enumerate(items):
        parts += [Text("; " if number else ""), *item]
    return joined(parts)
