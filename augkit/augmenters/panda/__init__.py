"""PANDA (Qian et al. 2022): the same text about somebody of another gender, race or age.

``method`` draws what is changed, by Algorithm 1 (``sampling``) or for ``fairtuning``, and has it
changed by one of the ``perturbers``: rules, an LLM or a sequence-to-sequence model. The rules read
a text as a ``document``:

- ``gender``, ``race``, ``age``: the changes on each axis, with ``names`` and ``agreement``;
- ``coreference``: which references are to the same person;
- ``disambiguation``: whether a word refers to a person, or to a thing, a town, a film, nobody;
- ``grammar``: the case of a pronoun, the verbs of a subject, what a word can be.

The words and patterns that the rules look for are tables: ``augkit/lexicons/data/cues``.
"""
