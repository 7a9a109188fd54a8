"""Metrics, one file each: what is measured, in which direction, and with which caveats."""
