"""Random edits: the control that separates a classifier's instability from its bias."""
