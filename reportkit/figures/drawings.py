"""Every kind of figure: the values that it shows, how they are drawn, and how they are said in words.

A figure is drawn from its content alone, so that one that was stored is drawn again without the data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from reportkit.figures.calibration_bins import (
    CalibrationBinsContent,
    calibration_bins_alt_text,
    calibration_bins_span,
    draw_calibration_bins,
)
from reportkit.figures.critical_difference import (
    CriticalDifferenceContent,
    critical_difference_alt_text,
    critical_difference_span,
    draw_critical_difference,
)
from reportkit.figures.domain_shift import (
    DomainShiftContent,
    domain_shift_alt_text,
    domain_shift_span,
    draw_domain_shift,
)
from reportkit.figures.drawing.style import Span, settle, style, width_in_points
from reportkit.figures.drawing.typography import typography_of
from reportkit.figures.estimator_boxes import (
    EstimatorBoxesContent,
    draw_estimator_boxes,
    estimator_boxes_alt_text,
    estimator_boxes_span,
)
from reportkit.figures.forest import draw_forest, forest_alt_text, forest_span
from reportkit.figures.forest_content import ForestContent
from reportkit.figures.gain_confidence import (
    GainConfidenceContent,
    draw_gain_confidence,
    gain_confidence_alt_text,
    gain_confidence_span,
)
from reportkit.figures.k_hat_histogram import (
    KHatHistogramContent,
    draw_k_hat_histogram,
    k_hat_histogram_alt_text,
    k_hat_histogram_span,
)
from reportkit.figures.k_hat_matrix import (
    KHatMatrixContent,
    draw_k_hat_matrix,
    k_hat_matrix_alt_text,
    k_hat_matrix_span,
)
from reportkit.figures.null_p_values import (
    NullPValueContent,
    draw_null_p_values,
    null_p_value_alt_text,
    null_p_value_span,
)
from reportkit.figures.p_value_dots import PValueContent, draw_p_values, p_value_alt_text, p_value_span
from reportkit.figures.pair_matrix import PairMatrixContent, draw_pair_matrix, pair_matrix_alt_text, pair_matrix_span
from reportkit.figures.partial_conjunction import (
    PartialConjunctionContent,
    draw_partial_conjunction,
    partial_conjunction_alt_text,
)
from reportkit.figures.posterior_density import (
    PosteriorContent,
    draw_posterior,
    posterior_alt_text,
    posterior_span,
)
from reportkit.figures.posterior_forest import (
    PosteriorForestContent,
    draw_posterior_forest,
    posterior_forest_alt_text,
    posterior_forest_span,
)
from reportkit.figures.prior_sensitivity import (
    PriorSensitivityContent,
    draw_prior_sensitivity,
    prior_sensitivity_alt_text,
    prior_sensitivity_span,
)
from reportkit.figures.reproducibility import (
    ReproducibilityContent,
    draw_reproducibility,
    reproducibility_alt_text,
    reproducibility_span,
)
from reportkit.figures.size_curve import (
    SizeCurveContent,
    draw_size_curve,
    size_curve_alt_text,
    size_curve_span,
)
from reportkit.registry import Registry

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from reportkit.appearance.venues import Venue


Draw: TypeAlias = "Callable[[Any, float], Figure]"
"""Takes a content and a width in points, and draws within `style`."""

AltText: TypeAlias = Callable[[Any], str]
"""Takes a content and says in words what the figure shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One kind of figure.

    Parameters
    ----------
    kind : str
        Name of the kind: "forest".
    content : type
        Frozen dataclass of plain values: numbers that are finite, strings, None, tuples and dataclasses of those.
    function : callable
        Takes the content and a width in points; returns a matplotlib figure.
    alt_text : callable
        Takes the content and says in words what the figure shows.
    span : callable
        Takes the content and says whether it is drawn as wide as a column or as the text.
    """

    kind: str
    content: type[Any]
    function: Draw
    alt_text: AltText
    span: Callable[[Any], Span]

    def draw(self, content: Any, *, width: float | Span | None = None, venue: str | Venue = "report") -> Figure:
        """Draw a content of this kind as wide as a venue's column or text, in the type that goes with it.

        Parameters
        ----------
        content : object
            Of the class `content`.
        width : float or {"column", "text"}, optional
            TeX points, or what the venue has; by default what suits the content.
        venue : str or Venue
            One of `reportkit.appearance.venues.VENUES`, or one with other widths.

        Returns
        -------
        matplotlib.figure.Figure
            Outside pyplot; the same content gives the same figure.

        Raises
        ------
        UnknownNameError
            If there is no such width or venue.
        SettingsError
            If a width is less than 100 or more than 2000 TeX points.
        """
        total = width_in_points(self.span(content) if width is None else width, venue)
        with style(typography_of(venue)):
            figure = self.function(content, total)
            settle(figure)
        return figure


DRAWINGS: Registry[Drawing] = Registry("kind of figure")


def _column(_: Any) -> Span:
    return "column"


def _add(
    kind: str, content: type[Any], function: Draw, alt_text: AltText, span: Callable[[Any], Span] = _column
) -> None:
    DRAWINGS.register(kind, Drawing(kind=kind, content=content, function=function, alt_text=alt_text, span=span))


_add("forest", ForestContent, draw_forest, forest_alt_text, forest_span)
_add("partial-conjunction", PartialConjunctionContent, draw_partial_conjunction, partial_conjunction_alt_text)
_add("k-hat-matrix", KHatMatrixContent, draw_k_hat_matrix, k_hat_matrix_alt_text, k_hat_matrix_span)
_add("p-values", PValueContent, draw_p_values, p_value_alt_text, p_value_span)
_add("pair-matrix", PairMatrixContent, draw_pair_matrix, pair_matrix_alt_text, pair_matrix_span)
_add(
    "critical-difference",
    CriticalDifferenceContent,
    draw_critical_difference,
    critical_difference_alt_text,
    critical_difference_span,
)
_add("posterior", PosteriorContent, draw_posterior, posterior_alt_text, posterior_span)
_add(
    "posterior-forest",
    PosteriorForestContent,
    draw_posterior_forest,
    posterior_forest_alt_text,
    posterior_forest_span,
)
_add(
    "prior-sensitivity",
    PriorSensitivityContent,
    draw_prior_sensitivity,
    prior_sensitivity_alt_text,
    prior_sensitivity_span,
)
_add("null-p-values", NullPValueContent, draw_null_p_values, null_p_value_alt_text, null_p_value_span)
_add("k-hat-histogram", KHatHistogramContent, draw_k_hat_histogram, k_hat_histogram_alt_text, k_hat_histogram_span)
_add("gain-confidence", GainConfidenceContent, draw_gain_confidence, gain_confidence_alt_text, gain_confidence_span)
_add("size-curve", SizeCurveContent, draw_size_curve, size_curve_alt_text, size_curve_span)
_add(
    "calibration-bins", CalibrationBinsContent, draw_calibration_bins, calibration_bins_alt_text, calibration_bins_span
)
_add("domain-shift", DomainShiftContent, draw_domain_shift, domain_shift_alt_text, domain_shift_span)
_add(
    "reproducibility",
    ReproducibilityContent,
    draw_reproducibility,
    reproducibility_alt_text,
    reproducibility_span,
)
_add(
    "estimator-boxes",
    EstimatorBoxesContent,
    draw_estimator_boxes,
    estimator_boxes_alt_text,
    estimator_boxes_span,
)
