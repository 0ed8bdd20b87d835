"""Precision and recall of `reportkit check` on real papers: `python benchmarks/checker_precision.py FOLDER`.

FOLDER holds clones of the repositories of `checker_papers.csv.gz`, as `owner+name`, at the commit of the list;
those that are absent are left out. Every finding is looked up in `checker_verdicts.csv.gz` by paper, rule
and place. The verdicts are those of people who read the paper: right (a referee would agree, the author should act),
pedantic (true, and nobody would act), wrong. A finding without a verdict is listed for judging.

Verdicts of papers that nobody had looked at before (`by` is fresh-1, fresh-2, ...: one set of papers after the other)
were given before anything was mended: they say how a rule does on the next paper. They count once for each paper and
verdict, also after their cause was mended. Where a rule was narrowed to some of its kinds of findings, those of the
kinds that it gave up, right or wrong, are narrowed-1, narrowed-2, ...; which kind they are of follows from where they
stand, never from the verdict.

Recall is over the papers that were read as a referee reads: the share of the problems of the catalogue known in them
that are found, for the twelve of the audit and, unseen, for twelve of fresh-27 and eight of fresh-34 (what was missed
there is missed-27 and missed-34). Rules that report once for a paper, or fold, count by paper; others by place.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from scipy.stats import binomtest

from reportkit.checker.catalogue import RULES
from reportkit.checker.config import CheckConfig, Selection
from reportkit.checker.engine import check

HERE = Path(__file__).parent
VERDICTS = ("right", "pedantic", "wrong")
ONCE = ("RK2", "RK3")
"""Groups of rules whose findings count by paper in the recall."""
READ = {"yes": "", "unseen": ", unseen papers"}
"""When a paper was read closely: in the first audit, or before anything was mended on it."""
KNOWN = ("audit", "missed", "fresh-27", "missed-27", "fresh-34", "missed-34")
"""Verdicts on the papers that were read closely: problems that were found, and that were missed."""


class Paper(NamedTuple):
    """One paper of the list."""

    paper: str
    repository: str
    commit: str
    path: str
    domain: str
    close: str


class Found(NamedTuple):
    """One finding with its verdict; empty if nobody has judged it."""

    paper: Paper
    rule: str
    severity: str
    place: str
    message: str
    verdict: str


def papers() -> list[Paper]:
    """The development papers."""
    with gzip.open(HERE / "checker_papers.csv.gz", "rt", encoding="utf-8", newline="") as file:
        return [Paper(**row) for row in csv.DictReader(file)]


def verdicts(*by: str) -> dict[tuple[str, str, str], str]:
    """Verdict by paper, rule and place; if asked, only of what an audit found, or what it missed."""
    with gzip.open(HERE / "checker_verdicts.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not by or row["by"] in by]
    return {(row["paper"], row["rule"], row["place"]): row["verdict"] for row in rows}


def findings(folder: Path, listed: Iterable[Paper], rules: tuple[str, ...] = ()) -> Iterator[Found]:
    """Check every paper that is there, by all rules or by some."""
    judged = verdicts()
    for paper in listed:
        root = (folder / paper.repository.replace("/", "+")).resolve()
        config = CheckConfig(selection=Selection(select=rules))
        for item in check(root / paper.path, config=config):
            place = "" if item.path is None else f"{item.path.relative_to(root).as_posix()}:{item.line}:{item.column}"
            verdict = judged.get((paper.paper, item.code, place), "")
            yield Found(paper, item.code, item.severity, place, item.message, verdict)


def counts(found: Iterable[Found]) -> dict[str, dict[str, int]]:
    """Verdicts by rule, by severity and domain, and over all."""
    by: dict[str, Counter[str]] = {}
    for item in found:
        for key in (item.rule, item.severity, item.paper.domain, "all"):
            by.setdefault(key, Counter())[item.verdict or "unjudged"] += 1
    return {key: dict(by[key]) for key in sorted(by)}


def recall(found: Iterable[Found], listed: Iterable[Paper], read: str) -> tuple[int, int]:
    """Problems found and problems known in the papers that were read closely, in the audit or at first sight."""
    close = {paper.paper for paper in listed if paper.close == read}
    here = list(found)
    places = {(item.paper.paper, item.rule, item.place) for item in here}
    anywhere = {(item.paper.paper, item.rule) for item in here}
    judged = verdicts(*KNOWN).items()
    known = [key for key, verdict in judged if verdict == "right" and key[0] in close and key[1] in RULES]
    hits = [key in places or (key[1].startswith(ONCE) and key[:2] in anywhere) for key in known]
    return sum(hits), len(hits)


def main() -> None:
    """Run, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="with the clones")
    given = parser.parse_args()
    there = [paper for paper in papers() if (given.folder / paper.repository.replace("/", "+") / paper.path).exists()]
    absent = sorted({paper.repository for paper in papers()} - {paper.repository for paper in there})
    found = list(findings(given.folder, there))
    table = counts(found)
    print(f"{len(there)} papers" + (f"; absent: {', '.join(absent)}" if absent else ""))
    print(f"{'':8} {'right':>6} {'pedantic':>9} {'wrong':>6} {'unjudged':>9}  precision (95% interval)")
    for key, row in table.items():
        total = sum(row.get(verdict, 0) for verdict in VERDICTS)
        share = ""
        if total:
            interval = binomtest(row.get("right", 0), total).proportion_ci(method="wilson")
            share = f"{row.get('right', 0) / total:.0%} ({interval.low:.0%} to {interval.high:.0%})"
        numbers = [row.get(name, 0) for name in (*VERDICTS, "unjudged")]
        print("{:8} {:6} {:9} {:6} {:9}  {}".format(key, *numbers, share))
    hits = {f"all rules{where}": recall(found, there, read) for read, where in READ.items()}
    for name, (some, known) in hits.items():
        if known:
            print(f"recall in the papers read closely, {name}: {some} of {known} ({some / known:.0%})")
    for item in found:
        if not item.verdict:
            print(f"to be judged: {item.paper.paper},{item.rule},{item.place}: {item.message}")


if __name__ == "__main__":
    main()
