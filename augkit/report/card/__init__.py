"""The card of a dataset that a run made: what it is, how it was made, its caveats."""
