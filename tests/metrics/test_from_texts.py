"""Counts from texts against the scores that sacreBLEU computes from the same texts."""

import sys

import pytest

import reportkit
from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.metrics.corpus import corpus_metric_named
from reportkit.metrics.from_texts import METRICS_OF_TEXTS, statistics_from_texts
from tests.conftest import unavailable

try:
    from sacrebleu.metrics import BLEU, CHRF, TER
except ImportError:  # the extra [sacrebleu] is not installed
    BLEU = CHRF = TER = None

REFERENCES = (
    "The committee met on Tuesday, 3 March 2020, in Geneva.",
    "Der Zug hält heute nicht in Köln-Deutz.",
    "Les élèves n'ont pas compris la question.",
    "",
    "猫坐在垫子上。",
    "Кошка сидит на коврике.",
    "القطة تجلس على السجادة.",
    "It's 20% cheaper -- isn't it? (Yes.)",
    "नदी के किनारे एक पेड़ है।",
    "One.",
    'She said: "We\'ll see..."',
    "U.S. exports rose 1,200.5 points &amp; then fell.",
)
NEW = (
    "The committee met in Geneva on Tuesday, 3 March 2020.",
    "Der Zug hält heute in Köln-Deutz nicht.",
    "Les élèves n'ont pas compris cette question.",
    "Nothing to translate",
    "一只猫坐在垫子上。",
    "Кот сидит на коврике.",
    "القطة تجلس على السجادة",
    "It is 20% cheaper, isn't it? Yes.",
    "नदी के पास एक पेड़ है।",
    "",
    'She said: "We will see..."',
    "US exports rose by 1,200.5 points & then fell.",
)
OLD = (
    "the committee meets Tuesday in geneva",
    "Der Zug heute hält nicht Köln",
    "La question n'est pas comprise.",
    "",
    "猫在垫子",
    "кошка на ковре",
    "قطة على سجادة",
    "It is cheaper by twenty percent",
    "पेड़ नदी",
    "One",
    "",
    "exports U.S. rose rose rose",
)
SECOND = tuple(text.lower() if number % 3 else None for number, text in enumerate(REFERENCES))
SYSTEMS = {"new": NEW, "old": OLD}


@pytest.fixture(autouse=True)
def _sacrebleu():
    if BLEU is None:
        unavailable("sacreBLEU is not installed (it comes with the extra [sacrebleu])")


def scorers(**options):
    """The metrics of sacreBLEU by our names."""
    return {
        "bleu": lambda: BLEU(**options),
        "chrf": lambda: CHRF(**options),
        "chrf++": lambda: CHRF(word_order=2, **options),
        "ter": lambda: TER(**options),
    }


def values(frame, metric):
    """The metric of each system from the sums of its counts."""
    known = corpus_metric_named(metric)
    return {
        name: float(known(rows[list(known.columns)].sum().to_numpy(dtype=float)))
        for name, rows in frame.groupby("system")
    }


@pytest.mark.parametrize("metric", METRICS_OF_TEXTS)
@pytest.mark.parametrize("references", [[REFERENCES], [REFERENCES, SECOND]], ids=["one reference", "two references"])
def test_sums_give_the_corpus_score(metric, references):
    """To the last digit, over languages, empty outputs, empty references and references that are missing."""
    frame = statistics_from_texts(SYSTEMS, references, dataset="toy", metric=metric)
    expected = {
        name: scorers()[metric]().corpus_score(list(texts), [list(stream) for stream in references]).score
        for name, texts in SYSTEMS.items()
    }
    found = values(frame, metric)
    for name in SYSTEMS:
        assert found[name] == pytest.approx(expected[name], rel=1e-15)
        assert found[name] > 0


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("bleu", {"tokenize": "char"}),
        ("bleu", {"tokenize": "zh", "lowercase": True}),
        ("bleu", {"tokenize": "intl"}),
        ("chrf", {"whitespace": True}),
        ("chrf++", {"lowercase": True}),
        ("ter", {"case_sensitive": True}),
        ("ter", {"normalized": True, "asian_support": True, "no_punct": True}),
    ],
)
def test_options_are_those_of_sacrebleu(metric, options):
    """Tokenizer, case, white space, punctuation."""
    found = values(statistics_from_texts(SYSTEMS, REFERENCES, dataset="toy", metric=metric, **options), metric)
    for name, texts in SYSTEMS.items():
        score = scorers(**options)[metric]().corpus_score(list(texts), [list(REFERENCES)]).score
        assert found[name] == pytest.approx(score, rel=1e-15)


