"""Quality of a run's variants: the metric, and a file for each part of it."""
