"""The case of a pronoun, and the verbs that agree with it."""
