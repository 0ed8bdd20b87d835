"""No piece of a paper is long, so that what rules do with it is in proportion to the length of the paper."""

from __future__ import annotations

from cProfile import Profile
from functools import cache

import pytest

from reportkit.checker.engine import check_documents
from reportkit.checker.outputs import FORMATS
from reportkit.checker.paper.document import Document
from reportkit.checker.paper.reading import document_of
from reportkit.checker.paper.sentences import (
    MOST_CAPTION,
    MOST_CELL,
    MOST_PARAGRAPH,
    MOST_SENTENCE,
    MOST_SENTENCES,
)

NUMBERS = ["7", "1,", "1 ", "93.1 ", "12,000 ", "p < .05, ", r"1 $\pm$ 2 ", r"95\% CI [", "sst2 ", "[1, 2] ",
           "(1, 2) ", "0.5-", "1-", "1–2 ", "n = 5, ", "3 of 4 datasets ", "t(5) = 2, ", "1e5 ", "5 (", "± ",
           "5 seeds ", "We reach 93.1 on SST-2. ", "F(1, 2) = 3.0, ", "BF10 = 3 ", "p = .000 "]  # fmt: skip
WORDS = ["a", "a ", "A. ", "A a. ", "“", '"', "(", "It is significantly better. ", "significantly ", "not ",
         "by ", "prior ", "no difference ", "better than ", "runs ", "wins and "]  # fmt: skip
LATEX = ["{", "}", "$", "[", "^", r"\[", "$$", r"\cite{", r"\cite{a} ", r"\ref{a} ", r"\label{a} ",
         r"\footnote{", "\n\n", r"\footnote{a} ", r"\textbf{", r"\section{a} ", r"\caption{",
         r"\newcommand{\a}{", r"\def\a{", r"\def\a[", r"\iffalse ", r"\begin{table}",
         r"\begin{tabular}{ll}a & 1.5\\ ", r"\begin{tabular}{l}a\\\end{tabular} ", r"\begin{equation}", "a & ",
         r"1 \\ ", r"\multicolumn{2}{l}{", r"\verb|", r"\csname ", r"\rk{a} ", "% a\n",
         "% reportkit: ignore RK201\n", "It is significantly better. % reportkit: ignore RK201 -- a\n",
         "% reportkit: ignore-file RK2\n", r"\rk@value{a}{1} "]  # fmt: skip
MARKDOWN = ["`", "``", "*", "_", "[", "![", "[a](", "[a](b) ", "[^1]", "[^1]: a b\n", "[a]: b 'c\n", "@a ",
            "<!--", "<", "<pre>", "<!-- a -->", "<!-- reportkit: ignore RK201 -->",
            "<!-- reportkit: ignore RK201 -->\n", "<code>", "<b>", "| ", "| a | 1.5 |\n", "| a |\n|---|\n",
            "> ", "> a\n", "- a\n", "1. a\n", "    a\n", "```\n", "a\n===\n", "$a$ ", "^a^", "Table 1: a\n\n",
            "***a**b ", "\t", "&nbsp;"]  # fmt: skip
FAMILIES = [*(("latex", piece) for piece in (*NUMBERS, *WORDS, *LATEX)), *(("markdown", piece) for piece in MARKDOWN)]
"""Numbers and words are the same sentences in both languages."""


def work(text: str, language: str) -> tuple[int, Document]:
    """Calls of functions, of Python and of C, while a text is read, checked by the rules for papers, and reported."""
    counted = Profile(subcalls=False)
    with counted:
        document = document_of(text + "x", language=language)
        report = check_documents([document])
        for name in FORMATS:
            report.render(name)
    return sum(entry.callcount for entry in counted.getstats()), document


@cache
def load(language: str) -> None:
    """Modules and patterns, once."""
    work("a", language)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "piece"), FAMILIES)
def test_the_work_grows_with_the_length(language, piece):
    """Four times as much of any piece takes about four times as many calls, and no call gets a long text."""
    load(language)
    (small, _), (large, document) = (work(piece * (length // len(piece)), language) for length in (3_000, 12_000))
    assert large <= 4.4 * small + 5_000
    # calls by themselves say nothing of patterns: their cost is bounded because their texts are
    lengths: dict[int, list[int]] = {}
    for sentence in document.sentences:
        lengths.setdefault(sentence.paragraph, []).append(len(sentence.text.text))
    for own in lengths.values():
        assert max(own) <= MOST_SENTENCE
        assert len(own) <= MOST_SENTENCES
        assert sum(own) <= MOST_PARAGRAPH
    for table in document.tables:
        assert len(table.caption.text) <= MOST_CAPTION
        assert all(len(note.text) <= MOST_CAPTION for note in table.notes)
        assert all(len(cell.text.text) <= MOST_CELL for cell in table.cells())
