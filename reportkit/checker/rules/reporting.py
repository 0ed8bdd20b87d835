"""What a paper has to say and does not: tests, runs, spreads, versions of metrics; and places left open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.directions import METRICS
from reportkit.checker.labels import normalised
from reportkit.checker.paper.document import Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.prose import Prose, Statement
from reportkit.checker.results_tables import BOLD_IS_BEST, METRIC, is_results
from reportkit.checker.rule import rule
from reportkit.checker.vocabulary import NUMERAL, UNCERTAINTY
from reportkit.language.counts_and_lists import listed

PLACEHOLDER = re.compile(
    r"(?<![\w-])(?:TODO|FIXME|TBD|TBA)(?![\w-])"
    r"|(?<![\w./])%?X{1,3}\.X{1,3}(?!X|\.X|/)%?"
    r"|\[(?:cite|citation needed|ref)\]"
    r"|\b(?i:lorem ipsum|nulla mi mi|(?:insert|your) (?:caption|title|abstract) here|caption goes here)\b"
)
ABOUT = re.compile(
    r"\b(?:TODO|FIXME|TBD)s?[- ](?:lists?|items?|comments?|tags?|markers?|annotations?)\b|\bdoi\b"
    r"|\b(?:formats?|such as|e\.g\.|the form) \S*X",
    re.IGNORECASE,
)
"""Talk of such places; and addresses that a publisher fills in."""
NOTE = re.compile(r"\[[^\[\]⟦⟧]{4,200}\]|^(?:check|fix|ask|missing)\b.{0,200}", re.IGNORECASE)
COLOURED = re.compile(r"\\textcolor\s*\{(?:red|blue|magenta|orange|purple)\}\s*\{\s*$")
"""Before a note in brackets to a co-author."""


@rule("RK115", "placeholder-left", "warning")
def placeholder_left(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A place that was to be filled in was left open.

    Finds TODO, TBD, XX.X, [cite], sample text of templates, and coloured notes in brackets to a co-author.

    Found::

        Ours is better than the baseline by XX.X points.

    Not found::

        Ours is better than the baseline by 12.3 points.

    Source: ARR R1.
    """
    quoted = {item.sentence: item.text for item in context.prose.statements}
    for sentence in context.paper.sentences:
        text = quoted.get(sentence, sentence.text.text)
        match = PLACEHOLDER.search(text) if sentence.place != "reference" else None
        if match is not None and not ABOUT.search(text):
            yield _open(context, sentence.text.span(*match.span()), match[0])
    for table in context.paper.tables:
        for cell in table.cells():
            match = PLACEHOLDER.fullmatch(cell.text.text.strip())
            if match is not None and "ipsum" not in match[0].lower():
                yield _open(context, cell.span, match[0])
    for sentence in context.paper.sentences:
        for match in NOTE.finditer(sentence.text.text) if sentence.place != "reference" else ():
            span = sentence.text.span(*match.span())
            source = context.paper.files[span.file].text
            if COLOURED.search(source[max(0, span.start - 40) : span.start]) and not PLACEHOLDER.search(match[0]):
                yield _open(context, span, match[0])


def _open(context: CheckContext, span: Span, text: str) -> Diagnostic:
    return placeholder_left.at(
        context.paper, span, f"{text!r} is still to be filled in.", remedy="fill it in, or leave the sentence out"
    )


