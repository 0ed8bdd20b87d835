"""What a paper trains, and how: a training that begins at random gives another number each time."""

from __future__ import annotations

import re

from reportkit.checker.prose import Prose, Statement

TRAINED = re.compile(
    r"(?<!previous )(?<!prior )(?<!existing )(?<!SOTA )(?<!of-the-art )"
    r"\b(?:models?|networks?|parsers?|classifiers?|systems?|baselines?|encoders?|decoders?|layers?|embeddings?|"
    r"parameters) (?:is|are|was|were) (?:(?!not\b|never\b)\w+ ){0,2}?(?:trained|fine-?tuned|learned)\b"
    r"|\bour (?:(?!during|for|in|of|on|with)\w+ ){0,2}training\b(?! (?:data|sets?|images|views|examples|samples|corp))",
    re.IGNORECASE,
)
WE_TRAIN = re.compile(
    r"\bwe (?:\w+ly |also |first |then |further |always )*(?:re-?|pre-?)?(?:train|fine-?tune)(?:d|ed)?\b"
    r"(?![^.;]*\b(?:logistic|linear (?:classifier|regression|probe|SVM)s?|SVMs?|support vector|naive bayes|nearest|"
    r"prob(?:e|es|ing)|n-gram)\b)(?![^.;]*\?)",
    re.IGNORECASE,
)
"""A training that begins at random: that of a regression or a support vector machine does not."""
NAMED = re.compile(r"\b[A-Z][\w-]*['’]s (?:[\w-]+ ){0,5}$")
"""Before what is trained: a model that has a name, which is that of others."""
SETTINGS = re.compile(
    r"\blearning rate|\bepochs?\b|(?<![“\"‘'])\bAdam(?:W|Max)?\b|\bSGD\b|\bbatch size|\bdropout|"
    r"\bhidden (?:size|units|dim|layers?)|\bmini-?batch|\bearly stopping|\bgradient descent|\bback-?propagat|"
    r"\bhyper-?\s?parameters?\b",
    re.IGNORECASE,
)
"""Of a training that begins at random."""


def trained(prose: Prose) -> Statement | None:
    """The first sentence by which something is trained that is not somebody else's."""
    ours = prose.says(WE_TRAIN, own=True)
    if ours is not None:
        return ours
    for item in prose.own:
        match = TRAINED.search(item.text)
        if match is not None and not NAMED.search(item.text[: match.start()]):
            return item
    return None


def words_of(item: Statement) -> str:
    """The words by which a sentence says that something is trained."""
    match = WE_TRAIN.search(item.text) or TRAINED.search(item.text)
    return match[0] if match else ""
