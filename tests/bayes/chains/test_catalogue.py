"""Which model for which sample, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from reportkit.bayes.chains.catalogue import chain_model
from reportkit.errors import DesignError, SettingsError, UnknownNameError


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("metric", "Student-t model of paired differences"),
        ("two-metric", "Student-t model of two groups"),
        ("count", "negative binomial model of paired counts"),
        ("two-count", "negative binomial model of two groups"),
        ("ordinal", "thresholded normal model of paired ratings"),
        ("two-ordinal", "thresholded normal model of two groups"),
        ("logistic", "paired hierarchical logistic model"),
    ],
)
def test_the_kind_and_the_design_choose_the_model(samples, name, expected):
    """One model for each."""
    model, swapped = chain_model(samples[name], scale=0.5 if name.endswith("metric") else None)
    assert model.title == expected
    assert not swapped


@pytest.mark.usefixtures("pymc")
def test_an_ordinal_scale_has_the_levels_that_nobody_gave_too(paired):
    """From the lowest to the highest of the data; the prior is about the middle wherever it begins."""
    import pymc

    with pymc.Model() as made:
        chain_model(paired([3, 5, 6, 3], [5, 3, 3, 3], "ordinal"))[0].build()
    assert "centre ~ Normal(4.5" in made["centre"].str_repr()
    assert made["gaps"].eval().shape == (2,)


def test_what_the_data_cannot_tell_is_refused(paired, unpaired, answers):
    """Each with what is missing."""
    refused = [
        (answers(30, 0, 0, 10), {}, "nothing can be learned of their ratio"),
        (paired([1, 2, 3], [0, 1, 2]), {"scale": 1.0}, "nothing can be learned of their spread"),
        (paired([1, 2], [0, 5]), {"scale": 1.0}, "fewer than 3"),
        (unpaired([1, 1, 1], [0, 5, 2]), {"scale": 1.0}, "nothing can be learned of their spread"),
        (paired([0, 0, 0], [0, 0, 0], "count"), {}, "all counts of both systems are 0"),
        (paired([1, 2.5, 0], [0, 3, 1], "count"), {}, "whole numbers"),
        (paired([4, 4, 4], [3, 4, 5], "ordinal"), {}, "has the level 4 on all"),
        (paired([4, 5, 4], [5, 4, 5], "ordinal"), {}, "3 to 100 of them"),
        (paired([4, 5, 4.5, 6], [5, 4, 5, 6], "ordinal"), {}, "whole numbers"),
    ]
    for sample, settings, message in refused:
        with pytest.raises(DesignError, match=message):
            chain_model(sample, **settings)


def test_what_does_not_fit_the_design_is_refused(paired, unpaired, answers, samples):
    """With the model that does, or the closed form that answers."""
    counts = replace(unpaired([1, 0, 1], [0, 0, 1], "binary"), shape="counts")
    refused = [
        (counts, {}, r"a\.posterior\(\)"),
        (unpaired([1, 0, 1], [0, 0, 1], "binary"), {}, r"a\.posterior\(\)"),
        (samples["logistic"], {"name": "metric", "scale": 1.0}, "model='paired-logistic'"),
        (samples["metric"], {"name": "count"}, "model='metric', or declare the kind"),
        (paired([1, 2, 4], [3, 3, 3], weights=np.ones(3)), {"scale": 1.0}, "without weights"),
        (paired([1, 2, 4], [3, 3, 3], clusters=np.array([0, 0, 1])), {"scale": 1.0}, "and clusters"),
        (answers(5, 5, 5, 5, clusters=np.arange(20) // 5), {}, r"a\.posterior\(\)"),
    ]
    for sample, settings, message in refused:
        with pytest.raises(DesignError, match=message):
            chain_model(sample, **settings)


def test_a_scale_has_to_be_declared_and_to_make_sense(samples):
    """The metric model has none of its own; the others have no place for one."""
    refused = [
        ("metric", {}, "needs the scale"),
        ("metric", {"scale": -1.0}, "scale=-1.0"),
        ("metric", {"scale": 1.0, "effect_scale": 0.0}, "effect_scale=0.0"),
        ("count", {"scale": 1.0}, "has no place"),
    ]
    for name, settings, message in refused:
        with pytest.raises(SettingsError, match=message):
            chain_model(samples[name], **settings)
    with pytest.raises(UnknownNameError, match="did you mean 'ordinal'"):
        chain_model(samples["ordinal"], "ordinel")
