"""Methods for choices: preference pairs, multiple choice, rated answers."""