def test_each_row_is_its_segment():
    """Counts of one row are those of the sentence alone; rows stand system by system."""
    frame = reportkit.statistics_from_texts(SYSTEMS, REFERENCES, dataset="toy")
    assert list(frame.columns[:5]) == ["system", "dataset", "instance", "hyp_len", "ref_len"]
    assert frame["instance"].tolist() == [*range(1, 13)] * 2
    assert frame["system"].tolist() == ["new"] * 12 + ["old"] * 12
    assert set(frame["dataset"]) == {"toy"}
    for number, (text, reference) in enumerate(zip(NEW, REFERENCES, strict=True)):
        score = BLEU(effective_order=True).sentence_score(text, [reference])
        assert frame.iloc[number, 3:].tolist() == [score.sys_len, score.ref_len, *score.counts, *score.totals]


def test_ids_and_names_of_metrics():
    """Ids as given; names of metrics in any case."""
    ids = [f"doc1-{number}" for number in range(12)]
    frame = statistics_from_texts(SYSTEMS, REFERENCES, dataset="toy", instances=ids, metric="BLEU")
    assert frame["instance"].tolist() == ids * 2
    assert frame.equals(statistics_from_texts(SYSTEMS, REFERENCES, dataset="toy", instances=ids, metric="bleu"))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        (({"new": NEW, "old": OLD[:-1]}, REFERENCES), {}, InputError, "'new': 12, system 'old': 11"),
        (({"new": NEW}, REFERENCES[:3]), {}, InputError, "the reference: 3, system 'new': 12"),
        (({"new": NEW}, [REFERENCES, REFERENCES[:3]]), {}, InputError, "reference 2: 3"),
        (({"new": NEW}, REFERENCES), {"instances": [1, 2]}, InputError, "instances: 2"),
        (({}, REFERENCES), {}, InputError, "no outputs"),
        (({"new": NEW}, []), {}, InputError, "no references"),
        (({"new": []}, [[]]), {}, InputError, "no segments"),
        (({"new": NEW}, "one text"), {}, InputError, "one text"),
        (({"new": "one text"}, REFERENCES), {}, InputError, "'new' are one text"),
        (({"new": [*NEW[:-1], None]}, REFERENCES), {}, InputError, "system 'new', segment 12"),
        (({"new": NEW}, [None, *REFERENCES[1:]]), {}, InputError, "reference 1, segment 1"),
        (({"new": NEW}, [[None, *REFERENCES[1:]]] * 2), {}, InputError, "segment 1"),
        (({"new": NEW}, [REFERENCES, "text"]), {}, InputError, "both texts and sequences"),
        (({"new": NEW}, REFERENCES), {"metric": "rouge"}, UnknownNameError, "'bleu', 'chrf'"),
        (({"new": NEW}, REFERENCES), {"metric": "f1"}, UnknownNameError, "metric of texts"),
        (({"new": NEW}, REFERENCES), {"tokenize": "13b"}, UnknownNameError, "did you mean '13a'"),
        (({"new": NEW}, REFERENCES), {"no_punct": True}, UnknownNameError, "option of BLEU"),
        (({"new": NEW}, REFERENCES), {"metric": "ter", "lowercase": True}, UnknownNameError, "option of TER"),
    ],
)
def test_wrong_input_is_refused(arguments, options, error, words):
    """The message says how many, where, and what is known."""
    with pytest.raises(error, match=words):
        statistics_from_texts(*arguments, dataset="toy", **options)


def test_without_sacrebleu_the_extra_is_named(monkeypatch):
    """The command that installs it, and no traceback of an import."""
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(SettingsError, match="not installed") as caught:
        statistics_from_texts(SYSTEMS, REFERENCES, dataset="toy")
    assert caught.value.remedy == 'pip install "reportkit-replic[sacrebleu]"'
