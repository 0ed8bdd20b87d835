"""Random resamples, and the streams that they are drawn from."""