CHANGE = (
    r"(?:(?:out|under)perform\w*|improv\w*|surpass\w*|superior|inferior|better|worse|stronger|weaker|boost\w*|enhanc\w*|"
    r"degrad\w*|deteriorat\w*|beat\w*)"
)
GAIN = r"(?:improvements?|gains?|boosts?|margins?|degradations?|deteriorations?|advantages?|benefits?)"
CLAIM = re.compile(
    rf"\bsignificant(?:ly)? (?:\w+[ -]){{0,2}}?{CHANGE}\b|\b{CHANGE}\b(?: \S+){{0,6}}? significantly\b"
    rf"|\bsignificant (?:[\w-]+ ){{0,3}}?{GAIN}\b"
    rf"|\b{GAIN}\b(?: \S+){{0,6}}? (?:is|are|was|were) significant\b",
    re.IGNORECASE,
)
"""The word beside a change for better or worse; what only rose or fell is large in the everyday sense as often."""
NOT_MEANT = re.compile(
    r"\b(?:statistical|practical|clinical|substantive|biological|medical|functional|economic|societal)(?:ly)?\b"
    r"|\bmost significant\b|\bleast significan|\b(?:significance|significan\w+) test|(?<![\w-])p\s?[<=>≤≥]"
    r"|\bsignificant(?:ly)? (?:\w+[ -]){0,2}(?:progress|challenges?|efforts?|roles?|computation\w*|larger|smaller|bigger|"
    r"fewer|more|less|number|amount|proportion|limitations?|implications?|overheads?|costs?|cheaper|faster|slower|"
    r"simpler|memory|time|speed\w*|energy|overlap|attention|interest|resources?|variance|efficien\w+)\b"
    r"|\b(?:memory|latenc(?:y|ies)|speed-?ups?|speeds?|throughput|energy|costs?|overheads?|runtime|comput(?:e|ation\w*)|"
    r"parameters|engineering|overfit\w*|rewards?|(?:the|training|validation) loss)\b"
    r"|\b(?:may|might|could|would|can|should|future|potential\w*|if|whether|aim\w*|goal|expect\w*|hope|believe|"
    r"hypothes\w*|possibl\w+|suppose|(?:un)?likely|will|tends? to|generally|usually|typically)\b|\?"
    r"|\b(?:Section|Chapter|Appendix|Part)s? ⟦ref⟧ (?:\w+ )?(?:discuss|describ|present|introduc|outlin|review)",
    re.IGNORECASE,
)
"""Qualified, everyday or supposed significance."""
RESULT = re.compile(
    r"\b(?:scores?|accurac\w+|performance|quality|F_?1|BLEU\w*|ROUGE\S*|precision|recall|datasets?|benchmarks?|AUC|"
    r"error rates?|correlation|results?|metrics?|baselines?|models?|systems?|approach\w*|method\w*|classifiers?|"
    r"state[- ]of[- ]the[- ]art|SOTA|(?:out|under)perform\w*|points?|agreement|predicti\w+)\b"
    r"|\b(?:it|ours) (?:is|was|performs)\b|⟦ref⟧|\d+\.\d|\d\s?%",
    re.IGNORECASE,
)
SUPPORTED = re.compile(
    r"\b[Cc]onfidence intervals?\b|(?<![\w-])CIs?(?![\w/-])|\d\s?% intervals?\b"
    r"|(?<![\w-])(?:[tzF]|χ\^?2)\s?(?:\([^()]*\))?\s?=\s?[+−–-]?\d"
)
"""An interval, or the statistic of a test, in the same paragraph."""
OF_OTHERS = re.compile(
    r"\b(?:related|previous|prior) (?:work|stud|research|literature)|\bbackground\b|\bpreliminar|\bliterature\b", re.I
)
OWN = re.compile(r"\b(?:we|our|ours|us|this (?:work|paper|study)|here)\b|⟦ref⟧", re.IGNORECASE)
REPORTS = re.compile(
    r"\b(?:results?|experiment\w*|evaluations?(?! (?:sets?|data\w*|corp\w+))|analys[ei]s|ablations?|discussion|"
    r"conclusions?|comparisons?|findings?)\b",
    re.IGNORECASE,
)
SUMMARY = re.compile(r"\babstract\b|\bintroduction\b|\bcontributions?\b|^$", re.IGNORECASE)
GENERAL = re.compile(
    r"^\W*(?:the |these |recent |latest |rapid )*(?:emergence|advent|advance(?:s|ments?)?|developments?|progress|rise|"
    r"success|breakthroughs?) (?:of|in)\b|\bin recent years\b|\bover the (?:past|last) (?:\w+ )?(?:years|decades?)\b"
    r"|^\W*(?:they|their|these (?:works?|methods?|authors?|papers?))\b|\baccording to (?:their|the)\b|\bthe authors\b"
    r"|\b(?:previously published|previous|prior|earlier) (?:works?|papers?|stud(?:y|ies))",
    re.IGNORECASE,
)
"""The field, or somebody else's result."""


