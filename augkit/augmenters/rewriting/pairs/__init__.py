"""Other wordings of the second text of a pair: of its negation, and negations of a true text."""
