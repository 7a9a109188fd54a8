"""Checks of what a language model wrote: its text by program, its label by somebody else."""
