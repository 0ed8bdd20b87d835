"""The section that sets p-value, interval, posterior and Bayes factor side by side."""
