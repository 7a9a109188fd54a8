"""PANDA-style perturbation: the same text about somebody of another gender, race or age."""
