"""METRICS that are not means of instances: corpus metrics, and correlations with gold scores."""
