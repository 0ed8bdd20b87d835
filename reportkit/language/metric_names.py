"""What the usual metrics are called in print: in a sentence, and short above a column."""

from __future__ import annotations

from typing import NamedTuple


class _Named(NamedTuple):
    title: str
    short: str
    proportion: bool = False


_EVERY: dict[str, _Named] = {
    "accuracy": _Named("Accuracy", "Acc.", True),
    "balanced_accuracy": _Named("Balanced accuracy", "Bal. acc.", True),
    "exact_match": _Named("Exact match", "EM", True),
    "f1": _Named("F1", "F1", True),
    "macro_f1": _Named("Macro F1", "F1", True),
    "micro_f1": _Named("Micro F1", "F1", True),
    "precision": _Named("Precision", "Prec.", True),
    "recall": _Named("Recall", "Rec.", True),
    "win_rate": _Named("Win rate", "Win", True),
    "pass_rate": _Named("Pass rate", "Pass", True),
    "pass@1": _Named("pass@1", "pass@1", True),
    "error_rate": _Named("Error rate", "Err.", True),
    "wer": _Named("WER", "WER", True),
    "cer": _Named("CER", "CER", True),
    "uas": _Named("UAS", "UAS", True),
    "las": _Named("LAS", "LAS", True),
    "bleu": _Named("BLEU", "BLEU"),
    "chrf": _Named("chrF", "chrF"),
    "chrf++": _Named("chrF++", "chrF++"),
    "ter": _Named("TER", "TER"),
    "comet": _Named("COMET", "COMET"),
    "meteor": _Named("METEOR", "METEOR"),
    "rouge1": _Named("ROUGE-1", "R-1"),
    "rouge2": _Named("ROUGE-2", "R-2"),
    "rougel": _Named("ROUGE-L", "R-L"),
    "bertscore": _Named("BERTScore", "BERTScore"),
    "ndcg": _Named("nDCG", "nDCG"),
    "map": _Named("MAP", "MAP"),
    "mrr": _Named("MRR", "MRR"),
    "mcc": _Named("Matthews correlation", "MCC"),
    "aer": _Named("Alignment error rate", "AER"),
    "rmse": _Named("RMSE", "RMSE"),
    "mae": _Named("MAE", "MAE"),
    "perplexity": _Named("Perplexity", "PPL"),
    "ppl": _Named("Perplexity", "PPL"),
    "loss": _Named("Loss", "Loss"),
    "latency": _Named("Latency", "Latency"),
    "brier": _Named("Brier score", "Brier"),
    "score": _Named("Score", "Score"),
}

_OTHER_NAMES = {
    "acc": "accuracy", "em": "exact_match", "exact": "exact_match", "f": "f1", "f1_score": "f1", "f_score": "f1",
    "f1_macro": "macro_f1", "f1_micro": "micro_f1", "rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougel",
    "winrate": "win_rate", "sacrebleu": "bleu",
}  # fmt: skip


def _known(metric: str) -> _Named | None:
    key = metric.strip().casefold().replace(" ", "_").replace("-", "_")
    return _EVERY.get(_OTHER_NAMES.get(key, key))


def metric_title(metric: str) -> str:
    """Name of a metric at the head of a caption; one that is not known begins with a capital letter, if it is a word.

    Examples
    --------
    >>> [metric_title(name) for name in ("acc", "f1", "chrF", "helpfulness", "nDCG@10", "bleu_13a")]
    ['Accuracy', 'F1', 'chrF', 'Helpfulness', 'nDCG@10', 'bleu_13a']
    """
    found = _known(metric)
    if found is not None:
        return found.title
    return metric[:1].upper() + metric[1:] if metric.isalpha() and metric.islower() else metric


def metric_in_sentence(metric: str) -> str:
    """Name of a metric within a sentence.

    Examples
    --------
    >>> [metric_in_sentence(name) for name in ("acc", "f1", "exact_match", "nDCG@10")]
    ['accuracy', 'F1', 'exact match', 'nDCG@10']
    """
    title = metric_title(metric)
    return title.lower() if title.replace(" ", "a")[1:].isalpha() and title[1:].islower() else title


def metric_short(metric: str) -> str:
    """Name of a metric above a column of a table.

    Examples
    --------
    >>> metric_short("accuracy"), metric_short("exact_match"), metric_short("nDCG@10")
    ('Acc.', 'EM', 'nDCG@10')
    """
    found = _known(metric)
    return metric_title(metric) if found is None else found.short


def is_proportion(metric: str) -> bool:
    """Whether a metric of this name lies between 0 and 1, and is printed in percent.

    Examples
    --------
    >>> is_proportion("F1"), is_proportion("ndcg"), is_proportion("score")
    (True, False, False)
    """
    found = _known(metric)
    return found is not None and found.proportion
