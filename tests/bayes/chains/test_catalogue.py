"""Which model for which sample, and what is refused."""

import numpy as np
import pytest

from reportkit.bayes.chains.catalogue import chain_model
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.scores.shapes.proportions import Proportions
from reportkit.scores.shapes.sample import RightOf


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
        ("clustered", "paired hierarchical logistic model"),
    ],
)
def test_the_kind_and_the_design_choose_the_model(samples, name, expected):
    """One model for each."""
    model, swapped = chain_model(samples[name], scale=0.5 if name.endswith("metric") else None)
    assert model.title == expected
    assert not swapped


def test_the_data_of_a_model_depend_on_no_row_order_and_no_exchange(samples, paired):
    """Cells, counts and differences are the same for A against B as for B against A, and in any order."""
    rng = np.random.default_rng(3)
    for name in ("metric", "count", "ordinal", "logistic", "clustered"):
        sample = samples[name]
        order = rng.permutation(sample.n)
        clusters = None if sample.clusters is None else sample.clusters[order]
        turned = paired(sample.b[order], sample.a[order], sample.kind, names=("b", "a"), clusters=clusters)
        scale = 0.5 if name == "metric" else None
        first, second = chain_model(sample, scale=scale), chain_model(turned, scale=scale)
        assert (first[1], second[1]) == (False, True)
        for key, value in first[0].observed.items():
            np.testing.assert_array_equal(value, second[0].observed[key])


def test_an_ordinal_scale_has_the_levels_that_nobody_gave_too(paired):
    """From the lowest to the highest of the data, or as declared; prior about the middle wherever it begins."""
    sample = paired([3, 5, 6, 3], [5, 3, 3, 3], "ordinal")
    seen, _ = chain_model(sample)
    assert (seen.sizes["lowest"], seen.sizes["highest"], seen.observed["counts"].shape) == (3, 6, (4, 4))
    whole, _ = chain_model(sample, levels=(2, 8))
    counts = whole.observed["counts"]
    assert (counts.sum(), counts.shape, whole.priors["centre"].parameters["mu"]) == (4.0, (7, 7), 5.0)
    with pytest.raises(SettingsError, match="do not hold all scores"):
        chain_model(sample, levels=(3, 5))


def test_where_lower_counts_are_better_the_effect_is_turned_round(paired):
    """Scores are held negated; the counts are what was counted."""
    model, _ = chain_model(paired([-1, 0, -3], [-2, -4, 0], "count", higher_is_better=False))
    assert model.observed["pairs"].tolist() == [[0.0, 4.0], [1.0, 2.0], [3.0, 0.0]]
    assert model.effect({"level": np.array([0.0]), "ratio": np.array([1.0])})[0] < 0


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
        (paired([4, 5, 4], [5, 4, 5], "ordinal"), {}, "2 levels are no ordinal scale"),
        (paired([4, 5, 4.5], [5, 4, 5], "ordinal"), {}, "whole numbers"),
        (answers(5, 5, 5, 5, clusters=np.zeros(20, dtype=np.int64)), {}, "one cluster"),
    ]
    for sample, settings, message in refused:
        with pytest.raises(DesignError, match=message):
            chain_model(sample, **settings)


def test_what_does_not_fit_the_design_is_refused(paired, unpaired, samples):
    """With the model that does, or the closed form that answers."""
    counts = Proportions(
        system_a="a", system_b="b", dataset="d", metric="m", kind="binary", right=RightOf(5, 10, 4, 10)
    )
    refused = [
        (counts, {}, r"a\.posterior\(\)"),
        (unpaired([1, 0, 1], [0, 0, 1], "binary"), {}, r"a\.posterior\(\)"),
        (samples["logistic"], {"name": "metric", "scale": 1.0}, "model='paired-logistic'"),
        (samples["metric"], {"name": "count"}, "model='metric', or declare the kind"),
        (paired([1, 2, 4], [3, 3, 3], weights=np.ones(3)), {"scale": 1.0}, "no weights"),
        (paired([1, 2, 4], [3, 3, 3], clusters=np.array([0, 0, 1])), {"scale": 1.0}, "nest in clusters"),
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
        ("metric", {"scale": 1.0, "levels": (1, 5)}, "levels"),
        ("count", {"scale": 1.0}, "has no place"),
    ]
    for name, settings, message in refused:
        with pytest.raises(SettingsError, match=message):
            chain_model(samples[name], **settings)
    with pytest.raises(UnknownNameError, match="did you mean 'ordinal'"):
        chain_model(samples["ordinal"], "ordinel")
