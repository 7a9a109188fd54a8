"""Benchmarks: what the pages report (release), how fast (speed), what was tried (research)."""
