"""The rules: how a text is read, whose its words are, and what they become on each axis."""
