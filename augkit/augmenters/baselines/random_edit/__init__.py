"""Random edits: the control that tells a classifier's instability from its bias."""
