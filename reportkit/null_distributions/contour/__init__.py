"""Tails by quadrature along the saddlepoint contour, with a bound on the error."""
