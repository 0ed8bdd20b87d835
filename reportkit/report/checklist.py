"""Draft answers to the checklists of conferences, from what the analysis knows; what it cannot know is left to fill in.

The items are those of the Responsible NLP checklist (B6, C2, C3, C4), of the ARR reviewer guidelines (R1, R5) and of
the NeurIPS checklist (7); they are named by their codes and paraphrased. No answer is a plain "yes": each says where
in the report it is borne out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportkit.appearance import Appearance
from reportkit.language.counts_and_lists import counted, listed, some, spanned
from reportkit.language.numerals import level_text, percent_text
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Block, Figure, Itemize, Paragraph, Section, Signature, Table
from reportkit.report.prose import Code, Prose, Reference, Strong, Symbol, Text, prose, sentences
from reportkit.report.tables.marks import correction_words, names_of_tests
from reportkit.report.text.correction import dependence_statement
from reportkit.report.text.hypotheses import sidedness
from reportkit.report.text.missing import left_out_sentence, missing_sentence
from reportkit.report.text.shapes import clusters_in_words, sizes_of
from reportkit.report.text.variation import Repetitions, repetitions_of
from reportkit.significance.outcome import Outcome

BLANK = "FILL IN"
"""What stands before everything that only the authors know."""

_MOST_SYSTEMS = 8


def checklist(
    analysis: ReplicabilityAnalysis, appearance: Appearance, blocks: Sequence[Block], signature: Signature
) -> tuple[Section, ...]:
    """Draft the answers.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Any, with names as they are printed.
    appearance : Appearance
        What the cells of the table of scores show.
    blocks : sequence of Block
        Of the report: what may be referred to.
    signature : Signature
        Of the report.

    Returns
    -------
    tuple of Section
        A preface, and one section for each item.
    """
    draft = _Draft(analysis, appearance, blocks, signature)
    return (
        Section(title="Draft answers to checklists", blocks=(Paragraph(content=draft.preface()),)),
        _section("Responsible NLP checklist, B6: statistics of the data", draft.data()),
        _section("Responsible NLP checklist, C2: experimental setup", draft.setup()),
        _section("Responsible NLP checklist, C3: descriptive statistics of results", draft.description()),
        _section("Responsible NLP checklist, C4: packages and their settings", draft.packages()),
        _section("ARR reviewer guidelines, R1: analysis", draft.selection()),
        _section("ARR reviewer guidelines, R5: assessment of statistical significance", draft.assessment()),
        _section("NeurIPS checklist, item 7: statistical significance of experiments", draft.error_bars()),
    )


def _section(title: str, items: Iterable[Prose]) -> Section:
    return Section(title=title, blocks=(Itemize(items=tuple(item for item in items if item)),))


def _blank(what: str) -> Prose:
    return (Strong(BLANK), Text(f": {what}"))


class _Draft:
    """The answers of one analysis."""

    def __init__(
        self,
        analysis: ReplicabilityAnalysis,
        appearance: Appearance,
        blocks: Sequence[Block],
        signature: Signature,
    ) -> None:
        self.analysis, self.appearance, self.blocks, self.signature = analysis, appearance, blocks, signature
        self.items: tuple[Outcome, ...] = self.analysis.kinds
        self.tested = [item for item in self.items if item.tested]
        self.across = self.analysis.across_datasets
        self.repetitions: Repetitions = repetitions_of(self.items, printed=analysis.printed)
        systems = dict.fromkeys(name for pair in self.analysis.pairs for name in pair)
        self.systems = some(systems, _MOST_SYSTEMS)

    # where things stand ---------------------------------------------------------------------------------------------

    def _tables(self, stem: str) -> list[Table]:
        return [block for block in self.blocks if isinstance(block, Table) and f"{block.name}-".startswith(f"{stem}-")]

    def _where(self, *names: str) -> Prose:
        """References to the tables of these stems that there are, in their order."""
        wanted = {table.name for name in names for table in self._tables(name)}
        return _references([block for block in self.blocks if isinstance(block, Table) and block.name in wanted])

    def _intervals(self) -> tuple[list[Table], list[Figure]]:
        """Tables and figures that show intervals of the differences."""
        tables = [
            table
            for table in self._tables("p-values")
            if any("interval" in _words(column.header) for column in table.columns)
        ]
        figures = [
            block
            for block in self.blocks
            if isinstance(block, Figure)
            and f"{block.name}-".startswith("forest-")
            and any(row is not None and row.has_interval for row in block.content.rows)
        ]
        return tables, figures

    def _where_intervals(self) -> Prose:
        """References to them; empty if there are none."""
        tables, figures = self._intervals()
        return _references([*tables, *figures])

    def _intervals_or_file(self) -> Prose:
        return self._where_intervals() or (Code("report.json"),)

    # answers --------------------------------------------------------------------------------------------------------

    def preface(self) -> Prose:
        return prose(
            "Drafted by reportkit from {source}. Copy this file, as the next build overwrites it; check all sentences, "
            "and replace each {blank} by your answer: reportkit knows the scores and how it tested them, and neither "
            "how the systems were made nor where the data come from. Tables and figures are those of the report.",
            source=Code(self.analysis.source),
            blank=Strong(BLANK),
        )

    def data(self) -> Iterable[Prose]:
        units = {item.unit for item in self.items}
        unit = units.pop() if len(units) == 1 else "instance"
        sizes = [n for item in self.items for n in sizes_of(item)]
        if sizes and not self.across and unit == "instance":
            n = len(self.analysis.datasets)
            shown = any(_shows_n(table) for table in self._tables("results"))
            place = prose(
                " ({n} in {where})" if shown else " (all numbers in {where})",
                where=self._where("results") if shown else Code("report.json"),
            )
            yield prose(
                "The results are on {datasets} of {sizes}{each}{place}.",
                datasets=counted(n, "dataset"),
                sizes=spanned(sizes, unit),
                each="" if n == 1 else " each",
                place=place,
            )
        elif self.across:
            yield prose(
                "There is one score of each system on each of {n} ({where}); how many instances are behind a score is "
                "not known to reportkit.",
                n=counted(max(item.n or 0 for item in self.items), "dataset"),
                where=self._where("scores", "results"),
            )
            yield _blank("the number of instances of each dataset.")
        else:
            known = f"; reportkit knows numbers of {unit}s" if sizes else ""
            yield _blank(f"the number of instances of each dataset{known}.")
        yield clusters_in_words(self.items)
        yield missing_sentence(self.analysis, self.analysis.settings)
        yield left_out_sentence(self.analysis)
        yield _blank("which split of each dataset this is, and the sizes of the others (training, development).")
        yield _blank("where each dataset comes from, its version, language and licence.")

    def setup(self) -> Iterable[Prose]:
        yield _blank(
            f"for each system ({self.systems}): the hyper-parameters, how they were searched (space, number of "
            "trials), and the best values found."
        )
        yield _blank("on which data the systems were tuned and selected; these must not be the data reported here.")
        yield _blank("the prompts, decoding settings and checkpoints, where there are any.")

    def description(self) -> Iterable[Prose]:
        yield self.repetitions.averaged
        yield self.repetitions.flag
        if self.repetitions.blank:
            yield _blank(self.repetitions.blank)
        yield self._spread()
        yield self._error_bars_are()
        if len(self.analysis.datasets) > 1 and self.appearance.average:
            yield prose("The mean over the datasets is descriptive: no statement is made from it.")
        yield _blank("the scores of the same systems on the development data.")

    def _spread(self) -> Prose:
        fields = {field for part in self.appearance.pattern.parts for field in part.fields}
        shown = [name for field, name in (("sd", "standard deviation"), ("se", "standard error")) if field in fields]
        if not shown:
            return ()
        return prose(
            "{where} gives the {what} of each score; the caption says over what.",
            where=self._where("results"),
            what=listed(shown),
        )

    def _error_bars_are(self) -> Prose:
        intervals = self.analysis.kinds_of_intervals
        if not intervals:
            return prose("There are no error bars: only {p}-values are known for these results.")
        tables, figures = self._intervals()
        thin = [figure for figure in figures if any(row is not None and row.plain for row in figure.content.rows)]
        where = _references(tables) or (() if figures else (Code("report.json"),))
        levels = listed(dict.fromkeys(percent_text(interval.level) for interval in intervals))
        return sentences(
            prose(
                "Error bars are confidence intervals of the differences ({titles}). They are neither standard "
                "deviations nor standard errors, and need not be symmetric.",
                titles=listed(dict.fromkeys(interval.title for interval in intervals)),
            ),
            *(
                prose(
                    "{lines} {where} have level {levels}, not adjusted for the number of comparisons.",
                    lines=lines,
                    where=place,
                    levels=levels,
                )
                for lines, place in (("Those in", where), ("The thin lines of", _references(thin)))
                if place
            ),
            prose(
                "{lines} {where} have the adjusted level of each test: they lie above 0 exactly where a system is "
                "shown to be better.",
                lines="The thick lines of" if thin else "Those in",
                where=_references(figures),
            )
            if figures
            else (),
        )

    def packages(self) -> Iterable[Prose]:
        yield prose(
            "{what}: reportkit {version}, with the settings {line}.",
            what="Counts and corrections" if self.analysis.printed else "Tests, intervals and corrections",
            version=self.signature.version,
            line=Code(self.signature.line),
        )
        metrics = dict.fromkeys(item.metric for item in self.items)
        summed = list(dict.fromkeys(item.metric for item in self.items if item.shape == "corpus"))
        if summed:
            yield prose(
                "{metrics} {are} computed by reportkit from counts summed over the instances, by the definition of "
                "the reference implementation; reportkit does not see how the texts were tokenised and counted.",
                metrics=listed(summed),
                are="is" if len(summed) == 1 else "are",
            )
            yield _blank(
                "how the counts were made; for BLEU, chrF and TER the signature that sacreBLEU prints (nrefs, case, "
                "tok, smooth, version)."
            )
        else:
            names = [name for name in metrics if name != "score"]
            what = f"the implementation of {listed(names)}" if names else "how the scores were computed"
            yield _blank(f"{what}, with version and settings.")
        yield _blank("packages for preprocessing, training and inference, with versions and settings.")

    def selection(self) -> Iterable[Prose]:
        yield self._datasets_held()
        yield left_out_sentence(self.analysis)
        if self.analysis.n_hypotheses == 1:
            yield prose("There is a single hypothesis, and nothing to correct.")
        else:
            yield prose(
                "Correction for several hypotheses: {how}.",
                how=correction_words(self.analysis),
            )
        exploratory = [item.metric for item in self.analysis.comparisons if item.exploratory]
        if exploratory:
            yield prose("{names} is exploratory: we claim nothing by it.", names=listed(dict.fromkeys(exploratory)))
        yield sidedness(self.analysis)
        if self.analysis.sides == 1:
            yield _blank("when the direction of the claim was decided; it must be before the results were seen.")
        yield _blank(
            "how many systems, prompts, checkpoints, metrics and datasets were tried in all; those that are not "
            "reported here are not corrected for."
        )
        yield _blank("how the baselines were tuned, compared with the new system.")
        serious = [item for item in self.analysis.findings if item.severity != "info"]
        if serious:
            yield prose(
                "reportkit notes {n} that {limit} these claims; see the section on what to know before citing.",
                n=counted(len({item.code for item in serious}), "kind of problem", "kinds of problems"),
                limit="limits" if len({item.code for item in serious}) == 1 else "limit",
            )

    def _datasets_held(self) -> Prose:
        """How many of the datasets that the results name are in the report."""
        if self.analysis.printed:
            return ()
        n = max(item.n or 0 for item in self.items) if self.across else len(self.analysis.datasets)
        named = len(self.analysis.named_datasets)
        if n < named:
            held = f"{n} of the {counted(named, 'dataset')}"
        elif named:
            held = "the only dataset" if n == 1 else "both datasets" if n == 2 else f"all {n} datasets"
        else:
            held = counted(n, "dataset")
        return prose(
            "The report holds {held}{of} ({where}).",
            held=held,
            of=" that the results name" if named else "",
            where=self._where("results", "scores"),
        )

    def assessment(self) -> Iterable[Prose]:
        levels = listed(level_text(alpha) for alpha in self.analysis.alpha)
        if self.analysis.printed:
            yield prose(
                "The {p}-values are those that the paper prints; what follows from them is in {where}.",
                where=self._where("results", "p-values", "replicability", "reproduction"),
            )
            yield _blank("which test gave the printed p-values, one- or two-sided, and what it assumes.")
        else:
            yield prose(
                "Each comparison is tested: {tests}; one-sided; {how}; at {level} {levels} ({where}).",
                tests=names_of_tests(self.analysis),
                how=correction_words(self.analysis),
                level="level" if len(self.analysis.alpha) == 1 else "levels",
                levels=levels,
                where=self._where("results", "p-values"),
            )
            yield self._how_computed()
        if not self.across and len(self.analysis.datasets) > 1:
            yield prose(
                "{k_hat} is a lower bound for the number of datasets on which a claim holds; a dataset is named only "
                "if its adjusted {p}-value is at most the level ({where}).",
                where=self._where("replicability", "k-hat") or (Code("report.json"),),
            )
            yield (Text(dependence_statement(self.analysis.audit)),)
        if self.analysis.kinds_of_intervals:
            where = self._intervals_or_file()
            yield prose("Effect sizes: the differences with their intervals, in {where}.", where=where)
        else:
            yield prose("Effect sizes: the differences, in {where}.", where=self._where("results"))
        yield prose("Factors of variability: {them}.", them=self.repetitions.captured)
        yield from self._assumptions()
        yield prose("All of this in words: {file}.", file=Code("paragraph.tex"))

    def _how_computed(self) -> Prose:
        drawn = sorted({item.n_resamples for item in self.tested if item.n_resamples})
        methods = {item.method for item in self.tested}
        if drawn:
            number = f"{drawn[0]:,}" if len(drawn) == 1 else f"{drawn[0]:,} to {drawn[-1]:,}"
            rest = "; the others are computed without random resamples" if methods - {"Monte Carlo"} else ""
            return prose(
                "{which} estimated from {number} random resamples (seed {seed}){rest}.",
                which=prose("Some {p}-values are") if rest else prose("The {p}-values are"),
                number=number,
                seed=self.analysis.settings.rng,
                rest=rest,
            )
        how = {"exact": "exact", "asymptotic": "those of the reference distribution of the test"}
        if methods and methods <= how.keys():
            words = listed((how[method] for method in sorted(methods, reverse=True)), last="or")
            return prose("The {p}-values are {how}; no random resamples are drawn for them.", how=words)
        return ()

    def _assumptions(self) -> Iterable[Prose]:
        seen: dict[str, tuple[str, ...]] = {}
        for item in self.tested:
            if item.method != "printed":
                seen.setdefault(item.title, item.assumptions)
        for title, clauses in seen.items():
            if clauses:
                yield prose(
                    "Assumptions of the {title}: {that}.", title=title, that=listed(f"that {item}" for item in clauses)
                )

    def error_bars(self) -> Iterable[Prose]:
        where = self._where("results", "p-values", "replicability")
        if self.analysis.printed:
            yield prose("In part: {p}-values are given ({where}), error bars are not.", where=where)
        elif intervals := self._where_intervals():
            yield prose("Yes: the tests are in {where}, the error bars in {bars}.", where=where, bars=intervals)
        else:
            yield prose(
                "In part: the tests are in {where}, and no table or figure of the report has error bars.", where=where
            )
            if self.analysis.kinds_of_intervals:
                yield _blank("the table or figure that shows the intervals, which are in report.json and numbers.md.")
        yield prose("Factors of variability that they capture: {them}.", them=self.repetitions.captured)
        yield prose("Factors that they do not capture: {them}.", them=self.repetitions.missed)
        yield self._error_bars_are()
        yield self._how_computed() if not self.analysis.printed else ()
        yield from self._assumptions()
        yield self.repetitions.population
        if self.analysis.kinds_of_intervals:
            yield _blank("where the text of the paper explains the error bars and refers to these tables and figures.")
        else:
            yield _blank("error bars for the main claims, from scores by instance or by run.")
        yield _blank("item 6, beside it: data splits, hyper-parameters, and how they were chosen (see C2).")


def _references(blocks: Sequence[Table | Figure]) -> Prose:
    parts: list[Prose] = []
    for number, block in enumerate(blocks):
        reference = Reference("table" if isinstance(block, Table) else "figure", block.name)
        parts.append((Text("" if number == 0 else " and " if number == len(blocks) - 1 else ", "), reference))
    return tuple(part for pair in parts for part in pair)


def _shows_n(table: Table) -> bool:
    headers = [*(column.header for column in table.columns), *(row.cells[0].text for row in table.header_rows)]
    return any(part == Symbol("n") for header in headers for part in header)


def _words(content: Prose) -> str:
    return "".join(part.text for part in content if isinstance(part, Text))
