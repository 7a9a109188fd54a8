"""Experiment trackers: a finished run in the log that a team already keeps."""
