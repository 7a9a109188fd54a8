"""Commands that look at a dataset and change nothing."""
