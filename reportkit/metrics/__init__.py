"""METRICS that are no means of instances: corpus metrics, and correlations with gold scores."""