@rule("RK201", "significance-unqualified", "warning")
def significance_unqualified(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A result is called significant, and the paper names no test.

    In a paper that names no test and prints no p-value and no interval, reports "significant" and "significantly"
    where they are said of results that are better or worse, also with a size beside the word: a size is no test. The
    everyday word ("significant progress", "a significant number") is no finding, nor is its denial, nor the word
    outside of what a paper says of its own results.

    Found::

        Our model is significantly better than the baseline (86.5 vs. 84.8).

    Not found::

        Our model is clearly better than the baseline (86.5 vs. 84.8).

    Source: ARR R1, R5; Sadat Azer et al. (2020), section 4.
    """
    if context.prose.tests or context.prose.says(UNCERTAINTY, own=True):
        return
    everyday = 0
    tables = context.paper.tables
    sectioned = any(sentence.section for sentence in context.paper.sentences)
    prints_scores = not tables or any(map(is_results, tables))
    for item in context.prose.with_words("significan"):
        text = item.text
        claim = CLAIM.search(text)
        if OF_OTHERS.search(item.sentence.section) or NOT_MEANT.search(text):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        about_result = RESULT.search(text) is not None and (prints_scores or METRIC.search(text))
        if claim is None or not about_result or item.negated(claim.start()):
            everyday += 1
            continue
        if SUPPORTED.search(context.prose.around(item)) or GENERAL.search(text):
            continue
        if (sectioned and not _of_results(item)) or ("⟦cite⟧" in text[claim.start() :] and not OWN.search(text)):
            continue
        word = re.search(r"significant(?:ly)?", claim[0], re.IGNORECASE)
        start, end = (claim.start() + word.start(), claim.start() + word.end()) if word else claim.span()
        yield significance_unqualified.at(
            context.paper,
            item.sentence.text.span(start, end),
            f"{text[start:end]!r} describes a result, and the paper names no test.",
            remedy='name the test, its sides, its correction and p; or choose another word ("large", "clear")',
        )
    if everyday:
        places = f"{everyday} places" if everyday > 1 else "one place"
        context.coverage.note(f"'significant' is used in the everyday sense in {places}: another word is safer")


def _of_results(item: Statement) -> bool:
    """Whether results of the paper are what a sentence is about, by where it stands."""
    sentence = item.sentence
    if sentence.place == "caption" or REPORTS.search(sentence.section):
        return True
    return SUMMARY.search(sentence.section) is not None and OWN.search(item.text) is not None


WHICH = re.compile(
    r"\bstandard (?:deviations?|errors?)\b|\bstd\b|\bstdev\b|\bs\.?d\.?(?=[\s,.;)]|$)|\bs\.?e\.?m?\.?(?=[\s,.;)]|$)"
    r"|\b(?:confidence|credible) (?:intervals?|bounds?)\b|\b\d+\s?%\s?(?:CIs?|intervals?)\b|\bCIs?\b(?!/)|\bhalf[- ]width"
    r"|\binterquartile\b|\bdeviations?\b|\bvariances?\b",
    re.IGNORECASE,
)
MEASURED = re.compile(rf"{METRIC.pattern}|(?i:{METRICS.pattern})|\d\s?%|\bpoints?\b|(?i:\b(?:reach|achiev|scor)\w*)")
"""In the sentence; 787 ± 25 kpc is a distance."""
EXAMPLES = re.compile(r"\b(?:examples?|prompts?|dialogues?|conversations?|transcripts?|generations)\b", re.IGNORECASE)
VALUE_BEFORE = re.compile(r"\d\s*%?\s*(?:±|\+/?-)\s*$")
TO_DO = 'say it once, as in "mean ± standard deviation over 5 seeds"'


@rule("RK301", "spread-undefined", "warning")
def spread_undefined(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A number behind ± is not explained, or is the spread of one run.

    Reports tables with ±, and sentences that print a result with ±, of a paper that nowhere names a standard deviation,
    a standard error, a variance or an interval; and a spread of a line that has one run. Standard deviation, standard
    error and interval differ by factors of two to ten.

    Found::

        Ours reaches an accuracy of $91.2 \pm 0.4$.

    Not found::

        Ours reaches an accuracy of $91.2 \pm 0.4$ (mean and standard deviation over 5 seeds).

    Source: NeurIPS 7; ACL C3.
    """
    document = context.paper
    for table in document.tables:
        yield from _spread_of_one_run(context, table)
    headings = [cell.text.text for table in document.tables for cell in table.cells() if cell.header]
    beside = [context.prose.beside(table) for table in document.tables]
    if context.prose.says(WHICH) is not None or any(WHICH.search(text) for text in (*beside, *headings)):
        return
    for table in document.tables:
        spread = next((cell.spread for cell in table.body() if cell.spread is not None), None)
        if spread is not None:
            context.coverage.claim(context.number, table.span)
            message = "The paper does not say whether standard deviations, standard errors or intervals stand behind ±."
            yield spread_undefined.at(document, spread.span, message, remedy=TO_DO)
    seen: set[int] = set()
    for sentence in document.sentences:
        spread = _behind_a_number(sentence)
        if spread is None or sentence.paragraph in seen or not MEASURED.search(sentence.text.text):
            continue
        if sentence.place in ("caption", "note") or EXAMPLES.search(sentence.section):
            continue
        seen.add(sentence.paragraph)
        context.coverage.claim(context.number, sentence.span)
        message = "The text does not say whether standard deviation, standard error or interval stands behind ±."
        yield spread_undefined.at(document, spread.span, message, remedy=TO_DO)


def _behind_a_number(sentence: Sentence) -> PrintedNumber | None:
    """Return the first number behind ± that has its value before it: "updates by ±1" has none."""
    for start, _, number in located_numbers(sentence.text) if "±" in sentence.text.text else ():
        if number.role == "spread" and VALUE_BEFORE.search(sentence.text.text[:start]):
            return number
    return None


def _spread_of_one_run(context: CheckContext, table: Table) -> Iterator[Diagnostic]:
    for line in table.lines():
        runs = [
            cell.number.value
            for cell, across in zip(line.cells, line.across, strict=True)
            if cell.number is not None
            and across
            and re.fullmatch(r"(?:n )?(?:of )?(?:runs?|seeds?|trials)", normalised(across[-1]))
        ]
        spread = next((cell.spread for cell in line.cells if cell.spread is not None), None)
        if runs == [1.0] and spread is not None:
            yield spread_undefined.at(
                context.paper,
                spread.span,
                f"One run has no spread, and ± {spread.text} is printed.",
                remedy="leave ± out where there is one run, or run it more often",
            )


RUNS = r"(?:random )?(?:seeds?|runs?|restarts?|initiali[sz]ations?|trials?|repetitions?|random starts?)"
BEST = re.compile(
    rf"\b(?:best|max(?:imum)?|highest|top) (?:\w+ ){{0,2}}?(?:of|over|across|among|out of|from) (?:the |our |"
    rf"all )?(?:{NUMERAL}|several|multiple|many|different|all)?"
    rf" ?(?:different |independent )*{RUNS}\b|\bbest[- ](?:run|seed)\b|\bbest[- ]performing (?:run|seed)\b",
    re.IGNORECASE,
)
BEST_IS_FINE = re.compile(
    r"\b(?:our|official|submitted|submission|team\w*)\b(?: \w+){0,2} runs?\b|\bsubmi\w+|\bshared task"
    r"|\b(?:dev|development|validation|held-?out|val)\b|\bmeans? (?:and|as well)|\bnot\b|\binstead of\b|\brather than\b",
    re.IGNORECASE,
)
"""Runs of shared tasks, which are systems; a run that was chosen on development data."""
MEAN = re.compile(r"\b(?:averag|mean)\w*\b", re.IGNORECASE)
REPORTED = re.compile(
    r"\b(?:reports?|reported|shows?|shown|presents?|presented|take[sn]?|took|used?|uses|select\w*|cho(?:o?s)e\w*|pick\w*|"
    r"keep|kept|gives?|given|is|are|were|was|achiev\w+|reach\w*|obtain\w*|table|results?|scores?|accuracy|numbers?|performance)\b",
    re.IGNORECASE,
)
COPIED = re.compile(r"\b(?:excerpt|taken|adapted|copied|reproduced|reprinted)\b[^.]{0,30} from\b[^.]{0,60}⟦cite⟧", re.I)
STATED = re.compile(
    rf"\b(?:{NUMERAL}|single|several|multiple|different|each|every|the same|fixed|independent|all|one|random|per|"
    rf"over|across) (?:\w+ ){{0,2}}?{RUNS}\b|\brandom seeds?\b|\bseeds?\s*(?:=|of|is|to)?\s*\d|\bseed(?:ed)? (?:all|with|value)"
    r"|\bdeterministic (?:decoding|systems?|outputs?|results?|generation|inference|evaluation)|\b(?:results?|outputs?|"
    r"decoding|evaluation|systems?|models?) (?:is|are|was|were) (?:\w+ )?deterministic|\bno randomness"
    r"|\b(?:averages?|averaged|means?)\b[^.;]{0,20} (?:over|of|across) \d+ (?:experiments|episodes|rollouts|trials)"
    r"|\bgreedy (?:decod\w+|sampling|search|generation)|\btemperature\s*(?:of|=|is|to|at|was|set to)*\s*0(?!\.\d*[1-9])"
    rf"|\bruns?,? (?:once|twice|(?:ten|{NUMERAL}) times)|\b(?:train\w*|evaluat\w+|run|ran|repeat\w*|experiments?|"
    rf"fine-?tun\w+|test\w*)[^.;]{{0,40}}\b(?:only once|a single time|(?:{NUMERAL}|several|multiple) times)\b"
    rf"|\baverag\w+ (?:over|across|of|from) (?:the |all |our |{NUMERAL} |several |multiple |different )*{RUNS}"
    rf"|\b(?:{NUMERAL}|ten|k)[- ]fold\b(?![^.]*\bdevelopment\b)|(?<!fold )\bcross[- ]?validat|"
    rf"\bensembles? of (?:{NUMERAL}|\w+ models)|\b(?:one|single|per)[- ]run\b",
    re.IGNORECASE,
)
OF_DATA = re.compile(
    r"\b(?:shuffl\w*|split\w*|partition\w*|sampl(?:e|ed|ing) (?:the|of|our)|subsets?)\b", re.IGNORECASE
)
"""A seed that says nothing about runs of systems."""
TRAINED = re.compile(
    r"(?<!previous )(?<!prior )(?<!existing )(?<!SOTA )(?<!of-the-art )"
    r"\b(?:models?|networks?|parsers?|classifiers?|systems?|baselines?|encoders?|decoders?|layers?|embeddings?|"
    r"parameters) (?:is|are|was|were) (?:(?!not\b|never\b)\w+ ){0,2}?(?:trained|fine-?tuned|learned)\b"
    r"|\bour (?:(?!during|for|in|of|on|with)\w+ ){0,2}training\b(?! (?:data|sets?|images|views|examples|samples|corp))"
    r"|\bwe (?:\w+ly |also |first |then |further |always )*(?:re-?|pre-?)?(?:train|fine-?tune)(?:d|ed)?\b"
    r"(?![^.;]*\b(?:logistic|linear (?:classifier|regression|probe|SVM)s?|SVMs?|support vector|naive bayes|nearest|"
    r"prob(?:e|es|ing)|n-gram)\b)(?![^.;]*\?)",
    re.IGNORECASE,
)
NAMED = re.compile(r"\b[A-Z][\w-]*['’]s (?:[\w-]+ ){0,5}$")
"""Before what is trained: a model that has a name, which is that of others."""
SETTINGS = re.compile(
    r"\blearning rate|\bepochs?\b|(?<![“\"‘'])\bAdam(?:W|Max)?\b|\bSGD\b|\bbatch size|\bdropout|\bhidden (?:size|units|dim|"
    r"layers?)|\bmini-?batch|\bearly stopping|\bgradient descent|\bback-?propagat|\bhyper-?\s?parameters?\b",
    re.IGNORECASE,
)


@rule("RK302", "runs-unstated", "warning")
def runs_unstated(context: CheckContext) -> Iterator[Diagnostic]:
    r"""The number of runs is missing, or the best run is reported.

    Reports results reached by the best of several runs, unless they were chosen on development data. And once for a
    paper that trains or fine-tunes, names a setting of the training and says that something is better: a table of
    results where nothing says how many runs or seeds of the systems stand behind a number. A seed for shuffling or
    splitting data says nothing about runs. Words for deterministic systems ("greedy decoding", "temperature 0") count.

    Found::

        We fine-tune our model. We report the best of five runs.

    Not found::

        We fine-tune our model. We report the mean of five runs.

    Source: ACL C3; ARR R1.
    """
    prose, tables = context.prose, context.paper.tables
    if any(cell.spread for table in tables for cell in table.body()):
        return
    for item in prose.with_words("run", "seed", "restart", "initiali", "trial", "repetition", "random start"):
        match = BEST.search(item.text)
        if match is None or BEST_IS_FINE.search(item.text) or MEAN.search(prose.around(item)):
            continue
        if REPORTED.search(item.text) and not item.negated(match.start()):
            context.coverage.claim(context.number, item.sentence.span)
            yield runs_unstated.at(
                context.paper,
                item.span(match),
                f"{match[0]!r} is reported, which depends on how many there were.",
                remedy="report the mean over all runs with their spread, or choose the run on development data and say so",
            )
    training = _trained(prose)
    table = next(filter(is_results, tables), None)
    if not training or table is None or prose.says(SETTINGS, own=True) is None or COPIED.search(table.caption.text):
        return
    if not (prose.claims_better or prose.says(BOLD_IS_BEST)):
        return
    stated = any(STATED.search(item.text) and not OF_DATA.search(item.text) for item in prose.own)
    if not stated and not any(STATED.search(c.text.text) for other in tables for c in other.cells() if c.header):
        context.coverage.claim(context.number, table.span)
        yield runs_unstated.at(
            context.paper,
            table.caption.span() if table.caption else table.span,
            f"Systems are trained ({training!r}), and nothing says over how many runs or seeds a number is.",
            remedy='say "mean of 5 seeds", "a single run", or that the systems are deterministic',
        )


def _trained(prose: Prose) -> str:
    """Return the words by which something is trained that is not somebody else's; empty if nothing is."""
    for item in prose.own:
        match = TRAINED.search(item.text)
        if match is not None and not NAMED.search(item.text[: match.start()]):
            return match[0]
    return ""


class Metric(NamedTuple):
    """A metric, how a paper names it, what would say which implementation it is, and what to write."""

    name: str
    named: re.Pattern[str]
    stated: re.Pattern[str]
    remedy: str


KIT = re.compile(
    r"\bcoco[- ]?(?:caption|eval)\w*|\bpycoco\w*|\bnlg-?eval\b|\b(?:official|standard|public|released|provided) "
    r"(?:\w+ ){0,2}(?:evaluat\w+|scoring) (?:script|code|toolkit|server|tool|package|suite)|"
    r"\bevaluat\w+ (?:toolkit|server)\b",
    re.IGNORECASE,
)
"""One implementation of several metrics."""
IMPLEMENTED = (
    Metric(
        "BLEU",
        re.compile(r"(?<!sacre)(?<!Sacre)\bBLEU(?:-?[1-4])?\b(?!RT)"),
        re.compile(
            r"\bsignature\b|\bn?refs?[:.]\d|\bmulti-bleu|\bmteval|\btok(?:eni[sz]er)?[:.=]\s?\w+|\bsacre\s?-?BLEU\b|\bNLTK\b|"
            r"\bTorchMetrics\b|\bHugging ?Face\b",
            re.IGNORECASE,
        ),
        "name sacreBLEU with its signature",
    ),
    Metric(
        "ROUGE",
        re.compile(r"\bROUGE(?:-?\w{1,4})?\b"),
        re.compile(
            r"\brouge[-_ ]?score\b|\bpyrouge\b|\bROUGE-1\.5\.5|\bfiles2rouge|\bROUGE\b[^.]{0,60}(?:package|implementation|"
            r"script|toolkit|librar|evaluate|⟦code⟧|stem)|\b(?:package|implementation|script|toolkit|librar\w+)\b[^.]{0,60}"
            r"\bROUGE|\btorchmetrics\b|\bhugging ?face evaluate\b",
            re.IGNORECASE,
        ),
        "name the package with its version, and whether it stems and splits sentences",
    ),
    Metric(
        "BERTScore",
        re.compile(r"\bBERTScore\b", re.IGNORECASE),
        re.compile(
            r"\bBERTScore\b[^.]{0,80}(?:roberta|deberta|hash|bert-base|layer|rescal|⟦code⟧|\d\.\d+\.\d)|"
            r"\b(?:roberta|deberta)\S* [^.]{0,40}BERTScore",
            re.IGNORECASE,
        ),
        "give its hash code or model, layer and rescaling",
    ),
    Metric(
        "COMET",
        re.compile(r"\b(?:x|w)?COMET(?:-?\d\d|Kiwi|-QE)?\b"),
        re.compile(
            r"\bwmt\d\d-|\bCOMET-?\d\d\b|\bUnbabel|\bXCOMET-\w+|\bwmt2[0-9]|⟦code⟧[^.]{0,40}COMET|COMET[^.]{0,40}⟦code⟧|"
            r"\bCOMETKiwi\b",
            re.IGNORECASE,
        ),
        "name the model, such as wmt22-comet-da",
    ),
)


@rule("RK304", "metric-version-missing", "warning")
def metric_version_missing(context: CheckContext) -> Iterator[Diagnostic]:
    r"""A metric is reported, and nothing says by which implementation.

    Looks at tables of BLEU, ROUGE, BERTScore and COMET, whose implementations differ by points.

    Found::

        \begin{table}\caption{BLEU.}\begin{tabular}{lcc} System & de & fr \\ \hline
        Base & 28.4 & 38.1 \\ Ours & 29.0 & 38.2 \end{tabular}\end{table}

    Not found::

        We use sacreBLEU 2.3.1.

        \begin{table}\caption{BLEU.}\begin{tabular}{lcc} System & de & fr \\ \hline
        Base & 28.4 & 38.1 \\ Ours & 29.0 & 38.2 \end{tabular}\end{table}

    Source: ACL C4.
    """
    found: list[tuple[Metric, Span]] = []
    headings = [cell for table in context.paper.tables for cell in table.cells() if cell.header]
    for metric in IMPLEMENTED:
        table = next((table for table in context.paper.tables if is_results(table, metric.named)), None)
        if table is None:
            continue
        heading = next(
            (cell.span for cell in table.cells() if cell.header and metric.named.search(cell.text.text)), None
        )
        match = metric.named.search(table.caption.text)
        place = heading or (table.caption.span(*match.span()) if match else table.span)
        context.coverage.claim(context.number, place)
        said = context.prose.says(metric.stated) or any(metric.stated.search(cell.text.text) for cell in headings)
        if not said:
            found.append((metric, place))
    if found and context.prose.says(KIT) is None:
        many = len(found) > 1
        yield metric_version_missing.at(
            context.paper,
            found[0][1],
            f"{listed(metric.name for metric, _ in found)} {'are' if many else 'is'} reported, and nothing says by which "
            f"implementation{'s' * many}.",
            remedy="; ".join(f"{metric.name}: {metric.remedy}" if many else metric.remedy for metric, _ in found),
        )
